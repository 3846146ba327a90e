/** From what the caller asked for to a launch that is ready to run: which adapter, which program, under which name. */
import { existsSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import type {
  Adapter,
  AttachPlan,
  FoundAdapter,
  LaunchPlan,
  Opening,
  Where,
} from "../../adapters/adapter.ts";
import { choose, isCalled } from "../../adapters/choose.ts";
import { ADAPTERS } from "../../adapters/registry.ts";
import { advice, call, joined, named, type Told } from "../../advice/advice.ts";
import type { AttachRequest, OpenRequest, RunRequest } from "../../commands/context.ts";
import { SondeError } from "../../errors.ts";
import { Launch, type Preparation } from "../../session/launch.ts";
import { own } from "../../util/own.ts";
import { type PathMap, parseMovedPath } from "../../util/path-map.ts";
import type { Config } from "../config/config.ts";
import type { Caller, EngineState } from "../types.ts";
import { checkPid, listenerAt } from "./attachable.ts";
import { compiled, type Made } from "./build.ts";
import { coreOf } from "./core-file.ts";
import { type Target, target } from "./target.ts";

interface Prepared {
  adapter: Adapter;
  found: FoundAdapter;
  where: Where;
  opening: Opening;
  name: string;
  /** For the first answer. */
  notes: Told[];
  preparation?: Preparation;
}

export async function prepare(
  state: EngineState,
  caller: Caller,
  { request, plan }: RunRequest,
): Promise<Launch> {
  if (request === "attach") return launchOf(state, await attachOpening(state, caller, plan), plan.name);
  const prepared = await launchOpening(state, caller, plan).catch((error: unknown) => {
    throw withNotes(error, plan.notes ?? []);
  });
  return launchOf(state, prepared, plan.name);
}

export function whereFor(
  state: EngineState,
  { cwd, env }: Pick<Caller, "cwd" | "env">,
  program?: string,
): Where {
  return { cwd, env, adapters: state.options.adapters, ...(program === undefined ? {} : { program }) };
}

/** With what the configuration says about this adapter. */
export function whereOf(state: EngineState, adapter: Pick<Adapter, "name">, where: Where): Where {
  const { command, args, open_port: openPort } = own(state.options.config.adapters, adapter.name) ?? {};
  const settings = {
    ...(command === undefined ? {} : { command }),
    ...(args === undefined ? {} : { args }),
    ...(openPort === undefined ? {} : { openPort }),
  };
  return { ...where, settings };
}

export function howToInstall(adapter: Adapter): Told {
  const { name, languages, recipes, byHand } = adapter;
  if (recipes.length === 0) return byHand;
  const best = languages.find((one) => ADAPTERS.find((other) => other.languages.includes(one)) === adapter);
  return advice`${call("setup", { names: [best ?? name] })} installs it`;
}

/** The first that is installed; if none is, the best one's absence is the reason. */
async function installed(
  state: EngineState,
  candidates: readonly [Adapter, ...Adapter[]],
  base: Where,
): Promise<Pick<Prepared, "adapter" | "found" | "where">> {
  let missing: string | undefined;
  for (const adapter of candidates) {
    const where = whereOf(state, adapter, base);
    const found = await adapter.find(where);
    if (found.ok) return { adapter, found, where };
    const key = keyNaming(state, adapter);
    if (key !== undefined) throw notThere(adapter, key, found.reason);
    missing ??= found.reason;
  }
  const [best] = candidates;
  throw new SondeError("ADAPTER_MISSING", `${best.title} is not installed: ${missing}`, {
    hint: howToInstall(best),
  });
}

/** The key of the configuration that asks for this adapter: what it names is taken or refused, never replaced. */
export function keyNaming({ options }: EngineState, adapter: Adapter): string | undefined {
  const { adapters, defaults } = options.config;
  if (own(adapters, adapter.name)?.command !== undefined) return `adapters.${adapter.name}.command`;
  return defaults.adapter !== undefined &&
    isCalled(adapter, defaults.adapter) &&
    isOne(adapter, defaults.adapter)
    ? "defaults.adapter"
    : undefined;
}

/** By a name of its own, not by its language, which others have as well. */
function isOne(adapter: Adapter, name: string): boolean {
  return !adapter.languages.includes(name.toLowerCase()) || adapter.name === name.toLowerCase();
}

function notThere(adapter: Adapter, key: string, reason: string): SondeError {
  const told = `the configuration names ${adapter.title} (${key})`;
  return new SondeError("ADAPTER_MISSING", `${told}, which was not found: ${reason}`, {
    hint: advice`fix ${key} (${call("config")} shows the file), or ${howToInstall(adapter)}`,
  });
}

async function launchOpening(state: EngineState, caller: Caller, request: OpenRequest): Promise<Prepared> {
  const base = resolve(caller.cwd, request.cwd ?? ".");
  if (!existsSync(base))
    throw new SondeError("BAD_ARGUMENT", advice`${named("cwd")}: ${base} does not exist`);
  const env = environment(caller, request);
  const wanted = await target(request, caller.cwd, { cwd: base, env, signal: caller.io.signal });
  const { cwd, notes } = wanted;
  const where = whereFor(state, wanted, wanted.program);
  const choice = choose(state.adapters, {
    named: request.adapter,
    preferred: state.options.config.defaults.adapter,
    program: wanted.program,
    command: wanted.command,
    where,
  });
  if (!choice.ok) throw new SondeError(choice.code, choice.why, { hint: choice.hint });
  const found = await installed(state, choice.adapters, where);
  const made = compiled(found.adapter, wanted, {
    executable: choice.program,
    build: request.build ?? false,
    from: caller.cwd,
    guard: state.guard,
  });
  const { program, command } = made;
  const plan: LaunchPlan = {
    ...(program === undefined ? {} : { program }),
    ...(command === undefined ? {} : { command }),
    args: made.args,
    cwd,
    env: wanted.env,
    stopOnEntry: request.stopOnEntry,
    extra: request.extra,
    ...moved(state, caller, request),
  };
  const typed = request.program === undefined ? undefined : resolve(caller.cwd, request.program);
  const main = wanted.program ?? choice.program ?? typed ?? nameOf(wanted.command ?? []);
  return {
    ...found,
    opening: { request: "launch", plan },
    name: basename(main, extname(main)),
    notes: [...(request.notes ?? []), ...notes, ...needless(request, wanted, made)],
    ...(made.workshop === undefined ? {} : { preparation: made.workshop }),
  };
}

/** Where sources are now, by the configuration; a place on this machine may be relative to the caller's folder. */
export function pathMapOf({ paths }: Config, cwd: string): PathMap {
  return paths.map.flatMap((text) => parseMovedPath(text, cwd) ?? []);
}

/** What is asked for goes before what is configured. */
function moved(state: EngineState, { cwd }: Caller, request: { pathMap?: PathMap }): { pathMap?: PathMap } {
  const pathMap = [...(request.pathMap ?? []), ...pathMapOf(state.options.config, cwd)];
  return pathMap.length === 0 ? {} : { pathMap };
}

function needless({ build }: OpenRequest, wanted: Target, made: Made): Told[] {
  const built = made.workshop !== undefined || (wanted.program !== undefined && made.command !== undefined);
  return build && !built ? [advice`${named("build")}: nothing to build: the program runs as it is`] : [];
}

function environment(caller: Caller, { env, unset = [] }: OpenRequest): Record<string, string> {
  const all = { ...caller.env, ...env };
  for (const key of unset) delete all[key];
  return all;
}

/** Words of a command line that say how to run, not what. */
const HOW = new Set(["run", "run-script", "exec", "x", "dlx", "test"]);

/** What a reader would call it: the file it names, else the script or tool. */
function nameOf(command: readonly string[]): string {
  // What follows is the program's own: `cargo run -- 1 2 3`.
  const end = command.indexOf("--", 1);
  const plain = command
    .slice(0, end < 0 ? command.length : end)
    .filter((word) => /^[\w./@-]+$/.test(word) && !word.startsWith("-"));
  const [tool = "program", ...rest] = plain;
  const file = rest.find((word) => /\.\w{1,4}$/.test(word));
  return file ?? rest.find((word) => !HOW.has(word) && /\w/.test(word)) ?? tool;
}

async function attachOpening(state: EngineState, caller: Caller, request: AttachRequest): Promise<Prepared> {
  const { pid, host, port, extra } = request;
  if (pid !== undefined) checkPid(pid);
  const dead = request.core === undefined ? undefined : coreOf(request.core, request.program, caller.cwd);
  const given = request.program === undefined ? undefined : resolve(caller.cwd, request.program);
  const program = dead?.program ?? given;
  const where = whereFor(state, caller, program);
  const preferred = state.options.config.defaults.adapter;
  const byPort = request.adapter === undefined && pid === undefined && program === undefined;
  const owner = byPort && port !== undefined && isHere(host) ? listenerAt(port) : undefined;
  // Where it cannot be seen who listens, Node's inspector is the one that is always at hand.
  const guessed = byPort && owner === undefined ? (preferred ?? ADAPTERS[0]?.name) : undefined;
  const choice = choose(state.adapters, {
    named: request.adapter ?? guessed,
    preferred,
    program,
    pid: pid ?? owner,
    where,
  });
  if (!choice.ok) throw new SondeError(choice.code, choice.why, { hint: choice.hint });
  const plan: AttachPlan = {
    cwd: caller.cwd,
    env: caller.env,
    extra,
    ...moved(state, caller, request),
    ...(pid === undefined ? {} : { pid }),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(dead === undefined ? {} : { core: dead.core }),
    ...(program === undefined ? {} : { program }),
  };
  return {
    ...(await installed(state, choice.adapters, where)),
    opening: { request: "attach", plan },
    name: dead ? basename(dead.program) : pid === undefined ? `port-${port}` : `pid-${pid}`,
    notes: request.notes ?? [],
  };
}

function isHere(host: string | undefined): boolean {
  return host === undefined || ["127.0.0.1", "localhost", "::1"].includes(host);
}

function launchOf(state: EngineState, prepared: Prepared, name: string | undefined): Launch {
  const { adapter, found, where, opening, preparation } = prepared;
  const { config } = state.options;
  const launch = new Launch({
    name: name === undefined ? prepared.name : state.table.reserved(name),
    isNamed: name !== undefined,
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
    log: (message) => state.options.log("info", message, { session: launch.name }),
    ...(preparation === undefined ? {} : { preparation }),
  });
  for (const note of prepared.notes) launch.notes.add(note);
  return launch;
}

/** What was to be said of the request (a task that was not run) may be why it failed. */
function withNotes(error: unknown, notes: readonly Told[]): unknown {
  if (!(error instanceof SondeError) || notes.length === 0) return error;
  const { message, hint } = error.told;
  const all = [...(hint === undefined ? [] : [hint]), ...notes];
  return new SondeError(error.code, message, { hint: joined(all, "; "), cause: error });
}
