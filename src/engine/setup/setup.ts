/** `sonde setup`: installs adapters by their recipes, the first that works, and tries each with a real session. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Adapter, Where } from "../../adapters/adapter.ts";
import { toolOnPath } from "../../adapters/kit/find.ts";
import type { Recipe } from "../../adapters/recipe.ts";
import { TOOLS, type Tool } from "../../adapters/tools.ts";
import type { SetupRow } from "../../commands/adapters/rows.ts";
import type { SetupRequest } from "../../commands/context.ts";
import { asSondeError, SondeError } from "../../errors.ts";
import { closest } from "../../util/closest.ts";
import { privateFolder } from "../../util/own-folder.ts";
import { visible } from "../../util/text.ts";
import { whereFor, whereOf } from "../launch/prepare.ts";
import type { Caller, EngineState } from "../types.ts";
import { lockSetup } from "./lock.ts";
import { SetupPlace } from "./place.ts";
import { commandLine, runCommand } from "./steps.ts";
import { rememberVerified, type Trial, verifiedBefore, verify } from "./verify.ts";

/** What can be installed: a debugger, or another tool. */
type Installable = Adapter | Tool;

const STEP_MS = 10 * 60_000;

interface Run {
  state: EngineState;
  caller: Caller;
  reinstall: boolean;
  signal: AbortSignal;
  say(line: string): void;
}

export async function setUp(state: EngineState, caller: Caller, request: SetupRequest): Promise<SetupRow[]> {
  const work = setUpAll(state, caller, request);
  state.jobs.add(work);
  try {
    return await work;
  } finally {
    state.jobs.delete(work);
  }
}

async function setUpAll(state: EngineState, caller: Caller, request: SetupRequest): Promise<SetupRow[]> {
  const signal = AbortSignal.any([caller.io.signal, state.closing]);
  const say = (line: string) => {
    if (!caller.quiet) caller.io.chunk(`${line}\n`);
  };
  const run: Run = { state, caller, reinstall: request.reinstall, signal, say };
  const targets = await targetsOf(run, request);
  mkdirSync(state.options.adapters, { recursive: true });
  privateFolder(state.options.places.logs);
  const rows: SetupRow[] = [];
  for (const adapter of targets) {
    const began = performance.now();
    const row = await setUpLocked(run, adapter);
    rows.push({ ...row, ms: Math.round(performance.now() - began) });
    if (signal.aborted) throw new SondeError("CANCELLED", `setup of ${adapter.name} was cancelled`);
  }
  return rows;
}

/** Two at once may install two adapters, not the same one. */
async function setUpLocked(run: Run, adapter: Installable): Promise<Omit<SetupRow, "ms">> {
  const lock = join(run.state.options.adapters, `.${adapter.name}.lock`);
  const release = await lockSetup(lock, run.signal, (pid) =>
    run.say(`waiting for another setup of ${adapter.name} (pid ${pid})`),
  );
  try {
    return await setUpOne(run, adapter);
  } finally {
    release();
  }
}

async function targetsOf(run: Run, { names, all, reinstall }: SetupRequest): Promise<Installable[]> {
  const { adapters } = run.state;
  if (all) return adapters.filter((one) => one.recipes.some((recipe) => cannot(run, recipe) === undefined));
  const targets = new Set<Installable>();
  for (const name of names) {
    const named = [...adapters, ...TOOLS].find((one) => one.name === name);
    const speaking = adapters.filter((one) => one.languages.includes(name));
    const chosen = named ?? (await firstOf(run, speaking, reinstall));
    if (chosen === undefined) throw unknown(adapters, name);
    targets.add(chosen);
  }
  return [...targets];
}

/** Of several for a language: the one that is there, else the best that can be installed. */
async function firstOf(run: Run, adapters: Adapter[], reinstall: boolean): Promise<Adapter | undefined> {
  if (!reinstall) for (const one of adapters) if ((await one.find(whereIn(run, one))).ok) return one;
  return adapters.find((one) => one.recipes.length > 0) ?? adapters[0];
}

function unknown(adapters: readonly Adapter[], name: string): SondeError {
  const words = [
    ...new Set([...adapters.flatMap((one) => [...one.languages, one.name]), ...TOOLS.map((one) => one.name)]),
  ];
  const near = closest(name, words);
  return new SondeError("BAD_ARGUMENT", `setup: no adapter or language called ${name}`, {
    hint: near === undefined ? `there are: ${words.join(", ")}` : `did you mean ${near}?`,
  });
}

function whereIn({ state, caller }: Run, adapter: Installable): Where {
  return whereOf(state, adapter, whereFor(state, caller));
}

type Row = Omit<SetupRow, "ms">;

