/** A value that a helper was given, and compared: where the one who called the helper got it from. Pure. */
import type { Activation } from "./activations.ts";
import { type Question, Search, type Source, type Stood } from "./search.ts";
import { isPart, isSameValue, isTelling } from "./values.ts";

/**
 * Outward from the frame that failed, as long as each was given a value in question by the one before: the call there that returned it.
 * Values that a statement states itself are what is expected.
 */
export function handedIn(
  all: readonly Activation[],
  stack: readonly Stood[],
  question: Question,
  from: number,
): Source | undefined {
  let values = [...question.compared, ...readBy(stack[from])].filter(isTelling);
  for (let at = from + 1; at < stack.length; at++) {
    const [one, inner] = [stack[at], stack[at - 1]?.active];
    if (one === undefined || inner === undefined) return undefined;
    const unstated = values.filter((value) => !one.statement.text.includes(bare(value)));
    const given = inner.arguments
      .map(([, value]) => value)
      .filter((whole) => unstated.some((value) => isSameValue(value, whole) || isPart(value, whole)));
    if (given.length === 0) return undefined;
    const found = new Search(all, one, { ...question, inner, given, at }).sure();
    if (found !== undefined) return found;
    values = given;
  }
  return undefined;
}

/** What the names of its statement held. */
function readBy(stood: Stood | undefined): string[] {
  if (stood === undefined) return [];
  const { active, statement } = stood;
  const told = [...active.arguments, ...active.lines.flatMap(({ changes }) => changes)];
  return statement.names.flatMap((name) => told.findLast(([one]) => one === name)?.[1] ?? []);
}

function bare(value: string): string {
  return value.replace(/^["'](.*)["']$/s, "$1");
}
