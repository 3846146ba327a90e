/** Which variable a name means at a place, by dlv's rules. */
import { AT, TAG } from "../dwarf/constants.ts";
import type { Entry, Tree } from "../dwarf/entries.ts";
import { contains, rangesOf } from "../dwarf/lists.ts";
import type { Code } from "./code.ts";
import type { Spot } from "./places.ts";

interface Visible {
  entry: Entry;
  depth: number;
  line: number;
}

/** The innermost of its name that is declared before this line; of those in one block the last. */
export function localEntry(code: Code, spot: Spot, name: string): Entry | undefined {
  const names = [name, `&${name}`];
  const [best] = visible(code, spot, spot.tree, 0)
    .filter(({ entry }) => names.includes(entry.text(AT.name) ?? ""))
    .toReversed()
    .toSorted((a, b) => b.depth - a.depth || b.line - a.line);
  return best?.entry;
}

function visible(code: Code, spot: Spot, { entry, children }: Tree, depth: number): Visible[] {
  if (entry.tag === TAG.subprogram || entry.tag === TAG.lexicalBlock)
    return contains(rangesOf(code.info, entry), spot.address)
      ? children.flatMap((child) => visible(code, spot, child, depth + 1))
      : [];
  const line = entry.number(AT.declarationLine) ?? 0;
  if (entry.tag === TAG.formalParameter) return [{ entry, depth: depth <= 1 ? 0 : depth, line }];
  if (entry.tag !== TAG.variable) return [];
  const from = entry.has(AT.goClosureOffset) || line === 0 ? line : line + 1;
  return spot.line >= from ? [{ entry, depth, line }] : [];
}
