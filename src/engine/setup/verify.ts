/** Whether an adapter really works: its sample program is debugged, by the same path as any other. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import type { Adapter, Build, FoundAdapter, Sample, Where } from "../../adapters/adapter.ts";
import { toolOnPath } from "../../adapters/kit/find.ts";
import { DapClient } from "../../dap/client.ts";
import { asSondeError, SondeError } from "../../errors.ts";
import { Processes } from "../../session/processes/processes.ts";
import { awaitStop } from "../../session/running/running.ts";
import { Session } from "../../session/session.ts";
import { evaluate } from "../../session/values/evaluate.ts";
import { temporaryRoot } from "../../util/left-folders.ts";
import { own } from "../../util/own.ts";
import { prepare } from "../launch/prepare.ts";
import type { Caller, EngineState } from "../types.ts";
import { runCommand } from "./steps.ts";

/** A session on a busy machine, a compiler included. */
const SAMPLE_MS = 60_000;

/** `session`: the sample was debugged. `initialize`: the adapter answered, and no sample could be made. */
export type Verified = "session" | "initialize";

export interface Trial {
  state: EngineState;
  caller: Caller;
  adapter: Adapter;
  found: FoundAdapter;
  where: Where;
  signal: AbortSignal;
}

export interface Verdict {
  by: Verified;
  /** What was seen, for the reader. */
  saw: string;
}

/** Throws with what went wrong. */
export async function verify(trial: Trial): Promise<Verdict> {
  const folder = mkdtempSync(join(temporaryRoot(), "sonde-sample-"));
  try {
    const { sample } = trial.adapter;
    if (sample === undefined) return await initializeOnly(trial, folder, "it has no sample program");
    const source = join(folder, sample.file);
    writeFileSync(source, sample.text);
    const build = trial.adapter.fileTypes.includes(extname(source))
      ? undefined
      : own(trial.adapter.builds, extname(source));
    if (build === undefined) return await debugSample(trial, sample, source, { program: source });
    const output = join(folder, "sample");
    const compiler = build.command(source, output)[0] ?? "";
    if (toolOnPath(compiler, trial.where) === undefined)
      return await initializeOnly(trial, folder, `no ${basename(compiler)} to compile a sample with`);
    await compile(trial, build, source, output);
    return await debugSample(trial, sample, source, build.runs?.(source, output) ?? { program: output });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compile({ state, caller, signal }: Trial, build: Build, source: string, output: string) {
  const failure = await runCommand(build.command(source, output), {
    cwd: join(source, ".."),
    env: caller.env,
    log: join(source, "..", "build.log"),
    timeoutMs: SAMPLE_MS,
    signal,
    guard: state.guard,
    say: () => {},
  });
  if (failure !== undefined) throw new SondeError("SETUP_FAILED", `compiling its sample: ${failure}`);
}

async function debugSample(
  { state, caller, adapter, signal }: Trial,
  sample: Sample,
  source: string,
  what: { program?: string; command?: string[] },
): Promise<Verdict> {
  const folder = join(source, "..");
  const plan = { ...what, args: [], adapter: adapter.name, env: {}, stopOnEntry: false, extra: {} };
  const launch = await prepare(state, { ...caller, cwd: folder }, { request: "launch", plan });
  const place = `${sample.file}:${sample.line}`;
  const session = new Session(launch, {
    breakpoints: [{ kind: "line", asked: place, path: source, line: sample.line }],
  });
  try {
    await session.open(signal);
    const outcome = await awaitStop(session, { timeoutMs: SAMPLE_MS, signal });
    if (outcome.kind !== "stopped") throw unexpected(`did not stop at ${place}`, session);
    const { frame } = await session.focus.place();
    if (frame?.line !== sample.line)
      throw unexpected(`stopped at line ${frame?.line} instead of ${sample.line}`, session);
    const { value } = await evaluate(session, sample.shows.name, { context: "watch", chars: 200 });
    if (value !== sample.shows.value)
      throw unexpected(`showed ${sample.shows.name} = ${value} instead of ${sample.shows.value}`, session);
    return { by: "session", saw: `stopped at ${place}, ${sample.shows.name} = ${value}` };
  } finally {
    await launch.end();
  }
}

function unexpected(what: string, session: Session): SondeError {
  const said = session.output.read().events.map((event) => event.text);
  const words = said.join("").trimEnd().split("\n").slice(-8).join("\n");
  return new SondeError(
    "SETUP_FAILED",
    `its sample program ${what}${words === "" ? "" : `; it printed:\n${words}`}`,
  );
}

async function initializeOnly(trial: Trial, folder: string, why: string): Promise<Verdict> {
  const { state, caller, adapter, found, where, signal } = trial;
  const processes = new Processes(state.guard);
  const timeoutMs = state.options.config.timeouts.dap_initialize_secs * 1000;
  const log = (message: string) => state.options.log("info", message);
  const plan = { args: [], cwd: folder, env: processes.marked(caller.env), stopOnEntry: false, extra: {} };
  try {
    const connection = await adapter.open(
      { request: "launch", plan: { ...plan, program: join(folder, "sample") } },
      { found, where, processes, timeoutMs, signal, log, say: () => {} },
    );
    const client = new DapClient(connection.transport, { requestTimeoutMs: timeoutMs, log });
    try {
      await client.request("initialize", { clientID: "sonde", adapterID: adapter.name });
    } finally {
      client.close();
    }
    return { by: "initialize", saw: `it responds, but was not tried on a program: ${why}` };
  } finally {
    await processes.endAll(2_000);
  }
}

/** What was verified before, by name: the same file of the same version needs no second trial. */
function recordFile(adapters: string, name: string): string {
  return join(adapters, ".verified", `${name}.json`);
}

interface VerifiedRecord {
  version: string;
  path: string;
  changed: number;
  by: Verified;
}

export function verifiedBefore({ state, adapter, found }: Trial): Verified | undefined {
  try {
    const text = readFileSync(recordFile(state.options.adapters, adapter.name), "utf8");
    const { version, path, changed, by } = JSON.parse(text) as VerifiedRecord;
    const same = version === found.version && path === found.path && changed === changedAt(found.path);
    return same ? by : undefined;
  } catch {
    return undefined; // never, or by another version of sonde
  }
}

export function rememberVerified({ state, adapter, found }: Trial, by: Verified): void {
  const { version, path } = found;
  const record: VerifiedRecord = { version, path, changed: changedAt(path), by };
  const file = recordFile(state.options.adapters, adapter.name);
  try {
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, `${JSON.stringify(record)}\n`);
  } catch (error) {
    state.options.log("warn", `cannot record that ${adapter.name} works: ${asSondeError(error).message}`);
  }
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
