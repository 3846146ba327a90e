/** The context a command runs in, made for one request. */

import { existsSync } from "node:fs";
import { advice, call, said } from "../advice/advice.ts";
import type { Configuration, Context, RunRequest } from "../commands/context.ts";
import { SondeError } from "../errors.ts";
import type { Launch } from "../session/launch.ts";
import { type Declaration, Session, sessionOf } from "../session/session.ts";
import type { Limits } from "../session/stack/snapshot.ts";
import { type Config, pricesOf, settingsOf } from "./config/config.ts";
import { outdated } from "./launch/build.ts";
import { type Retry, retryOf } from "./launch/other-debugger.ts";
import { runPlain } from "./launch/plain-run.ts";
import { pathMapOf, prepare } from "./launch/prepare.ts";
import { configurationsNamed, listConfigurations } from "./launch-json/index.ts";
import { watchesOnly } from "./request/page.ts";
import { logEnd, logFailedStart, logStart } from "./sessions/life-log.ts";
import { adapterRows } from "./setup/adapter-rows.ts";
import { examine } from "./setup/doctor.ts";
import { setUp } from "./setup/setup.ts";
import type { Caller, EngineState } from "./types.ts";

export function createContext(state: EngineState, caller: Caller, launch: Launch | undefined): Context {
  const { config } = state.options;
  const { cwd, env, io } = caller;
  return {
    cwd,
    env,
    signal: io.signal,
    closing: state.closing,
    limits: limitsFor(config, caller.by),
    pathMap: pathMapOf(config, cwd),
    waits: { stopMs: config.timeouts.wait_secs * 1000, awaitMs: config.timeouts.await_default_secs * 1000 },
    named: caller.session ?? env.SONDE_SESSION,
    agents: { root: state.options.places.agents, named: caller.session, prices: pricesOf(config) },
    places: state.options.places,
    log: state.options.log,
    quiet: caller.quiet ?? false,
    by: caller.by,
    peeks: caller.by === "page",
    get launch() {
      return launch ?? state.table.choose({ cwd, env, explicit: caller.session });
    },
    get session() {
      return debugged(this.launch);
    },
    get launches() {
      return state.table.all;
    },
    feed: state.feed,
    hands: (one) => state.hands.of(one),
    mayChange: (one) => state.hands.of(one).enter(caller.command, caller.by),
    left: (one) => state.table.left(one),
    onlyLooks: (one) =>
      caller.readOnly ? watchesOnly(caller.command) : state.hands.of(one).refusal(caller.command, caller.by),
    get alone() {
      return state.watchers.alone;
    },
    present: () => state.watchers.present({ signal: io.signal }),
    mayRead: (path) => caller.by !== "page" || state.named.has(path),
    rests: () => rests(state, caller),
    get past() {
      return state.table.past;
    },
    daemon: {
      pid: process.pid,
      version: state.options.version ?? "dev",
      build: state.options.build ?? "dev",
      began: state.began,
    },
    configurations: () => listConfigurations(caller),
    configured: (name, options) => configurationsNamed(caller, name, options),
    use: (used) => state.table.used(used, cwd),
    open: (request, declared) => open(state, caller, request, declared),
    runPlain: (run) => runPlain(state, caller, run),
    once: (request, body) => once(state, caller, request, body),
    end: (ended, options) => end(state, ended, options, caller.by),
    adapters: () => adapterRows(state, caller),
    setUp: (request) => setUp(state, caller, request),
    doctor: (options) => examine(state, caller, options),
    configuration: () => configuration(state),
    traces: state.traces,
    say: (told) => said(told, caller.words),
    chunk: (text) => io.chunk(text),
    write: (text) => io.write(text),
    stdin: () => io.stdin(),
  };
}

