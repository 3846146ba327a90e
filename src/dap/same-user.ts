/** Loopback TCP is open to every user of the machine; this tells whose process is at the other end of a connection. */
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";

/** True unless the peer is known to belong to someone else. Only Linux can tell. */
export function isSameUser({ remotePort, localPort }: Socket): boolean {
  const us = process.getuid?.();
  if (us === undefined || remotePort === undefined || localPort === undefined) return true;
  let table: string;
  try {
    table = readFileSync("/proc/net/tcp", "latin1");
  } catch {
    return true;
  }
  return ownerOf(table, remotePort, localPort) === us;
}

/** The uid column of the row that goes from one loopback port to the other; https://docs.kernel.org/networking/proc_net_tcp.html */
export function ownerOf(table: string, from: number, to: number): number | undefined {
  const [local, remote] = [loopback(from), loopback(to)];
  for (const line of table.split("\n").slice(1)) {
    const columns = line.trim().split(/\s+/);
    if (columns[1] === local && columns[2] === remote) return Number(columns[7]);
  }
  return undefined;
}

function loopback(port: number): string {
  return `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
}
