/** One side of a comparison: a run under a recorder. */
import { dirname, relative, resolve } from "node:path";
import type { Opening } from "../../adapters/adapter.ts";
import { advice, named, type Told } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { fileLines } from "../../session/stack/source.ts";
import { mapLines } from "../../trace/diff/lines.ts";
import type { Plan, Point } from "../../trace/plan.ts";
import type { TraceRecord } from "../../trace/record.ts";
import { trace as traced } from "../../trace/trace.ts";
import { bytesOf, type Input } from "../argument-types.ts";
import type { Context } from "../context.ts";
import { type Running, ranOf, runRequest, titleOf } from "../runs/running.ts";
import { boundsOf, type Planning, planOf } from "../trace/arguments.ts";
import { printedBy } from "../trace/trace.ts";
import { type LoadedPackage, loadedPackages } from "./packages.ts";

const BY_SOURCES: Told = advice`a diff without ${named("at")}, or with ${named("function")}, matches two versions by their sources`;

export interface Ran {
  record: TraceRecord;
  output: string;
  /** How it was run, unless it is a kept one. */
  side?: Side;
  /** The file that was run, where it is known. */
  program?: string;
  /** Installed code that was loaded and is not recorded; nothing where nobody can tell. */
  packages?: LoadedPackage[];
}

export interface Side {
  words: string[];
  stdin: Input | undefined;
}

export interface TimedSide extends Side {
  /** The longest it may run. */
  seconds: number;
}

export interface Recording {
  other?: Ran | undefined;
  steady?: boolean;
  /** The trace of which this is another run. */
  repeats?: string | undefined;
  /** Folders of installed code that is recorded too. */
  packages?: readonly string[];
}

/**
 * @param other The run that this one is compared with: places are named in its sources, and what a language leaves to chance (the order
 * of a hash) is the same in both.
 */
export async function record(
  context: Context,
  asked: Planning & Running,
  side: TimedSide,
  { other, steady = true, packages = [], repeats }: Recording = {},
): Promise<Ran> {
  const run: Running = { ...asked, args: side.words };
  const request = runRequest(context, run);
  const stdin = side.stdin === undefined ? undefined : await bytesOf(context, side.stdin);
  return context.once(request, async (launch, signal) => {
    const { env } = launch.opening.plan;
    if (steady)
      for (const [name, value] of Object.entries(launch.adapter.steadyEnv ?? {})) env[name] ??= value;
    const program = programOf(launch.opening, side.words, context.cwd);
    const plan = inVersion(planFor(context, asked, program, packages), other?.program, program);
    let files: ReadonlySet<string> = new Set();
    const result = await traced({
      title: titleOf(run),
      ran: ranOf(run),
      plan,
      launch,
      stdin,
      collector: asked.collector,
      bounds: { ...boundsOf(asked), total: side.seconds },
      signal,
      loaded: (all) => {
        files = all;
      },
    });
    const output = printedBy(launch);
    const { record: kept } = context.traces.save(
      repeats === undefined ? result : { ...result, repeats },
      output,
    );
    refuseMissing(kept);
    const { packageOf } = launch.adapter;
    return {
      record: kept,
      output,
      side,
      ...(program === undefined ? {} : { program }),
      ...(packageOf === undefined ? {} : { packages: await loadedPackages(files, packageOf) }),
    };
  });
}

/** The program's own file: as the debugger knows it, or the first word of the command line that is one. */
function programOf(opening: Opening, words: readonly string[], cwd: string): string | undefined {
  if (opening.request === "launch" && opening.plan.program !== undefined) return opening.plan.program;
  return words
    .slice(1)
    .map((word) => resolve(cwd, word))
    .find((path) => fileLines(path) !== undefined);
}

/** Places of one version in another: by its program's own file, or by the same path below its folder. */
function inVersion(plan: Plan, from: string | undefined, to: string | undefined): Plan {
  if (from === undefined || to === undefined || from === to) return plan;
  const points = plan.points.map((point): Point => {
    const path = point.path === from ? to : resolve(dirname(to), relative(dirname(from), point.path));
    const [a, b] = [fileLines(point.path), fileLines(path)];
    if (path === point.path || a === undefined || b === undefined) return point;
    const line = mapLines(a, b).toB(point.line);
    if (line === undefined)
      throw new SondeError("BAD_LOCATION", `${point.key}: the other version has no such line`, {
        hint: BY_SOURCES,
      });
    return { ...point, path, line };
  });
  return { ...plan, points };
}

/** A place that one of the runs does not have cannot be compared. */
function refuseMissing({ title, plan, bindings, counts }: TraceRecord): void {
  const missing = plan.points.find((_point, at) => bindings[at]?.state === "unbound" && counts[at] === 0);
  if (missing === undefined) return;
  throw new SondeError("BAD_LOCATION", `${missing.key} has no code in the run of ${title}`, {
    hint: BY_SOURCES,
  });
}

const EVERYTHING = 1000;
/** Lines of a whole run are more than hits of a place; half of them are compared without a hole. */
export const MANY = 60_000;

/** Without places or functions: every line of the project's own code. */
function planFor(
  context: Context,
  asked: Planning,
  program: string | undefined,
  folders: readonly string[],
): Plan {
  const plan = planOf(context, asked);
  if (plan.points.length > 0 || plan.lines !== undefined) return plan;
  const under = [...new Set([context.cwd, ...(program === undefined ? [] : [dirname(program)])])];
  const maxHits = asked.maxHits ?? MANY;
  const packages = [...(asked.package ?? []), ...folders];
  return { ...plan, maxHits, lines: { functions: [], under, packages, depth: EVERYTHING } };
}
