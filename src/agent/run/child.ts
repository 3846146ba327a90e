/** The agent's process. It has our terminal, and is to its user what it would be without us. */
import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { constants as os } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { isatty } from "node:tty";
import { SondeError } from "../../errors.ts";
import type { AgentGuard } from "./guard.ts";

export interface ChildEnd {
  exit: number | null;
  signal: NodeJS.Signals | null;
}

export interface Child {
  pid: number;
  ended: Promise<ChildEnd>;
}

/** Where a shell would find it; refuses as a shell would. */
export function findProgram(word: string, cwd: string, path: string | undefined): string {
  const places = word.includes("/")
    ? [resolve(cwd, word)]
    : (path ?? "").split(delimiter).map((folder) => resolve(cwd, join(folder || ".", word)));
  const there = places.filter((place) => statSync(place, { throwIfNoEntry: false })?.isFile());
  const program = there.find(isExecutable);
  if (program !== undefined) return program;
  throw new SondeError(
    "LAUNCH_FAILED",
    there.length > 0 ? `${word} is not executable` : `command not found: ${word}`,
    { hint: "what comes after -- is the command that starts the agent, as you would type it" },
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface ChildPlace {
  program: string;
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** It ends with us, however we end. */
  guard: Pick<AgentGuard, "watch" | "forget">;
}

export async function startChild(
  argv: readonly string[],
  { program, cwd, env, guard }: ChildPlace,
): Promise<Child> {
  const [word = program, ...args] = argv;
  const child = spawn(program, args, { cwd, env: { ...env }, stdio: "inherit", argv0: word });
  const { pid: started } = child;
  if (started !== undefined) guard.watch(started);
  const ended = new Promise<ChildEnd>((done) => {
    child.once("exit", (exit, signal) => {
      if (started !== undefined) guard.forget(started);
      done({ exit, signal });
    });
  });
  const pid = await begun(child, word);
  const stopForwarding = forwardSignals(child);
  return { pid, ended: ended.finally(stopForwarding) };
}

function begun(child: ChildProcess, word: string): Promise<number> {
  return new Promise((done, fail) => {
    child.once("spawn", () => done(child.pid ?? 0));
    child.once("error", (error) =>
      fail(new SondeError("LAUNCH_FAILED", `${word} could not be started: ${error.message}`)),
    );
  });
}

/** Sent by a terminal to all that run in it, so also to the child; a second one from us would count as pressed twice. */
const FROM_TERMINAL: readonly NodeJS.Signals[] = ["SIGINT", "SIGQUIT"];
const FORWARDED: readonly NodeJS.Signals[] = ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2"];

function forwardSignals(child: ChildProcess): () => void {
  // Any of them: in `echo hi | sonde agent run -- …` Ctrl-C reaches the child too.
  const inTerminal = [0, 1, 2].some((file) => isatty(file));
  const forward = (signal: NodeJS.Signals) => void child.kill(signal);
  const leave = () => {}; // the child has it too, and decides what comes of it
  const listeners = [
    ...FROM_TERMINAL.map((signal) => [signal, inTerminal ? leave : forward] as const),
    ...FORWARDED.map((signal) => [signal, forward] as const),
  ];
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}

/** As a shell has it. */
export function statusOf({ exit, signal }: ChildEnd): number {
  if (signal !== null) return 128 + os.signals[signal];
  return exit ?? 1;
}
