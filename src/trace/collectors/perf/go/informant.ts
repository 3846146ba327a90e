/** What the probes need to know of a Go program, read from its own debug information. */

import { unsetAt } from "../../../../adapters/delve/unset.ts";
import { AT, TAG } from "../../../dwarf/constants.ts";
import { Code } from "../../../go/code.ts";
import { type GoPoint, goGuide, isThere, noCode } from "../../../go/guide.ts";
import { type Spot, spotsOf } from "../../../go/places.ts";
import { constantsOf, type GoType, membersOf, typeAt } from "../../../go/types.ts";
import { type Plan, type Point, UNAVAILABLE } from "../../../plan.ts";
import type { Binding, TraceFrame } from "../../../record.ts";
import { type Informant, type Location, type Place, type Reach, Unfit, type Words } from "../language.ts";
import { compile, type LeafType, shown } from "./evaluate.ts";
import { Reading } from "./expression.ts";
import { framesAt } from "./frames.ts";
import { type Found, follow } from "./variables.ts";

export class GoInformant implements Informant {
  readonly #code: Code;
  readonly #goid: number;

  /** Throws Unfit. */
  constructor(program: string) {
    this.#code = new Code(program);
    this.#goid = goroutineNumber(this.#code);
  }

  async places(plan: Plan): Promise<Place[]> {
    const guide = goGuide(this.#code, plan);
    return plan.points.map((point, at) => {
      const spots = spotsOf(this.#code, point.path, point.line);
      const told = guide.points[at] ?? EVERYTHING;
      return {
        locations: spots.map((spot) => this.#location(spot, point, { told, chars: plan.valueChars })),
        binding: bindingOf(this.#code, point, spots),
        notes: at === 0 ? guide.notes : [],
      };
    });
  }

  async frames(places: Parameters<Informant["frames"]>[0]) {
    return places.map(([, address, back]) => framesAt(this.#code, address - back));
  }

  /** C's code is on a stack of its own. */
  left({ function: name }: TraceFrame): string | undefined {
    return name === "runtime.cgocallback"
      ? "frames of C code that called Go, and their callers, are not recorded"
      : undefined;
  }

  async close(): Promise<void> {}

  #location(spot: Spot, point: Point, { told, chars }: { told: GoPoint; chars: number }): Location {
    const code = this.#code;
    const { name, package: home } = spot.function;
    if (!home.producer.includes("regabi"))
      throw new Unfit("the program was built by Go before 1.17, or is written in assembly");
    if (/^runtime\./.test(name))
      throw new Unfit(`${name} belongs to the runtime and may run outside goroutines`);
    const offset = code.elf.offsetOf(spot.address);
    if (offset === undefined) throw new Unfit(`${name} is not in the file`);
    const reading = new Reading();
    const expressions = point.expressions.map((one) => (told.trusts(one) ? reading.parse(one) : undefined));
    const condition =
      point.condition === undefined || !told.weighs ? undefined : reading.parse(point.condition);
    const unset = unsetAt(point.path, spot.line, name);
    const early = reading.paths.find(({ root }) => unset.includes(root));
    if (early !== undefined) throw new Unfit(`the declaration of ${early.root} has not run to its end there`);
    const found = reading.paths.map((path) => follow(code, spot, path));
    const leaves = found.map((one) => this.#leaf(one));
    const values = expressions.map((one) => one && shown(compile(one, leaves), chars));
    const held = condition && compile(condition, leaves);
    if (held && held.type.kind !== "bool")
      throw new Unfit(`\`${point.condition}\` is neither true nor false`);
    const words: Words = {
      holds: (all) => told.weighs && (held === undefined || held.value(all) === true),
      values: (all) => values.map((one) => one?.(all) ?? UNAVAILABLE),
    };
    return {
      ...{ address: spot.address, offset, words, reaches: found.map(reachOf) },
      thread: { reach: this.#goroutine(), name: (id) => `goroutine ${id}` },
    };
  }

  #leaf({ type }: Found): LeafType {
    if (type.kind !== "int") return { type, constants: [] };
    const constants = constantsOf(this.#code.info, type);
    if (constants === undefined) throw new Unfit(`the constants of ${type.name} cannot be distinguished`);
    return { type, constants };
  }

  /** Go's code keeps the goroutine that it is run by in this register. */
  #goroutine(): Reach {
    const base = { register: "%r14", offset: this.#goid };
    return { root: "goroutine", base, hops: [0], size: 8, signed: false };
  }
}

/** Where nothing is known against it. */
const EVERYTHING: GoPoint = { binding: undefined, trusts: () => true, weighs: true };

function bindingOf(code: Code, { path, line }: Point, spots: Spot[]): Binding {
  return isThere(spots, line) ? { state: "bound", line } : noCode(code, path, line);
}

function reachOf({ root, base, hops, type, within }: Found): Reach {
  const reach = { root, base, hops, within };
  // dlv reads neither functions nor interfaces from there.
  if ("registers" in base && hops.length === 1 && (type.kind === "nilable" || type.kind === "slice"))
    throw new Unfit(`${root} is still in registers at this line`);
  switch (type.kind) {
    case "int":
      return { ...reach, size: type.size, signed: type.signed };
    case "bool":
    case "float":
      return { ...reach, size: type.size, signed: false };
    case "length":
      return { ...reach, size: 8, signed: true };
    case "string": {
      const length = hops.with(-1, (hops.at(-1) ?? 0) + 8);
      return { ...reach, size: 8, signed: false, behind: { kind: "bytes", length } };
    }
    default:
      return { ...reach, size: 8, signed: false };
  }
}

const VARIABLES: ReadonlySet<number> = new Set([TAG.variable]);

/** Where a goroutine has its number. */
function goroutineNumber(code: Code): number {
  for (const { unit, name } of code.packages.filter((one) => one.name === "runtime"))
    for (const entry of code.info.top(unit, VARIABLES)) {
      if (entry.text(AT.name) !== `${name}.g0`) continue;
      const offset = entry.reference(AT.type);
      const type: GoType | undefined = offset === undefined ? undefined : typeAt(code.info, offset);
      const members = type?.kind === "struct" ? membersOf(code.info, type.offset) : [];
      const number = members.find((one) => one.name === "goid");
      if (number) return number.offset;
    }
  throw new Unfit("the debug information does not say where a goroutine's number is");
}
