/**
 * Which stops of a debugger are hits of a point, and which values it shows are those that the source means. Debuggers set several
 * breakpoints for a line whose code is in several blocks, and look names up by blocks alone.
 */
import { readFileSync, statSync } from "node:fs";
import { AT } from "../dwarf/constants.ts";
import type { Scope, Variable } from "./code.ts";
import { type Guide, type GuidedSpot, namesIn } from "./guide.ts";
import { isReckoned, isRelocated, meaningOf } from "./names.ts";
import { isOptimised } from "./optimised.ts";
import { instanceOf, type Spot } from "./places.ts";

export class StopFilter {
  readonly #guide: Guide;
  /** By point and function: where the first stop was. */
  readonly #firsts = new Map<string, number>();
  #slide: number | undefined;

  constructor(guide: Guide) {
    this.#guide = guide;
  }

  /** Where a stop is, if that is known. */
  spot(pc: string | undefined, pid: number | undefined): Spot | undefined {
    if (pc === undefined || pid === undefined) return undefined;
    this.#slide ??= slideOf(pid, this.#guide);
    if (this.#slide === undefined) return undefined;
    const address = Number(pc) - this.#slide;
    for (const { spots } of this.#guide.points) {
      const known = spots.find((one) => one.address === address);
      if (known) return known;
    }
    for (const unit of this.#guide.code.info.units) {
      const piece = this.#guide.code.pieces(unit).find(({ from, to }) => address >= from && address < to);
      const scope = piece && this.#guide.code.scopeAt(unit, address);
      if (piece && scope) return { address, line: piece.line, unit, scope };
    }
    return undefined;
  }

  /** Of a function only one of the places at which the debugger stops: the first. */
  isHit(point: number, { address, scope }: Spot): boolean {
    if (this.#guide.points[point]?.binding === undefined) return true;
    const key = `${point} ${instanceOf(scope).entry.offset} ${spotIn(this.#guide.points[point]?.spots ?? [], scope)}`;
    const first = this.#firsts.get(key) ?? address;
    this.#firsts.set(key, first);
    return first === address;
  }

  /** Whether the debugger means by an expression what the source means. */
  agrees(point: number, asked: { path: string; line: number }, spot: Spot, expression: string): boolean {
    const { code, points } = this.#guide;
    // In the middle of a line that was optimised its values are neither those before it nor those after.
    const begins = points[point]?.spots.some(({ address }) => address === spot.address);
    if (!begins && isOptimised(code, spot.unit, instanceOf(spot.scope))) return false;
    return namesIn({ expressions: [expression] }).every((name) => {
      const meaning = meaningOf(code, spot, asked, name);
      if (meaning.kind === "unsure") return false;
      const taken = innermost(spot.scope, name);
      if (meaning.kind === "elsewhere") return taken === undefined || taken.entry.has(AT.declaration);
      const { variable } = meaning;
      return (
        taken?.entry.offset === variable.entry.offset &&
        !isRelocated(code, spot, variable) &&
        !isReckoned(code, spot, variable)
      );
    });
  }
}

function spotIn(spots: readonly GuidedSpot[], scope: Scope): number {
  return spots.findIndex((one) => instanceOf(one.scope) === instanceOf(scope));
}

function innermost(start: Scope, name: string): Variable | undefined {
  for (let scope: Scope | undefined = start; scope; scope = scope.outer) {
    const found = scope.variables.find((one) => one.name === name);
    if (found) return found;
    if (scope.kind !== "block") return undefined;
  }
  return undefined;
}

/** By how much the program was moved when it was loaded; nothing where that cannot be seen. */
function slideOf(pid: number, { program, code }: Guide): number | undefined {
  try {
    const own = statSync(program).ino;
    for (const line of readFileSync(`/proc/${pid}/maps`, "utf8").split("\n")) {
      const [places = "", , offset = "0", , inode = "0"] = line.split(/\s+/);
      if (Number(inode) !== own) continue;
      const [first] = code.elf.segments;
      const linked = first === undefined ? 0 : first.address - first.offset;
      return Number.parseInt(places, 16) - Number.parseInt(offset, 16) - linked;
    }
  } catch {
    // It has ended, or there is no such file here: then nothing is filtered.
  }
  return undefined;
}
