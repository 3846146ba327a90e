/** From what the caller asked for to a session that is ready to be opened: which adapter, which program, under which name. */
import { existsSync, statSync } from "node:fs";
import { basename, extname, isAbsolute, resolve } from "node:path";
import type { Adapter, FoundAdapter, LaunchPlan, Opening, Where } from "../adapters/adapter.ts";
import { choose } from "../adapters/choose.ts";
import { ADAPTERS } from "../adapters/registry.ts";
import type { AttachRequest, OpenRequest } from "../commands/context.ts";
import { nearFile } from "../commands/location.ts";
import { SondeError } from "../errors.ts";
import { Session } from "../session/session.ts";
import type { Caller, EngineState } from "./types.ts";

interface Prepared {
  adapter: Adapter;
  found: FoundAdapter;
  where: Where;
  opening: Opening;
  name: string;
}

export async function prepareLaunch(
  state: EngineState,
  caller: Caller,
  request: OpenRequest,
): Promise<Session> {
  return register(state, await launchOpening(state, caller, request), request.name);
}

export async function prepareAttach(
  state: EngineState,
  caller: Caller,
  request: AttachRequest,
): Promise<Session> {
  return register(state, await attachOpening(state, caller, request), request.name);
}

export function whereFor(
  state: EngineState,
  { cwd, env }: Pick<Caller, "cwd" | "env">,
  program?: string,
): Where {
  return { cwd, env, adapters: state.options.adapters, ...(program === undefined ? {} : { program }) };
}

export function howToInstall({ name, recipes, byHand }: Adapter): string {
  return recipes.length > 0 ? `\`sonde setup ${name}\` installs it` : byHand;
}

/** The first that is installed; if none is, the best one's absence is the reason. */
async function installed(
  candidates: readonly [Adapter, ...Adapter[]],
  where: Where,
): Promise<Pick<Prepared, "adapter" | "found">> {
  let missing: string | undefined;
  for (const adapter of candidates) {
    const found = await adapter.find(where);
    if (found.ok) return { adapter, found };
    missing ??= found.reason;
  }
  const [best] = candidates;
  throw new SondeError("ADAPTER_MISSING", `${best.title} is not installed: ${missing}`, {
    hint: howToInstall(best),
  });
}

async function launchOpening(state: EngineState, caller: Caller, request: OpenRequest): Promise<Prepared> {
  const cwd = resolve(caller.cwd, request.cwd ?? ".");
  if (!existsSync(cwd)) throw new SondeError("BAD_ARGUMENT", `--cwd: ${cwd} does not exist`);
  const program = request.program === undefined ? undefined : findProgram(request.program, caller.cwd);
  const named = request.adapter ?? state.options.config.defaults.adapter;
  const env = { ...caller.env, ...request.env };
  const where = whereFor(state, { cwd, env }, program);
  const choice = choose(ADAPTERS, { named, program, command: request.command, where });
  if (!choice.ok) throw new SondeError("ADAPTER_MISSING", choice.why, { hint: choice.hint });
  const plan: LaunchPlan = {
    ...(program === undefined ? {} : { program }),
    ...(request.command === undefined ? {} : { command: request.command }),
    args: request.args,
    cwd,
    env,
    stopOnEntry: request.stopOnEntry,
    extra: request.extra,
  };
  const main = program ?? nameOf(request.command ?? []);
  return {
    ...(await installed(choice.adapters, where)),
    where,
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

async function attachOpening(state: EngineState, caller: Caller, request: AttachRequest): Promise<Prepared> {
  // A port says nothing about who listens there; Node's inspector is the one that is always at hand.
  const named =
    request.adapter ??
    state.options.config.defaults.adapter ??
    (request.pid === undefined ? ADAPTERS[0]?.name : undefined);
  const where = whereFor(state, caller);
  const choice = choose(ADAPTERS, { named, pid: request.pid, where });
  if (!choice.ok) throw new SondeError("ADAPTER_MISSING", choice.why, { hint: choice.hint });
  const { pid, host, port, extra } = request;
  const plan = {
    cwd: caller.cwd,
    env: caller.env,
    extra,
    ...(pid === undefined ? {} : { pid }),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
  };
  return {
    ...(await installed(choice.adapters, where)),
    where,
    opening: { request: "attach", plan },
    name: pid === undefined ? `port-${port}` : `pid-${pid}`,
  };
}

function register(state: EngineState, prepared: Prepared, name: string | undefined): Session {
  const { adapter, found, where, opening } = prepared;
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
    found,
    where,
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
