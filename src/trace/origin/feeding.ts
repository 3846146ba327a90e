/** Lines of a function that lead to a statement of it, by the text alone: those above it that name what it reads. Pure. */
import { indentOf } from "./conditions.ts";
import { assigns, assignsPart, isHead, type Statement, statementOf } from "./reading.ts";

export interface Feeding {
  lines: number[];
  /** Names that those lines give values: what they are at the statement they need not be before. */
  written: string[];
}

const FAR_UP = 400;
/** A function begins; also `test("…", () => {`. */
const BEGINS = /^\s*(?:async\s+)?def\s|\bfunction\b|=>\s*\{?\s*$/;
const OBJECTS_OWN = new Set(["self", "this", "cls"]);

export function feedingOf(source: readonly string[], { first, names, called }: Statement): Feeding {
  const wanted = new Set([...names, ...called].filter((name) => !OBJECTS_OWN.has(name)));
  const lines: number[] = [];
  const written = new Set<string>();
  const indent = indentOf(source[first - 1]);
  for (let line = first - 1; line > Math.max(0, first - FAR_UP); line--) {
    const text = source[line - 1] ?? "";
    if (BEGINS.test(text) && indentOf(text) < indent) break;
    if (text.trim() === "" || isHead(text)) continue;
    const statement = statementOf(source, line);
    const mentioned = [...statement.names, ...statement.called].filter((name) => wanted.has(name));
    if (mentioned.length === 0) continue;
    lines.push(line);
    const given = mentioned.filter(
      (name) => assigns(name, statement.text) || assignsPart(name, statement.text),
    );
    for (const name of given) written.add(name);
    if (given.length > 0) for (const name of statement.names) if (!OBJECTS_OWN.has(name)) wanted.add(name);
  }
  return { lines, written: [...written] };
}
