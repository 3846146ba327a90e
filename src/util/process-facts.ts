/** What the system says of processes, ours or not. Where there is no /proc, all but `isAlive` know nothing. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** Nothing if it is not there or not ours to read. */
function systemFile(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

export function processIds(): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return []; // not Linux
  }
}

export interface Stat {
  /** As ps shows it: `t` is one that its debugger holds, `T` one that a signal has halted, `Z` one that is dead. */
  state: string;
  parent: number;
  /** When it began: a number is used again, but not by one that began at the same time. */
  born: string;
  /** Its main thread is on its way out: it runs nothing of its own any more. */
  exiting: boolean;
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, and PF_EXITING in the kernel's sched.h */
const EXITING = 4;

/** Nothing when it is gone. */
export function statOf(pid: number): Stat | undefined {
  const text = systemFile(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name before it, in parentheses, may hold anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const exiting = (Number(fields[6]) & EXITING) !== 0;
  return { state: fields[0] ?? "", parent: Number(fields[1]), born: fields[19] ?? "", exiting };
}

/** A line of /proc/<pid>/status, without its name. */
export function statusOf(pid: number | "self", field: string): string | undefined {
  const text = systemFile(`/proc/${pid}/status`) ?? "";
  return new RegExp(`^${field}:\\s*(.*)$`, "m").exec(text)?.[1];
}

export function tracerOf(pid: number): number | undefined {
  const tracer = statusOf(pid, "TracerPid");
  return tracer === undefined ? undefined : Number(tracer);
}

/** Who may trace whom, as Yama has it: 0 to 3. */
export function ptraceScope(): number | undefined {
  const scope = systemFile("/proc/sys/kernel/yama/ptrace_scope");
  return scope === undefined ? undefined : Number(scope);
}

/** Whether there is a process of this number, also one that is not ours to signal; of a group: one in it. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Ended, or ended and not yet waited for by its parent. */
export function hasEnded(pid: number): boolean {
  const state = statOf(pid)?.state;
  return state === undefined ? !isAlive(pid) : /[ZX]/.test(state);
}

/** The same, or about to: what it had open is closed a moment before it is gone. */
export function isEnding(pid: number): boolean {
  return hasEnded(pid) || statOf(pid)?.exiting === true;
}

/** One word: the boot it lives in and when in it the process began. Nothing when it has ended. */
export function identityOf(pid: number): string | undefined {
  const stat = statOf(pid);
  if (stat === undefined || stat.state === "Z" || stat.born === "") return undefined;
  return `${(systemFile("/proc/sys/kernel/random/boot_id") ?? "").trim()}:${stat.born}`;
}

/** `identity`: what `identityOf` said of it, if it could. */
export function isSameProcess(pid: number, identity: string | undefined): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  return identity === undefined ? isAlive(pid) : identityOf(pid) === identity;
}

export function executableOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, "");
  } catch {
    return undefined; // another user's, or gone
  }
}

export function executableName(pid: number): string | undefined {
  const path = executableOf(pid);
  return path === undefined ? undefined : basename(path);
}
