/** Spawns the daemon, hands it the start lock and waits until it says that it is ready. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, fstatSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join, resolve } from "node:path";
import { type ErrorShape, SondeError } from "../errors.ts";
import { entryText, parseEntry } from "../util/log/entry.ts";
import { currentFile, openToAppend } from "../util/log/files.ts";
import { privateFolder } from "../util/own-folder.ts";
import { toolPath } from "../util/tool-path.ts";
import type { Env, Places } from "./paths.ts";
import type { StartLock } from "./start-lock.ts";

const READY_DEADLINE_MS = 20_000;

/** From the word to its socket being in place. Requests wait for that, and no client waits for longer than 10 s. */
const GO_DEADLINE_MS = 5_000;

/** How long a daemon that has said why it cannot start, or has closed the pipe, may take to end. */
const LAST_WORDS_MS = 1_000;

/** Over the pipe on this descriptor the daemon is told that the lock is its own, and answers ready or why not. */
export const READY_FD = 3;
export const READY_ENV = "SONDE_READY_FD";
/** Set for a daemon that loads nothing before it is asked something: after how many ms without that it leaves. */
export const RESTING_ENV = "SONDE_RESTING_MS";

/**
 * The daemon mostly waits: a small nursery for new objects keeps it 2 to 10 MB smaller and costs a step a few per cent.
 * A program that prints 1 GB in two seconds makes it grow by about 45 MB, and by 70 where it first collects the old ones at V8's own size.
 */
const DAEMON_FLAGS = ["--max-semi-space-size=1", "--initial-old-space-size=8"];

/** `prepared`: it has loaded what it needs and waits for the word to take its place. */
export type ReadyMessage = { ready: true } | { prepared: true } | { error: ErrorShape };

/** A daemon for whose answer nobody waits, and which leaves after `idleMs` if nobody comes. */
export interface Resting {
  idleMs: number;
  /** Not wanted any more, as long as it has not been told to take its place: it is ended. */
  calledOff: AbortSignal;
  /** It is told to, now. */
  onGo(): void;
}

/** False when it was called off. */
export async function startDaemon(places: Places, lock: StartLock, resting?: Resting): Promise<boolean> {
  const output = openOutput(places);
  const child = spawn(process.execPath, [...DAEMON_FLAGS, daemonEntry()], {
    detached: true,
    cwd: "/",
    env: { ...daemonEnv(process.env), ...(resting ? { [RESTING_ENV]: String(resting.idleMs) } : {}) },
    stdio: ["ignore", output?.fd ?? "ignore", output?.fd ?? "ignore", "pipe"],
  });
  const ended = new Promise<string>((done) => {
    child.once("error", (error) => done(error.message));
    child.once("exit", (code, signal) => done(signal ? `killed by ${signal}` : `exit status ${code}`));
  });
  try {
    if (child.pid === undefined) {
      const why = await ended;
      lock.release();
      throw new SondeError("DAEMON_FAILED", `the daemon could not be started: ${why}`);
    }
    handOver(lock, child, child.pid);
    const answer = await readyMessage(child, resting);
    if (typeof answer === "object" && "ready" in answer) return true;
    const hopeless = answer === "late" || answer === "called off";
    const late = setTimeout(() => child.kill("SIGKILL"), hopeless ? 0 : LAST_WORDS_MS);
    const how = await ended;
    clearTimeout(late);
    lock.removeAfterDeath();
    if (answer === "called off") return false;
    if (typeof answer === "object")
      throw new SondeError(answer.error.code, answer.error.message, answer.error);
    throw failedToStart(answer === "late" ? "it was not ready in time" : how, output);
  } finally {
    if (output) closeSync(output.fd);
    child.stdio[READY_FD]?.destroy();
    child.unref();
  }
}

/** Until it is told, the daemon does not publish its socket; a lock that cannot be handed on ends it. */
function handOver(lock: StartLock, child: ChildProcess, pid: number): void {
  try {
    lock.hand(pid);
  } catch (thrown) {
    child.kill("SIGKILL");
    lock.release();
    throw thrown;
  }
}

