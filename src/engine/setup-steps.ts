/** Runs one command of an installation: its words go to a log, its last line to the caller now and then; it ends with the caller. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import type { Guard } from "../session/guard.ts";
import { cut, oneLine } from "../util/text.ts";
import { wait } from "../util/wait.ts";

/** How often a running command's last line is shown. */
const SHOW_MS = 5_000;
/** What a cancelled command gets to put things in order (a package manager has a database to close). */
const GRACE_MS = 5_000;
const TAIL_LINES = 12;

export interface CommandRun {
  cwd: string;
  env: Record<string, string>;
  /** File that gets everything. */
  log: string;
  timeoutMs: number;
  signal: AbortSignal;
  guard: Guard;
  say(line: string): void;
}

/** Undefined when it went well; else what happened, with its last words. */
export async function runCommand(command: readonly string[], run: CommandRun): Promise<string | undefined> {
  const [file = "", ...args] = command;
  const line = commandLine(command);
  const tail: string[] = [];
  appendFileSync(run.log, `\n$ ${line}\n`);
  const child = spawn(file, args, {
    cwd: run.cwd,
    env: run.env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true, // a group of its own, so that what it starts ends with it
  });
  try {
    await once(child, "spawn");
  } catch (error) {
    return `\`${line}\` could not be started: ${(error as Error).message}`;
  }
  const { pid } = child;
  if (pid !== undefined) run.guard.watch(pid);
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Buffer) => {
      appendFileSync(run.log, bytes);
      const lines = bytes.toString("utf8").split(/[\r\n]+/);
      tail.push(...lines.map((one) => oneLine(one.trimEnd())).filter((one) => one !== ""));
      tail.splice(0, tail.length - TAIL_LINES);
    });
  const closed = new Promise<void>((done) => child.once("close", () => done()));
  let shown: string | undefined;
  const ticker = setInterval(() => {
    const last = tail.at(-1);
    if (last !== undefined && last !== shown) run.say(`    … ${cut(last, 100)}`);
    shown = last;
  }, SHOW_MS);
  try {
    const ended = await wait(closed, { timeoutMs: run.timeoutMs, signal: run.signal });
    if (!ended.done) {
      await end(pid, closed);
      return ended.why === "timeout"
        ? quoted(`\`${line}\` was ended after ${Math.round(run.timeoutMs / 60_000)} minutes`, tail)
        : `\`${line}\` was cancelled`;
    }
  } finally {
    clearInterval(ticker);
    if (pid !== undefined) run.guard.forget(pid);
  }
  if (child.exitCode === 0) return undefined;
  const how = child.signalCode === null ? `exit code ${child.exitCode}` : `killed by ${child.signalCode}`;
  return quoted(`\`${line}\`: ${how}`, tail);
}

async function end(pid: number | undefined, closed: Promise<void>): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    try {
      if (pid !== undefined) process.kill(-pid, signal);
    } catch {
      // ESRCH: the group is gone
    }
    if ((await wait(closed, { timeoutMs: GRACE_MS })).done) return;
  }
}

function quoted(what: string, tail: readonly string[]): string {
  return tail.length === 0 ? what : `${what}\n${tail.map((line) => `  | ${cut(line, 200)}`).join("\n")}`;
}

/** As a person would type it. */
export function commandLine(command: readonly string[]): string {
  return command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`)).join(" ");
}