async function setUpOne(run: Run, adapter: Installable): Promise<Row> {
  const { name, byHand } = adapter;
  const reasons: string[] = [];
  if (!run.reinstall) {
    const there = await tried(run, adapter, true);
    if (there.ok) return { ...there.row, status: "present", how: "it was already installed", reasons };
    if (there.found) {
      reasons.push(there.why);
      run.say(failedText(there.why));
    }
  }
  for (const recipe of adapter.recipes) {
    const row = await byRecipe(run, adapter, recipe, reasons);
    if (row) return { ...row, status: "installed", how: recipe.title, reasons };
    if (run.signal.aborted) break;
  }
  if (adapter.recipes.length === 0) reasons.push("sonde cannot install it");
  return { name, status: "failed", verified: "no", reasons, byHand };
}

/** The row when it is installed and works; otherwise the reason has been added to those before. */
async function byRecipe(
  run: Run,
  adapter: Installable,
  recipe: Recipe,
  reasons: string[],
): Promise<Omit<Row, "status" | "reasons"> | undefined> {
  const impossible = cannot(run, recipe);
  if (impossible !== undefined) {
    reasons.push(`${recipe.title}: ${impossible}`);
    return undefined;
  }
  run.say(`${adapter.name}: ${recipe.title}`);
  const place = new SetupPlace(run.state.options.adapters, adapter.name);
  const failure = await follow(run, adapter, recipe, place.folder);
  if (failure !== undefined) {
    place.discard();
    reasons.push(`${recipe.title}: ${failure}`);
    run.say(failedText(failure));
    return undefined;
  }
  place.publish(recipe.title);
  const there = await tried(run, adapter, false);
  if (there.ok) {
    place.keep();
    return there.row;
  }
  place.discard();
  reasons.push(`${recipe.title}: ${there.why}`);
  run.say(failedText(there.why));
  return undefined;
}

function failedText(why: string): string {
  return `  that failed: ${visible(why).split("\n")[0]}`;
}

/** Why this recipe need not be tried here. */
function cannot({ caller }: Run, recipe: Recipe): string | undefined {
  const missing = recipe.needs.filter((need) => toolOnPath(need, caller) === undefined);
  if (missing.length > 0)
    return `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} not on the PATH`;
  if (!recipe.root || process.getuid?.() === 0) return undefined;
  const commands = recipe.steps("").map(({ command }) => `sudo ${commandLine(command)}`);
  return `only root can do that; run it yourself: ${commands.join(" && ")}`;
}

async function follow(
  run: Run,
  adapter: Installable,
  recipe: Recipe,
  folder: string,
): Promise<string | undefined> {
  const { state, caller, signal, say } = run;
  const log = join(state.options.places.logs, `setup-${adapter.name}.log`);
  writeFileSync(log, `${adapter.name}: ${recipe.title}, in ${folder}\n`, { flag: "a", mode: 0o600 });
  for (const { command, env, optional } of recipe.steps(folder)) {
    say(`  $ ${commandLine(command).replaceAll(folder, ".")}`);
    const run = { cwd: folder, env: { ...caller.env, ...env }, log, timeoutMs: STEP_MS };
    const failure = await runCommand(command, { ...run, signal, guard: state.guard, say });
    if (failure !== undefined && (!optional || signal.aborted)) return `${failure}\n  (full log: ${log})`;
  }
  return undefined;
}

type Tried = { ok: true; row: Omit<Row, "status" | "reasons"> } | { ok: false; found: boolean; why: string };

/** Finds it and tries it; what was tried before need not be again. */
async function tried(run: Run, adapter: Installable, trustRecord: boolean): Promise<Tried> {
  const where = whereIn(run, adapter);
  const found = await adapter.find(where);
  if (!found.ok) return { ok: false, found: false, why: `it is still not found: ${found.reason}` };
  const { name } = adapter;
  const { version, path } = found;
  // No session can show that a tool works: it has said its version.
  if (!("open" in adapter)) return { ok: true, row: { name, version, path, verified: "initialize" } };
  const trial: Trial = { state: run.state, caller: run.caller, adapter, found, where, signal: run.signal };
  const before = trustRecord ? verifiedBefore(trial) : undefined;
  if (before !== undefined) return { ok: true, row: { name, version, path, verified: before } };
  run.say(`${name} ${version}: trying it with a session`);
  try {
    const { by, saw } = await verify(trial);
    rememberVerified(trial, by);
    return { ok: true, row: { name, version, path, verified: by, saw } };
  } catch (thrown) {
    return {
      ok: false,
      found: true,
      why: `${path} (${version}) does not work: ${asSondeError(thrown).message}`,
    };
  }
}