/** Of the page: what can be scrolled and folded may be longer than what a model reads. */
function limitsFor({ limits }: Config, by: Caller["by"]): Limits {
  const given = {
    snapshotBytes: limits.snapshot_bytes,
    valueChars: limits.value_chars,
    variables: limits.variables,
    frames: limits.frames,
    outputLines: limits.output_lines,
  };
  if (by !== "page") return given;
  const { valueChars, variables, frames } = given;
  return {
    ...given,
    valueChars: Math.max(400, valueChars),
    variables: Math.max(300, variables),
    frames: Math.max(60, frames),
  };
}

function rests(state: EngineState, { by, io, readOnly }: Caller): () => void {
  io.rests?.();
  return by === "page" && !readOnly ? state.watchers.come() : () => {};
}

/** The session about it; an error if it runs without a debugger. */
export function debugged(launch: Launch): Session {
  const session = sessionOf(launch);
  if (session) return session;
  throw new SondeError("NO_SESSION", `${launch.name} is being recorded without a debugger`, {
    hint: advice`${call("output", {}, launch.name)} shows what it has printed; ${call("stop", {}, launch.name)} ends it`,
  });
}

export async function end(
  state: EngineState,
  launch: Launch,
  options: { detach?: boolean } = {},
  by?: Caller["by"],
): Promise<void> {
  const epitaph = by === "page" ? state.hands.of(launch).epitaph(options.detach ?? false) : undefined;
  await launch.end(options);
  state.table.remove(launch, epitaph);
}

async function open(
  state: EngineState,
  caller: Caller,
  request: RunRequest,
  declared: (launch: Launch) => Declaration,
): Promise<Session> {
  const launch = await prepare(state, caller, request);
  const session = new Session(launch, declared(launch));
  state.hands.of(launch, caller.by);
  state.table.add(launch);
  logEnd(state, launch);
  caller.opened.push(launch);
  state.table.used(launch, caller.cwd);
  for (const note of outdated(session)) launch.notes.add(note);
  try {
    await session.open(caller.io.signal);
    logStart(state, launch);
    return session;
  } catch (error) {
    logFailedStart(state, launch, error);
    state.table.remove(launch);
    throw withOutput(error, launch);
  }
}

async function once<T>(
  state: EngineState,
  caller: Caller,
  request: RunRequest,
  body: (launch: Launch, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let retry: Retry | undefined;
  for (let tries = 0; ; tries++) {
    const asked = retry?.request ?? request;
    try {
      return await onceAs(state, caller, asked, retry, body);
    } catch (error) {
      retry = await retryOf(state, caller, error, { request: asked, tries });
      if (retry === undefined || caller.io.signal.aborted) throw error;
    }
  }
}

async function onceAs<T>(
  state: EngineState,
  caller: Caller,
  request: RunRequest,
  retry: Retry | undefined,
  body: (launch: Launch, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const launch = await prepare(state, caller, request);
  if (retry?.unread !== undefined) launch.unread.add(retry.unread);
  if (retry !== undefined) launch.notes.add(retry.note);
  state.hands.of(launch, caller.by);
  state.table.add(launch, { aside: true });
  logEnd(state, launch);
  try {
    return await body(launch, caller.io.signal);
  } catch (error) {
    throw withOutput(error, launch);
  } finally {
    await launch.end();
    state.table.remove(launch);
  }
}

function configuration({ options }: EngineState): Configuration {
  const { config, places } = options;
  return { file: places.config, exists: existsSync(places.config), settings: settingsOf(config) };
}

/** A program that could not be started has often said why on its own stderr. */
function withOutput(error: unknown, launch: Launch): unknown {
  const said = launch.output
    .read()
    .events.map((event) => event.text)
    .join("")
    .trim();
  if (!(error instanceof SondeError) || said === "" || error.message.includes(said)) return error;
  const { message, hint } = error.told;
  return new SondeError(
    error.code,
    advice`${message}\nit printed:\n${said.split("\n").slice(-15).join("\n")}`,
    {
      hint,
      details: error.details,
      cause: error,
    },
  );
}
