/** Loopback TCP is open to every user of the machine; this tells whose process is at the other end of a connection. */
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";

/** True unless the peer is, or may be, somebody else's. Only Linux can tell; a Unix socket has its folder's mode instead. */
export function isSameUser(socket: Socket): boolean {
  const us = process.getuid?.();
  const isPath = socket.localPort === undefined;
  if (us === undefined || process.platform !== "linux" || isPath) return true;
  return peerUid(socket) === us;
}

/** Whose process holds the other end; undefined when the kernel's tables do not say. */
export function peerUid({
  remotePort,
  localPort,
}: Pick<Socket, "remotePort" | "localPort">): number | undefined {
  if (remotePort === undefined || localPort === undefined) return undefined;
  return ownerIn(tables, remotePort, localPort);
}

/** The kernel hands its tables out in pieces: where connections come and go meanwhile, rows are left out or come twice. */
const LOOKS = 20;

/** A row that is not there is looked for again; two owners are an answer: nobody knows. */
export function ownerIn(read: () => string, from: number, to: number): number | undefined {
  for (let look = 0; look < LOOKS; look++) {
    const owners = ownersOf(read(), from, to);
    if (owners.length > 0) return onlyOne(owners);
  }
  return undefined;
}

/** Whether all that listens on a loopback port is this user's. Before a call is taken, its own row names nobody. */
export function isOwnPort(port: number): boolean {
  const us = process.getuid?.();
  if (us === undefined || process.platform !== "linux") return true;
  const found = rows(tables()).filter(({ local, state }) => state === LISTENS && portOf(local) === port);
  return found.every(({ uid }) => uid === us);
}

const ESTABLISHED = "01";
const LISTENS = "0A";

/** Both tables: a peer that dials an IPv4 port may do so from an IPv6 socket. https://docs.kernel.org/networking/proc_net_tcp.html */
function tables(): string {
  return ["/proc/net/tcp", "/proc/net/tcp6"]
    .map((file) => {
      try {
        return readFileSync(file, "latin1");
      } catch {
        return ""; // a kernel without IPv6 has no second one
      }
    })
    .join("\n");
}

/** The uid of the row that goes from one loopback port to the other. */
export function ownerOf(table: string, from: number, to: number): number | undefined {
  return onlyOne(ownersOf(table, from, to));
}

function onlyOne([owner, ...others]: readonly number[]): number | undefined {
  return others.length === 0 ? owner : undefined;
}

/**
 * Each once. A row of a socket that nobody holds any more (its owner has closed it) says 0 whoever it was, so only a connection that
 * still stands counts.
 */
function ownersOf(table: string, from: number, to: number): number[] {
  const found = rows(table).filter(
    ({ local, remote, state, inode }) =>
      state === ESTABLISHED &&
      inode !== "0" &&
      isLoopback(local) &&
      isLoopback(remote) &&
      portOf(local) === from &&
      portOf(remote) === to,
  );
  return [...new Set(found.map(({ uid }) => uid))];
}

interface Row {
  local: string;
  remote: string;
  state: string;
  uid: number;
  inode: string;
}

function rows(table: string): Row[] {
  return table.split("\n").flatMap((line) => {
    const [, local = "", remote = "", state = "", , , , uid = "", , inode = ""] = line.trim().split(/\s+/);
    return /^[\dA-F]+:[\dA-F]{4}$/.test(local) ? [{ local, remote, state, uid: Number(uid), inode }] : [];
  });
}

function portOf(address: string): number {
  return Number.parseInt(address.slice(address.lastIndexOf(":") + 1), 16);
}

/** 127.0.0.1, ::1, and 127.0.0.1 as an IPv6 address. */
const LOOPBACK = /^(0100007F|00000000000000000000000001000000|0000000000000000FFFF00000100007F):/;

function isLoopback(address: string): boolean {
  return LOOPBACK.test(address);
}
