/** Whose values a call changes beside its own. Pure. */
import type { Activation, Ran } from "./activations.ts";
import { writesThrough } from "./reading.ts";

export const SELF = new Set(["self", "this", "cls"]);

/** What others see: the object's own fields, and what it was given, but for copies: numbers and texts that no address stands before. */
function isShared(name: string, { arguments: given }: Activation): boolean {
  const [first = ""] = name.split(".");
  return SELF.has(first) || given.some(([one, value]) => one === first && !COPY.test(value));
}

const COPY = /^(?:-?[\d.]+(?:e[-+]?\d+)?$|-?\d+ '|(?:true|false|nil|null|none|undefined)$|["'`])/i;

/** Without those that only called another of them, and so changed it by that alone. */
export function innermost<T extends { active: Activation; index: number }>(some: readonly T[]): T[] {
  const calling = new Map<Activation, Set<number>>();
  for (const { active } of some)
    for (let one: Activation | undefined = active; one?.parent !== undefined; one = one.parent) {
      const lines = calling.get(one.parent) ?? new Set();
      calling.set(one.parent, lines.add(one.calledIn));
    }
  return some.filter(({ active, index }) => !calling.get(active)?.has(index));
}

/** What a line changed that others see. Of what a pointer leads to a recorder shows only the beginning: there the text says it. */
export function sharedAt(
  one: Activation,
  { changes }: Ran,
  text: string,
): [name: string, value: string | undefined][] {
  const seen = changes.filter(([changed]) => isShared(changed, one));
  const through = one.arguments.filter(
    ([name, value]) =>
      POINTER.test(value) && !seen.some(([other]) => other === name) && writesThrough(name, text),
  );
  return [...seen, ...through.map(([name]): [string, undefined] => [name, undefined])];
}

const POINTER = /^0x[0-9a-f]{4,}/;
