/**
 * Where each point of a plan is hit in a native program, and what its names mean there. Every collector is given the same: so they count
 * the same hits and read the same variables.
 */
import { BuiltFrom } from "../../adapters/native/built-from.ts";
import { movedBetween } from "../../util/path-map.ts";
import { Unfit } from "../dwarf/unfit.ts";
import type { Plan, Point } from "../plan.ts";
import type { Binding } from "../record.ts";
import { NativeCode } from "./code.ts";
import { isReckoned, isRelocated, type Meaning, meaningOf } from "./names.ts";
import { isOptimised } from "./optimised.ts";
import { instanceOf, type Spot, spotsOf } from "./places.ts";

export interface Guide {
  code: NativeCode;
  program: string;
  /** By the plan's points. */
  points: GuidedPoint[];
  /** What the record should say. */
  notes: string[];
}

export interface GuidedPoint {
  /** Nothing where the program itself has no code of the file: a library may. */
  binding: Binding | undefined;
  spots: GuidedSpot[];
  /** Why the file is not known. */
  unknown?: string;
}

export interface GuidedSpot extends Spot {
  names: Map<string, Meaning>;
}

/** As the scripts inside debuggers read it: by name the line of the declaration, none for what is no local variable. */
export interface ToldSpot {
  address: number;
  line: number;
  names: Record<string, { line: number } | { local: false } | { unsure: true }>;
  /** Variables whose value LLDB computes without regard to where the program was loaded. */
  relocated: string[];
}

const FORKS = "the program can fork: hits in its child processes are not recorded";

/** Throws Unfit where the program's debug information is not of a kind that is read here. */
export function guideFor(program: string, plan: Plan): Guide {
  const code = new NativeCode(program, plan.pathMap);
  const points = plan.points.map((point) => guided(code, point));
  const forks = new BuiltFrom(program).forks ? [FORKS] : [];
  return { code, program, points, notes: [...notesOf(code, plan, points), ...forks] };
}

/** The same; nothing where there is none. */
export function guideIfAny(program: string, plan: Plan): Guide | undefined {
  try {
    return guideFor(program, plan);
  } catch (error) {
    if (error instanceof Unfit || error instanceof RangeError) return undefined;
    throw error;
  }
}

function guided(code: NativeCode, point: Point): GuidedPoint {
  const { path, line } = point;
  const { known, spots, nearest } = spotsOf(code, path, line);
  if (!known) return { binding: undefined, spots: [], unknown: whyUnknown(code, path) };
  const names = namesIn(point);
  const told = spots.map((spot) => ({
    ...spot,
    names: new Map(names.map((name) => [name, meaningOf(code, spot, point, name)])),
  }));
  return {
    spots: told,
    binding: spots[0]
      ? { state: "bound", line: spots[0].line }
      : { state: "unbound", reason: "no code there", nearest },
  };
}

/** Of optimised code: that hits may be missing or too many, and which values are not told. */
function notesOf(code: NativeCode, plan: Plan, points: readonly GuidedPoint[]): string[] {
  const found = plan.points.flatMap((point, at) => {
    const spots = points[at]?.spots ?? [];
    return spots.some(({ unit, scope }) => isOptimised(code, unit, instanceOf(scope)))
      ? [{ point, spots }]
      : [];
  });
  if (found.length === 0) return [];
  const name = ({ path, line }: Point) => `${path.slice(path.lastIndexOf("/") + 1)}:${line}`;
  const places = listed(found.map(({ point }) => name(point)));
  const notes = [`optimised code (${places}): a line may have run more or less often than it was hit`];
  const unsure = (text: string, spots: readonly GuidedSpot[]) =>
    namesIn({ expressions: [text] }).some((one) =>
      spots.some(({ names }) => names.get(one)?.kind === "unsure"),
    );
  const missing = found.flatMap(({ point, spots }) => point.expressions.filter((one) => unsure(one, spots)));
  if (missing.length > 0)
    notes.push(
      `optimised code: ${listed(missing)} may be set early or late there, so no value is reported; compile with -O0 to see it`,
    );
  for (const { point, spots } of found)
    if (point.condition !== undefined && unsure(point.condition, spots))
      notes.push(
        `optimised code (${name(point)}): \`${point.condition}\` cannot be evaluated, so hits are not recorded; compile with -O0`,
      );
  return notes;
}

const NAMED = 3;

function listed(all: readonly string[]): string {
  const each = [...new Set(all)];
  const more = each.length > NAMED ? [`${each.length - NAMED} more`] : [];
  return [...each.slice(0, NAMED), ...more].join(", ");
}

/** Identifiers that are no members of something else. */
export function namesIn({ expressions, condition = "" }: Pick<Point, "expressions" | "condition">): string[] {
  const texts = [...expressions, condition].map((one) => one.replace(/"(\\.|[^"])*"|'(\\.|[^'])*'/g, ""));
  const found = texts.flatMap((one) => [...one.matchAll(/(?<![\w.]|->)\s*([A-Za-z_]\w*)/g)]);
  return [...new Set(found.map(([, name = ""]) => name))];
}

/** A file of that name that was compiled elsewhere is most likely the one that is meant. */
export function whyUnknown(code: NativeCode, path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const built = [...code.sources()].find((one) => one.endsWith(`/${name}`));
  const moved = built === undefined ? undefined : movedBetween(built, path);
  if (built === undefined || moved === undefined)
    return `the program has no debug information for ${name}: it was compiled without -g, or not from this file`;
  return `the program was compiled from ${built}: if that is this file, map ${moved.from} to ${moved.to}`;
}

export function toldSpots({ code, points }: Guide): ToldSpot[][] {
  return points.map(({ spots }) =>
    spots.map((spot) => ({
      address: spot.address,
      line: spot.line,
      names: Object.fromEntries([...spot.names].map(([name, meaning]) => [name, told(code, spot, meaning)])),
      relocated: [...spot.names].flatMap(([name, meaning]) =>
        meaning.kind === "local" && isRelocated(code, spot, meaning.variable) ? [name] : [],
      ),
    })),
  );
}

function told(code: NativeCode, spot: Spot, meaning: Meaning): ToldSpot["names"][string] {
  if (meaning.kind === "local")
    return isReckoned(code, spot, meaning.variable) ? { unsure: true } : { line: meaning.variable.line };
  return meaning.kind === "unsure" ? { unsure: true } : { local: false };
}
