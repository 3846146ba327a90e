/**
 * What a Go program's own debug information says of the points of a plan: which lines have code, and which values are true where the
 * code is optimised. Every collector is told the same.
 */
import { realpathSync } from "node:fs";
import { normalize } from "node:path";
import { herePath, type PathMap } from "../../util/path-map.ts";
import { Unfit } from "../dwarf/unfit.ts";
import { namesIn } from "../native/guide.ts";
import type { Plan, Point } from "../plan.ts";
import type { Binding } from "../record.ts";
import { Code, type Package } from "./code.ts";
import { isOptimised, isSettled } from "./optimised.ts";
import { nearestLines, type Spot, spotsOf } from "./places.ts";

export interface GoGuide {
  points: GoPoint[];
  /** What the record should say. */
  notes: string[];
}

export interface GoPoint {
  /** Of a line without code; nothing where the debugger's word is taken. */
  binding: Binding | undefined;
  /** Whether a value that is read there is the one that the source means. */
  trusts(expression: string): boolean;
  /** Whether hits that do not fulfil its condition can be told from those that do. */
  weighs: boolean;
}

/** Whether a hit of it is one of the point's: not of a line without code, nor of a condition that cannot be weighed. */
export function isTold(point: GoPoint | undefined): boolean {
  return point === undefined || (point.binding === undefined && point.weighs);
}

/** Nothing where the program's debug information cannot be read. */
export function goGuideIfAny(program: string | undefined, plan: Plan): GoGuide | undefined {
  if (program === undefined) return undefined;
  try {
    return goGuide(new Code(program), plan);
  } catch (error) {
    if (error instanceof Unfit || error instanceof RangeError) return undefined;
    throw error;
  }
}

export function goGuide(code: Code, plan: Plan): GoGuide {
  const found = plan.points.map((point) => guided(code, point, plan.pathMap ?? []));
  return { points: found.map(({ point }) => point), notes: notesOf(plan, found) };
}

interface Guided {
  point: GoPoint;
  optimised: boolean;
}

function guided(code: Code, point: Point, map: PathMap): Guided {
  const told = builtFrom(code, point.path, map);
  const holding = told === undefined ? [] : holders(code, told);
  // Of a file that is not found the worst is assumed.
  const optimised = (told === undefined ? code.packages : holding).some(isOptimised);
  const { spots, binding } = placesOf(code, told, point.line);
  const trusts = trusting(code, point.path, optimised ? spots : undefined);
  const weighs = point.condition === undefined || trusts(point.condition);
  return { optimised, point: { binding, trusts, weighs } };
}

/** @param spots none: everything is trusted */
function trusting(code: Code, path: string, spots: readonly Spot[] | undefined): GoPoint["trusts"] {
  if (spots === undefined) return () => true;
  const known = new Map<string, boolean>();
  const settled = (name: string) => {
    const before = known.get(name);
    const now =
      before ??
      (CONSTANTS.has(name) || (spots.length > 0 && spots.every((spot) => isSettled(code, spot, name, path))));
    known.set(name, now);
    return now;
  };
  return (expression) => namesIn({ expressions: [expression] }).every(settled);
}

const CONSTANTS: ReadonlySet<string> = new Set(["true", "false", "nil"]);

/** No places where they cannot be told, as where the line is in code that was inlined. */
function placesOf(code: Code, path: string | undefined, line: number) {
  const nothing = { spots: [] as Spot[], binding: undefined };
  if (path === undefined) return nothing;
  try {
    const spots = spotsOf(code, path, line);
    return { spots, binding: isThere(spots, line) ? undefined : noCode(code, path, line) };
  } catch (error) {
    if (error instanceof Unfit) return nothing;
    throw error;
  }
}

/** A function's entry may lead to another line. */
export function isThere(spots: readonly Spot[], line: number): boolean {
  return spots[0]?.line === line;
}

export function noCode(code: Code, path: string, line: number): Binding {
  return { state: "unbound", reason: "no code there", nearest: nearestLines(code, path, line) };
}

export function holders(code: Code, path: string): Package[] {
  return code.packages.filter((one) => code.table(one)?.files.includes(path));
}

/** How the program calls a file: as it is, mapped, or by a link. */
function builtFrom(code: Code, path: string, map: PathMap): string | undefined {
  const files = new Set(code.packages.flatMap((one) => code.table(one)?.files ?? []));
  if (files.has(path)) return path;
  const name = path.slice(path.lastIndexOf("/"));
  const real = realPath(path);
  return [...files]
    .filter((one) => one.endsWith(name))
    .find((one) => herePath(map, normalize(one)) === path || realPath(one) === real);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // not there: only its name can be compared
  }
}

function notesOf({ points }: Plan, found: readonly Guided[]): string[] {
  const optimised = points.flatMap((point, at) => {
    const one = found[at];
    return one?.optimised ? [{ point, told: one.point }] : [];
  });
  if (optimised.length === 0) return [];
  const name = ({ path, line }: Point) => `${path.slice(path.lastIndexOf("/") + 1)}:${line}`;
  const places = listed(optimised.map(({ point }) => name(point)));
  const notes = [`optimised code (${places}): a line may have run more or less often than it was hit`];
  const missing = optimised.flatMap(({ point, told }) =>
    point.expressions.filter((one) => !told.trusts(one)),
  );
  if (missing.length > 0)
    notes.push(
      `optimised code: ${listed(missing)} may be set early or late there, so no value is reported; ${REBUILD} to see it`,
    );
  for (const { point, told } of optimised)
    if (!told.weighs)
      notes.push(
        `optimised code (${name(point)}): \`${point.condition}\` cannot be evaluated, so hits are not recorded; ${REBUILD}`,
      );
  return notes;
}

const REBUILD = "build with -gcflags='all=-N -l'";
const NAMED = 3;

function listed(all: readonly string[]): string {
  const each = [...new Set(all)];
  const more = each.length > NAMED ? [`${each.length - NAMED} more`] : [];
  return [...each.slice(0, NAMED), ...more].join(", ");
}
