/** A command run to its end without a debugger, for what it prints and reports. Nothing that it starts outlives it, the caller or us. */
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { inEnvironment } from "../../adapters/languages.ts";
import type { PlainEnd, PlainRun } from "../../commands/context.ts";
import { SondeError } from "../../errors.ts";
import { Processes } from "../../session/processes/processes.ts";
import { runGroup } from "../../util/group-run.ts";
import { temporaryFolder } from "../../util/left-folders.ts";
import { readSmallFile } from "../../util/small-file.ts";
import type { Caller, EngineState } from "../types.ts";
import { refuseMissingScript } from "./missing-script.ts";
import { peel } from "./peel.ts";

/** What a run that is ended gets to clean up after itself. */
const GRACE_MS = 1_000;
/** …and to say what it has until then. */
const TELLS_MS = 5_000;
/** Of each stream: its beginning and its end. */
const KEPT_CHARACTERS = 8 << 20;
const MOST_REPORT_BYTES = 64 << 20;

export function runPlain(state: EngineState, caller: Caller, run: PlainRun): Promise<PlainEnd> {
  const job = runOnce(state, caller, run);
  // The engine waits for it when it closes; who asked is told how it came out.
  const settled = job.then(
    () => {},
    () => {},
  );
  state.jobs.add(settled);
  void settled.then(() => state.jobs.delete(settled));
  return job;
}

async function runOnce(state: EngineState, caller: Caller, run: PlainRun): Promise<PlainEnd> {
  const folder = temporaryFolder("plain");
  const processes = new Processes(state.guard);
  try {
    const report = join(folder, "report");
    const cancelled = AbortSignal.any([caller.io.signal, state.closing]);
    const signal = run.signal ? AbortSignal.any([cancelled, run.signal]) : cancelled;
    const { command, cwd, env } = await prepared(caller, run, report, signal);
    const [file = "", ...args] = command;
    const heard = { stdout: new Kept(KEPT_CHARACTERS), stderr: new Kept(KEPT_CHARACTERS) };
    const ended = await runGroup(file, args, {
      ...{ cwd, signal, timeoutMs: run.timeoutMs, graceMs: GRACE_MS, env: processes.marked(env) },
      ...(run.tells ? { asks: { with: "SIGINT", graceMs: TELLS_MS } } : {}),
      owner: {
        watch: (pid) => processes.own(pid, file, "adapter"),
        forget: (pid) => processes.release(pid),
      },
      heard: (text, stream) => heard[stream].add(text),
    });
    if (ended.how === "aborted" && cancelled.aborted)
      throw new SondeError("CANCELLED", `cancelled while \`${command.join(" ")}\` ran`);
    if (ended.how === "failed") throw cannotRun(file, ended.error);
    const said = { stdout: heard.stdout.text, stderr: heard.stderr.text, report: readReport(report) };
    return ended.how === "exited" ? { ...ended, ...said } : { how: "timeout", ...said };
  } finally {
    await processes.endAll(GRACE_MS);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As a launch under the debugger would take the same line: assignments and wrappers taken off, a project's environment entered. */
async function prepared(caller: Caller, run: PlainRun, report: string, signal: AbortSignal) {
  const around = { cwd: resolve(caller.cwd, run.cwd ?? "."), env: { ...caller.env, ...run.env }, signal };
  if (run.asIs) return { command: run.command(report), cwd: around.cwd, env: around.env };
  const peeled = peel(run.command(report), { ...around, named: false });
  const inside = await inEnvironment(peeled.command, { ...around, ...peeled });
  const ready = { cwd: peeled.cwd, ...(inside ?? peeled) };
  refuseMissingScript(ready.command, ready.cwd);
  return ready;
}

function cannotRun(file: string, error: NodeJS.ErrnoException): SondeError {
  const missing = error.code === "ENOENT";
  return new SondeError(
    "LAUNCH_FAILED",
    missing ? `there is no ${file} on the PATH` : `${file}: ${error.message}`,
    {
      ...(missing ? { hint: "give the command line as it works in your shell, after `--`" } : {}),
    },
  );
}

function readReport(path: string): string | undefined {
  try {
    return readSmallFile(path, MOST_REPORT_BYTES);
  } catch {
    return undefined; // it has written none
  }
}

/** The first and the last of a text of any length. */
class Kept {
  readonly #half: number;
  #first = "";
  #last = "";

  constructor(characters: number) {
    this.#half = characters / 2;
  }

  add(text: string): void {
    const room = this.#half - this.#first.length;
    if (room > 0) this.#first += text.slice(0, room);
    const rest = room > 0 ? text.slice(room) : text;
    if (rest === "") return;
    this.#last += rest;
    // Not at every chunk: cutting copies.
    if (this.#last.length > 2 * this.#half) this.#last = this.#last.slice(-this.#half);
  }

  get text(): string {
    return this.#first + this.#last.slice(-this.#half);
  }
}
