/** Signals: death by one, as a shell reports it, and what the program does about one. */
import { readFileSync } from "node:fs";
import { constants } from "node:os";

export interface Exit {
  exitCode: number;
  signal?: string;
}

export function killedBy(number: number): Exit {
  const name = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  return { exitCode: 128 + number, signal: name ?? `signal ${number}` };
}

export function signalNumber(name: string): number | undefined {
  return constants.signals[name as NodeJS.Signals];
}

/** Told whoever handles them: they are defects, and their handlers mostly report one. */
const DEFECTS = new Set(["SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGSYS", "SIGTRAP"]);

/** Sent by somebody to make it stand still. */
export function isHalt(signal: string): boolean {
  return ["SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU"].includes(signal);
}

/** The program has a handler for it or ignores it, and so it is nothing to stop for. Not known where there is no /proc. */
export function isHandled(pid: number, signal: string): boolean {
  const number = signalNumber(signal);
  if (number === undefined || DEFECTS.has(signal) || isHalt(signal)) return false;
  return (["SigCgt", "SigIgn"] as const).some(
    (field) => ((maskOf(pid, field) >> BigInt(number - 1)) & 1n) === 1n,
  );
}

/** Whether it has a handler for any. */
export function handlesSignals(pid: number): boolean {
  return maskOf(pid, "SigCgt") !== 0n;
}

function maskOf(pid: number, field: "SigCgt" | "SigIgn"): bigint {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    return BigInt(`0x${new RegExp(`^${field}:\\s*([0-9a-f]+)`, "m").exec(status)?.[1] ?? "0"}`);
  } catch {
    return 0n;
  }
}