function readyMessage(
  child: ChildProcess,
  resting: Resting | undefined,
): Promise<Exclude<ReadyMessage, { prepared: true }> | "ended" | "late" | "called off"> {
  const pipe = child.stdio[READY_FD] as Socket;
  return new Promise((done) => {
    let text = "";
    const go = () => pipe.write("go\n");
    let timer = setTimeout(() => done("late"), READY_DEADLINE_MS);
    const callOff = () => {
      clearTimeout(timer);
      done("called off");
    };
    const take = (line: string) => {
      const message = JSON.parse(line) as ReadyMessage;
      clearTimeout(timer);
      resting?.calledOff.removeEventListener("abort", callOff);
      if (!("prepared" in message)) return done(message);
      if (resting?.calledOff.aborted) return;
      resting?.onGo();
      timer = setTimeout(() => done("late"), GO_DEADLINE_MS);
      go();
    };
    const end = () => {
      clearTimeout(timer);
      done("ended");
    };
    pipe.setEncoding("utf8");
    pipe.on("data", (chunk: string) => {
      const lines = `${text}${chunk}`.split("\n");
      text = lines.pop() ?? "";
      lines.forEach(take);
    });
    pipe.on("error", end);
    pipe.on("close", end);
    if (!resting) go();
    else if (resting.calledOff.aborted) callOff();
    else resting.calledOff.addEventListener("abort", callOff, { once: true });
  });
}

interface Output {
  fd: number;
  path: string;
  /** Where this daemon's own words begin. */
  from: number;
}

/** No log is no reason not to debug. */
function openOutput(places: Places): Output | undefined {
  try {
    privateFolder(places.logs);
    const path = currentFile(places.logs);
    const fd = openToAppend(path);
    return { fd, path, from: fstatSync(fd).size };
  } catch {
    return undefined;
  }
}

function failedToStart(how: string, output: Output | undefined): SondeError {
  const said = output ? lastWords(output) : "";
  return new SondeError("DAEMON_FAILED", `the daemon did not start (${how})${said ? `:\n${said}` : ""}`, {
    hint: output
      ? "sonde daemon logs"
      : "there is no log, because its folder is not writable; `sonde daemon run` shows more",
  });
}

/** What it logged and what it printed. */
function lastWords({ path, from }: Output): string {
  const lines = readFileSync(path).subarray(from).toString("utf8").trim().split("\n");
  return lines
    .map((line) => (line === "" ? "" : entryWords(line)))
    .join("\n")
    .slice(-2000);
}

function entryWords(line: string): string {
  const entry = parseEntry(line);
  return entry.time === undefined ? entry.message : entryText(entry);
}

function daemonEntry(): string {
  const here = import.meta.dirname;
  const [built, fromSources] = [join(here, "daemon.cjs"), join(here, "../../dist/daemon.cjs")];
  if (existsSync(built)) return built;
  if (existsSync(fromSources)) return fromSources;
  throw new SondeError("DAEMON_FAILED", `there is no ${built}`, { hint: "npm run build" });
}

/** What would make the daemon itself load foreign code, wait for a debugger, or speak to a parent that is not there. */
const NOT_FOR_THE_DAEMON =
  /^(NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NODE_V8_COVERAGE|NODE_DEBUG|NODE_CHANNEL_.*|NODE_UNIQUE_ID|NODE_REPL_.*|VSCODE_INSPECTOR_OPTIONS|ELECTRON_RUN_AS_NODE|SONDE_LAUNCH|SONDE_NODE_.*)$/;

/**
 * glibc's: what was freed goes back to the system, instead of being kept for a next time that may be hours away. V8 parses and compiles with pieces
 * of 8 to 32 KB. The larger half is mapped piece by piece: in the heap they leave holes between what stays, 5 to 10 MB after a dozen commands.
 * The smaller ones are kept: asked of the system each time, they cost every step.
 */
const MALLOC = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "24576", MALLOC_TRIM_THRESHOLD_: "65536" };

export function daemonEnv(env: Env): Env {
  const clean: Env = { ...MALLOC };
  for (const [name, value] of Object.entries(env)) if (!NOT_FOR_THE_DAEMON.test(name)) clean[name] = value;
  if (clean.SONDE_HOME) clean.SONDE_HOME = resolve(clean.SONDE_HOME); // its cwd is /
  clean.PATH = toolPath(clean.PATH); // a program gets its caller's own
  clean[READY_ENV] = String(READY_FD);
  return clean;
}
