/** What Linux tells about another process. Every function throws the system's own error when /proc refuses. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

const LISTEN = "0A";

export interface ProcessFacts {
  /** Name of the executable, "node". */
  executable: string;
  /** As ps shows it: R, S, T (stopped), Z (ended, not yet reaped). */
  state: string;
  /** The process has a handler for SIGUSR1; without one the signal would end it. */
  catchesUsr1: boolean;
  /** Whose it is. */
  uid: number;
  /** Its pid as it sees it itself, inside a container. */
  ownPid: number;
  commandLine: string[];
}

export function readFacts(pid: number): ProcessFacts {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, "m").exec(status)?.[1] ?? "";
  const caught = BigInt(`0x${field("SigCgt") || "0"}`);
  const SIGUSR1 = 10n;
  const state = field("State").charAt(0);
  return {
    // A zombie has no executable any more.
    executable:
      state === "Z" ? field("Name") : basename(readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, "")),
    state,
    catchesUsr1: (caught & (1n << (SIGUSR1 - 1n))) !== 0n,
    uid: Number(field("Uid").split(/\s+/)[1]),
    ownPid: Number(field("NSpid").split(/\s+/).at(-1) || pid),
    commandLine: readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1),
  };
}

export interface Listener {
  host: string;
  port: number;
  inode: string;
}

/** Every TCP port something listens on in the process's network. */
export function listeners(pid: number): Listener[] {
  return ["tcp", "tcp6"].flatMap((table) => {
    let text: string;
    try {
      text = readFileSync(`/proc/${pid}/net/${table}`, "utf8");
    } catch {
      return []; // no IPv6
    }
    return text.split("\n").slice(1).flatMap(parseListener);
  });
}

export function socketInodes(pid: number): Set<string> {
  const inodes = new Set<string>();
  const folder = `/proc/${pid}/fd`;
  for (const fd of readdirSync(folder)) {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/${fd}`))?.[1];
      if (inode !== undefined) inodes.add(inode);
    } catch {
      // Closed since it was listed.
    }
  }
  return inodes;
}

/** The process that owns a socket, if we may see it. */
export function ownerOf(inode: string): number | undefined {
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids.find((pid) => {
    try {
      return socketInodes(pid).has(inode);
    } catch {
      return false;
    }
  });
}

function parseListener(line: string): Listener[] {
  const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
  if (state !== LISTEN) return [];
  const [address = "", port = ""] = local.split(":");
  return [{ host: hostOf(address), port: Number.parseInt(port, 16), inode }];
}

/** Addresses are printed as little-endian words. One that means "any" is reached by the loopback. */
function hostOf(hex: string): string {
  const words = hex.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => [...Buffer.from(word, "hex").reverse()]);
  const isAny = bytes.every((byte) => byte === 0);
  if (bytes.length === 4) return isAny ? "127.0.0.1" : bytes.join(".");
  if (isAny) return "::1";
  const mapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff;
  if (mapped) return bytes.slice(12).join(".");
  return bytes
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .replace(/(.{4})(?=.)/g, "$1:");
}
