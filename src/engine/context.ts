/** The context a command runs in, made for one request. */

import { existsSync } from "node:fs";
import { advice } from "../advice/advice.ts";
import type { Configuration, Context } from "../commands/context.ts";
import { SondeError } from "../errors.ts";
import type { Session } from "../session/session.ts";
import { pathMapOf, settingsOf } from "./config/config.ts";
import { outdated } from "./launch/build.ts";
import { runPlain } from "./launch/plain-run.ts";
import { prepareAttach, prepareLaunch } from "./launch/prepare.ts";
import { configurationsNamed, listConfigurations } from "./launch-json/index.ts";
import { adapterRows } from "./setup/adapter-rows.ts";
import { examine } from "./setup/doctor.ts";
import { setUp } from "./setup/setup.ts";
import type { Caller, EngineState } from "./types.ts";

export function createContext(state: EngineState, caller: Caller, session: Session | undefined): Context {
  const { config } = state.options;
  const { cwd, env, io } = caller;
  return {
    cwd,
    env,
    signal: io.signal,
    limits: {
      snapshotBytes: config.limits.snapshot_bytes,
      valueChars: config.limits.value_chars,
      variables: config.limits.variables,
      frames: config.limits.frames,
      outputLines: config.limits.output_lines,
    },
    pathMap: pathMapOf(config, cwd),
    waits: { stopMs: config.timeouts.wait_secs * 1000, awaitMs: config.timeouts.await_default_secs * 1000 },
    named: caller.session ?? env.SONDE_SESSION,
    get session() {
      return session ?? state.table.choose({ cwd, env, explicit: caller.session });
    },
    get sessions() {
      return state.table.all;
    },
    daemon: {
      pid: process.pid,
      version: state.options.version ?? "dev",
      build: state.options.build ?? "dev",
      startedAt: state.startedAt,
    },
    prepareLaunch: (request) => prepareLaunch(state, caller, request),
    prepareAttach: (request) => prepareAttach(state, caller, request),
    configurations: () => listConfigurations(caller),
    configured: (name, options) => configurationsNamed(caller, name, options),
    use: (used) => state.table.used(used, cwd),
    open: (opened) => open(state, opened, caller),
    runPlain: (run) => runPlain(state, caller, run),
    once: (session, body) => once(state, session, body, io.signal),
    end: (ended, options) => end(state, ended, options),
    adapters: () => adapterRows(state, caller),
    setUp: (request) => setUp(state, caller, request),
    doctor: (options) => examine(state, caller, options),
    configuration: () => configuration(state),
    traces: state.traces,
    chunk: (text) => io.chunk(text),
    stdin: () => io.stdin(),
  };
}

export async function end(
  state: EngineState,
  session: Session,
  options: { detach?: boolean } = {},
): Promise<void> {
  await session.end(options);
  state.idle.forget(session);
  state.table.remove(session);
}

async function open(state: EngineState, session: Session, caller: Caller): Promise<void> {
  state.table.add(session);
  caller.opened.push(session);
  state.table.used(session, caller.cwd);
  for (const note of outdated(session)) session.output.append("important", `${note}\n`);
  try {
    await session.open(caller.io.signal);
    // Not before: whoever opens it waits for it, however long that takes.
    state.idle.touched(session);
  } catch (error) {
    state.table.remove(session);
    throw withOutput(error, session);
  }
}

async function once<T>(
  state: EngineState,
  session: Session,
  body: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  state.table.add(session, { aside: true });
  try {
    return await body(signal);
  } catch (error) {
    throw withOutput(error, session);
  } finally {
    await session.end();
    state.table.remove(session);
  }
}

function configuration({ options }: EngineState): Configuration {
  const { config, places } = options;
  return { file: places.config, exists: existsSync(places.config), settings: settingsOf(config) };
}

/** A program that could not be started has often said why on its own stderr. */
function withOutput(error: unknown, session: Session): unknown {
  const said = session.output
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
      cause: error,
    },
  );
}
