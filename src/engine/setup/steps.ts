/** Runs one command of an installation: its words go to a log, its last line to the caller now and then; it ends with the caller. */
import { appendFileSync } from "node:fs";
import type { Guard } from "../../session/processes/guard.ts";
import { shellWord } from "../../util/shell-words.ts";
import { cut, oneLine } from "../../util/text.ts";
import { runGuarded } from "../launch/guarded-run.ts";

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
  let shown: string | undefined;
  const ticker = setInterval(() => {
    const last = tail.at(-1);
    if (last !== undefined && last !== shown) run.say(`    … ${cut(last, 100)}`);
    shown = last;
  }, SHOW_MS);
  const { cwd, env, timeoutMs, signal, guard } = run;
  const ended = await runGuarded(guard, file, args, {
    ...{ cwd, env, timeoutMs, signal, graceMs: GRACE_MS },
    heard: (text) => {
      appendFileSync(run.log, text);
      const lines = text.split(/[\r\n]+/);
      tail.push(...lines.map((one) => oneLine(one.trimEnd())).filter((one) => one !== ""));
      tail.splice(0, tail.length - TAIL_LINES);
    },
  }).finally(() => clearInterval(ticker));
  switch (ended.how) {
    case "failed":
      return `\`${line}\` could not be started: ${ended.error.message}`;
    case "timeout":
      return quoted(`\`${line}\` was ended after ${Math.round(timeoutMs / 60_000)} minutes`, tail);
    case "aborted":
      return `\`${line}\` was cancelled`;
  }
  if (ended.code === 0) return undefined;
  const how = ended.signal === null ? `exit code ${ended.code}` : `killed by ${ended.signal}`;
  return quoted(`\`${line}\`: ${how}`, tail);
}

function quoted(what: string, tail: readonly string[]): string {
  return tail.length === 0 ? what : `${what}\n${tail.map((line) => `  | ${cut(line, 200)}`).join("\n")}`;
}

/** As a person would type it. */
export function commandLine(command: readonly string[]): string {
  return command.map(shellWord).join(" ");
}
