/** Nobody else can reach a Python that is debugged, or what debugs it: nothing listens on a port, and the socket is out of reach. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { at, Counting, pythonSonde, stops } from "./programs.ts";

/** Inodes of listening TCP sockets. */
function listening(): Set<string> {
  const rows = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((path) =>
    readFileSync(path, "latin1").split("\n").slice(1),
  );
  const columns = rows.map((row) => row.trim().split(/\s+/));
  return new Set(columns.filter((row) => row[3] === "0A").map((row) => row[9] ?? ""));
}

function portsOf(pid: number): string[] {
  const open = listening();
  const folder = `/proc/${pid}/fd`;
  return descriptors(folder).flatMap((fd) => {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/${fd}`))?.[1];
      return inode !== undefined && open.has(inode) ? [inode] : [];
    } catch {
      return []; // closed meanwhile
    }
  });
}

function descriptors(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // ended meanwhile
  }
}

/** Whoever it is that asks. What put the debugger into a process ends about now. */
function nothingReachable(sonde: Sonde, pids: number[]): void {
  for (const pid of [...pids, ...sonde.processes().map((one) => one.pid)]) expect(portsOf(pid)).toEqual([]);
  for (const pid of pids) expect(existsSync(`/proc/${pid}`)).toBe(true);
}

function isRefused(path: string): void {
  expect(statSync(dirname(path)).mode & 0o077).toBe(0);
  if (process.getuid?.() !== 0) return;
  const code = `import socket; socket.socket(socket.AF_UNIX).connect(${JSON.stringify(path)})`;
  const words = ["--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", code];
  const { stderr, status } = spawnSync("setpriv", words, { encoding: "utf8" });
  expect(status).not.toBe(0);
  expect(stderr).toContain("PermissionError");
}

function socketIn(sonde: Sonde, part: string): string {
  const found = sonde.processes().find(({ command }) => command.includes(part));
  return /"address": ?"([^"]+)"/.exec(found?.command ?? "")?.[1] ?? "";
}

test("a program that is started, and its child", { timeout: 60_000 }, async () => {
  const sonde = pythonSonde();
  await stops(sonde, ["start", "children.py", "--break", at(sonde, "child.py", "child-first")]);
  nothingReachable(sonde, []);
  isRefused(socketIn(sonde, "sonde_pydevd.py"));
  expect(sonde.processes().filter(({ command }) => /token/i.test(command))).toEqual([]);
});

test("a program that is attached to", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  const program = new Counting(sonde);
  await program.counts();
  const { pid } = program;
  await sonde.ask(["attach", String(pid), "--break", at(sonde, "counting.py", "print")]);
  nothingReachable(sonde, [pid]);
});
