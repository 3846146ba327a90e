/** The context a command runs in, made for one request. */
import { existsSync, statSync } from "node:fs";
import { basename, extname, isAbsolute, resolve } from "node:path";
import type { Adapter, LaunchPlan } from "../adapters/adapter.ts";
import { choose } from "../adapters/choose.ts";
import { ADAPTERS } from "../adapters/registry.ts";
import type { AdapterRow } from "../commands/adapter-row.ts";
import type { AttachRequest, Context, OpenRequest } from "../commands/context.ts";
import { nearFile } from "../commands/location.ts";
import { SondeError } from "../errors.ts";
import { type Opening, Session } from "../session/session.ts";
import type { EngineState, RequestIo } from "./types.ts";

export interface Caller {
  cwd: string;
  env: Record<string, string>;
  io: RequestIo;
  session: string | undefined;
}

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
    waits: { stopMs: config.timeouts.wait_secs * 1000, awaitMs: config.timeouts.await_default_secs * 1000 },
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
    prepareLaunch: async (request) => register(state, launchOpening(state, caller, request), request.name),
    prepareAttach: async (request) => register(state, attachOpening(state, caller, request), request.name),
    open: (opened) => open(state, opened, caller),
    end: async (ended, options = {}) => {
      await ended.end(options);
      state.idle.forget(ended);
      state.table.remove(ended);
    },
    adapters: () => Promise.all(ADAPTERS.map(adapterRow)),
    chunk: (text) => io.chunk(text),
    stdin: () => io.stdin(),
  };
}

type Prepared = { adapter: Adapter; opening: Opening; name: string };

function launchOpening(state: EngineState, caller: Caller, request: OpenRequest): Prepared {
  const cwd = resolve(caller.cwd, request.cwd ?? ".");
  if (!existsSync(cwd)) throw new SondeError("BAD_ARGUMENT", `--cwd: ${cwd} does not exist`);
  const program = request.program === undefined ? undefined : findProgram(request.program, caller.cwd);
  const named = request.adapter ?? state.options.config.defaults.adapter;
  const choice = choose(ADAPTERS, { named, program, command: request.command });
  if (!choice.ok) throw new SondeError("ADAPTER_MISSING", choice.why, { hint: choice.hint });
  const plan: LaunchPlan = {
    ...(program === undefined ? {} : { program }),
    ...(request.command === undefined ? {} : { command: request.command }),
    args: request.args,
    cwd,
    env: { ...caller.env, ...request.env },
    stopOnEntry: request.stopOnEntry,
    extra: request.extra,
  };
  const main = program ?? nameOf(request.command ?? []);
  return {
    adapter: choice.adapter,
    opening: { request: "launch", plan },
    name: basename(main, extname(main)),
  };
}

/** Words of a command line that say how to run, not what. */
const HOW = new Set(["run", "run-script", "exec", "x", "dlx", "test"]);

/** What a reader would call it: the file it names, else the script or tool. */
function nameOf(command: readonly string[]): string {
  const plain = command.filter((word) => /^[\w./@-]+$/.test(word) && !word.startsWith("-"));
  const file = plain.find((word) => /\.\w{1,4}$/.test(word));
  return file ?? plain.slice(1).find((word) => !HOW.has(word)) ?? plain[0] ?? "program";
}

function findProgram(typed: string, cwd: string): string {
  const path = isAbsolute(typed) ? typed : resolve(cwd, typed);
  if (existsSync(path) && statSync(path).isFile()) return path;
  const near = nearFile(typed, cwd);
  const command = typed.includes(" ") || !/[./]/.test(typed);
  throw new SondeError(
    "BAD_ARGUMENT",
    existsSync(path) ? `${typed} is a folder` : `no file ${typed} in ${cwd}`,
    {
      hint: near
        ? `did you mean ${near}?`
        : command
          ? `to run a command line: sonde start -- ${typed} …`
          : "paths are relative to your folder",
    },
  );
}

function attachOpening(state: EngineState, caller: Caller, request: AttachRequest): Prepared {
  const named = request.adapter ?? state.options.config.defaults.adapter ?? ADAPTERS[0]?.name;
  const choice = choose(ADAPTERS, { named });
  if (!choice.ok) throw new SondeError("ADAPTER_MISSING", choice.why, { hint: choice.hint });
  const { pid, host, port, extra } = request;
  const plan = {
    cwd: caller.cwd,
    extra,
    ...(pid === undefined ? {} : { pid }),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
  };
  return {
    adapter: choice.adapter,
    opening: { request: "attach", plan },
    name: pid === undefined ? `port-${port}` : `pid-${pid}`,
  };
}

async function register(state: EngineState, prepared: Prepared, name: string | undefined): Promise<Session> {
  const { adapter, opening } = prepared;
  const found = await adapter.find();
  if (!found.ok) {
    throw new SondeError("ADAPTER_MISSING", `${adapter.title} is not installed: ${found.reason}`, {
      hint: found.install,
    });
  }
  const taken = state.table.live.find((session) => session.name === name);
  if (taken)
    throw new SondeError("BAD_ARGUMENT", `a session called ${name} is ${taken.stateName}`, {
      hint: `\`sonde stop -s ${name}\` ends it`,
    });
  const { config } = state.options;
  const old = name ?? prepared.name;
  const session = new Session({
    name: state.table.freeName(old),
    adapter,
    opening,
    guard: state.guard,
    timeouts: {
      initializeMs: config.timeouts.dap_initialize_secs * 1000,
      launchMs: config.timeouts.dap_launch_secs * 1000,
      requestMs: config.timeouts.dap_request_secs * 1000,
      endMs: 2000,
    },
    output: { maxEvents: config.output.max_events, maxBytes: config.output.max_bytes_mb * 1024 * 1024 },
    log: (message) => state.options.log("info", message),
  });
  for (const filter of adapter.defaultCatches)
    session.breakpoints.declareCatch(filter, adapter.catches[filter] ?? [filter]);
  return session;
}

async function open(state: EngineState, session: Session, caller: Caller): Promise<void> {
  state.table.add(session);
  state.table.used(session, caller.cwd);
  state.idle.touched(session);
  try {
    await session.open(caller.io.signal);
  } catch (error) {
    state.idle.forget(session);
    state.table.remove(session);
    throw withOutput(error, session);
  }
}

/** A program that could not be started has often said why on its own stderr. */
function withOutput(error: unknown, session: Session): unknown {
  const said = session.output
    .read()
    .events.map((event) => event.text)
    .join("")
    .trim();
  if (!(error instanceof SondeError) || said === "" || error.message.includes(said)) return error;
  return new SondeError(
    error.code,
    `${error.message}\nit printed:\n${said.split("\n").slice(-15).join("\n")}`,
    {
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      cause: error,
    },
  );
}

async function adapterRow(adapter: Adapter): Promise<AdapterRow> {
  const { name, title, languages, fileTypes } = adapter;
  const found = await adapter.find();
  const row = { name, title, languages, fileTypes };
  return found.ok
    ? { ...row, found: true, version: found.version, path: found.path }
    : { ...row, found: false, why: found.reason, install: found.install };
}
