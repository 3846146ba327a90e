/** C, C++ and Rust: places by the program's debug information, types by LLDB, values in LLDB's words. */
import { runnableOf } from "../../../adapters/native/runnable.ts";
import { isRust } from "../../../adapters/native/rust.ts";
import type { Launch } from "../../../session/launch.ts";
import { executableOf } from "../../../util/process-facts.ts";
import { type Guide, type GuidedSpot, guideFor, toldSpots } from "../../native/guide.ts";
import { meaningOf, whereIs } from "../../native/names.ts";
import { type Plan, type Point, UNAVAILABLE } from "../../plan.ts";
import { compute, type Expression, NotSimple, pathsReckoned, Reading } from "./expression.ts";
import { type FoundLocation, type FoundValue, type Kind, type Leaf, LldbInformant } from "./informant.ts";
import {
  type Fetched,
  type Language,
  type Location,
  type Place,
  type Reach,
  type Runnable,
  Unfit,
  type Words,
} from "./language.ts";
import { operand, shown, shownValue } from "./values.ts";

export const native: Language = {
  unfit(plan, launch) {
    if (Object.keys(launch.opening.plan.extra).length > 0) return "extra arguments for LLDB are given";
    try {
      for (const point of plan.points) readPoint(point);
      return undefined;
    } catch (error) {
      if (error instanceof NotSimple) return error.message;
      throw error;
    }
  },
  runnable: whatToRun,
  async informant({ launch, program }) {
    const lldb = await LldbInformant.start(launch, program, isRust(program));
    return {
      places: (plan) => placesOf(plan, { program, lldb }),
      frames: (places) => lldb.frames(places),
      close: () => lldb.close(),
    };
  },
};

async function whatToRun(launch: Launch): Promise<Runnable> {
  const { request, plan } = launch.opening;
  const { cwd, env } = plan;
  if (request === "attach") {
    const program = plan.program ?? (plan.pid === undefined ? undefined : executableOf(plan.pid));
    return { program: program ?? "", args: [], cwd, env };
  }
  return runnableOf(plan, {
    found: launch.found,
    where: launch.where,
    processes: launch.processes,
    timeoutMs: 0,
    log: () => {},
    say: (text) => launch.output.append("console", text),
  });
}

/** What is asked at a point, in terms of its paths. */
interface Asked {
  reading: Reading;
  expressions: Expression[];
  condition?: Expression;
}

/** Throws NotSimple. */
function readPoint({ expressions, condition }: Point): Asked {
  const reading = new Reading();
  return {
    reading,
    expressions: expressions.map((one) => reading.parse(one)),
    ...(condition === undefined ? {} : { condition: reading.parse(condition) }),
  };
}

interface Known {
  program: string;
  lldb: LldbInformant;
}

async function placesOf(plan: Plan, known: Known): Promise<Place[]> {
  const asked = plan.points.map(readPoint);
  const guide = guideFor(known.program, plan);
  for (const { unknown } of guide.points) if (unknown !== undefined) throw new Unfit(unknown);
  const told = toldSpots(guide);
  const found = await known.lldb.find(
    guide.points.map((_, at) => ({ spots: told[at] ?? [], paths: asked[at]?.reading.paths ?? [] })),
  );
  return guide.points.map(({ binding, spots }, point): Place => {
    const locations = spots.map((spot, at) => {
      const one = found[point]?.[at];
      if (one === undefined) throw new Error("LLDB reported fewer places than requested");
      return location(one, spot, { asked: asked[point], plan, guide });
    });
    return { locations, binding: binding ?? { state: "unknown" }, notes: guide.notes };
  });
}

function location(
  found: FoundLocation,
  spot: GuidedSpot,
  { asked, plan, guide }: { asked: Asked | undefined; plan: Plan; guide: Guide },
): Location {
  check(asked, found.leaves);
  return {
    address: spot.address,
    offset: found.offset,
    reaches: found.leaves.map((leaf) => ("root" in leaf ? reachOf(guide, spot, leaf) : undefined)),
    words: wordsOf(asked, found.leaves, plan.valueChars),
  };
}

/** Every value must be one that we can fetch and print as LLDB does. */
function check(asked: Asked | undefined, leaves: readonly Leaf[]): void {
  for (const leaf of leaves) if ("unfit" in leaf) throw new Unfit(leaf.unfit);
  for (const one of asked?.expressions ?? []) {
    const leaf = "path" in one ? leaves[one.path] : undefined;
    if (leaf && "type" in leaf && leaf.type.kind === "opaque") throw new Unfit(leaf.type.why);
  }
  const all = [...(asked?.expressions ?? []), ...(asked?.condition ? [asked.condition] : [])];
  for (const path of new Set(all.flatMap((one) => [...pathsReckoned(one)]))) {
    const leaf = leaves[path];
    if (leaf === undefined || !("type" in leaf)) continue;
    if (!["int", "char", "bool"].includes(leaf.type.kind)) throw new Unfit(`${leaf.root} is not a number`);
  }
}

/** By our own reading of the debug information: LLDB says what is at the end of the path, and must mean the same variable. */
function reachOf({ code }: Guide, spot: GuidedSpot, { root, hops, type, global }: FoundValue): Reach {
  const meaning =
    spot.names.get(root) ?? meaningOf(code, spot, { path: "", line: Number.MAX_SAFE_INTEGER }, root);
  if (global !== undefined)
    return { root, base: { address: global }, hops, ...sizeOf(type), ...behind(type) };
  if (meaning.kind !== "local") throw new Unfit(`the debug information does not say what ${root} means here`);
  const where = whereIs(code, spot, meaning.variable);
  if (where === undefined) throw new Unfit(`${root} has no location here`);
  const [first = 0, ...rest] = hops;
  const through = [...where.through.slice(0, -1), (where.through.at(-1) ?? 0) + first, ...rest];
  return { root, base: where.base, hops: through, ...sizeOf(type), ...behind(type) };
}

function sizeOf(type: Kind): { size: number; signed: boolean } {
  return { size: "size" in type ? type.size : 8, signed: "signed" in type && type.signed };
}

/** What a pointer is shown with. */
function behind(type: Kind): Pick<Reach, "behind"> {
  if (type.kind === "text") return { behind: { kind: "text" } };
  return type.kind === "arrow" ? { behind: { kind: "number", ...sizeOf(type.to) } } : {};
}

function wordsOf(asked: Asked | undefined, leaves: readonly Leaf[], chars: number): Words {
  type All = readonly (Fetched | undefined)[];
  const kindOf = (path: number) => {
    const leaf = leaves[path];
    return leaf && "type" in leaf ? leaf.type : undefined;
  };
  const reader = (fetched: All) => (path: number) => {
    const [kind, value] = [kindOf(path), fetched[path]];
    return kind && value ? operand(kind, value) : undefined;
  };
  const word = (expression: Expression, fetched: All): string => {
    if ("path" in expression) {
      const [kind, value] = [kindOf(expression.path), fetched[expression.path]];
      return kind && value ? shown(kind, value, chars) : UNAVAILABLE;
    }
    const value = compute(expression, reader(fetched));
    return value === undefined ? UNAVAILABLE : shownValue(value);
  };
  const { expressions = [], condition } = asked ?? {};
  return {
    holds: (fetched) => condition === undefined || (compute(condition, reader(fetched))?.value ?? 0n) !== 0n,
    values: (fetched) => expressions.map((one) => word(one, fetched)),
  };
}
