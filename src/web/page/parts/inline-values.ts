/**
 * Which values stand at which lines of a file: those of the stopped frame, at the lines of its function up to where it stands, where their
 * name occurs. They are the values of now. What was not run yet, and other functions, get none.
 */
import type { SourceLine, ValueLine } from "../state/data.ts";

const MOST_LINES_UP = 80;
const MOST_A_LINE = 4;

export function inlineValues(
  lines: readonly SourceLine[],
  current: number,
  functionName: string,
  values: readonly ValueLine[],
): Map<number, ValueLine[]> {
  const found = new Map<number, ValueLine[]>();
  const byName = new Map(
    values
      .filter(({ name }) => /^[\w$]+$/.test(name) && name !== "this" && name !== "self")
      .map((one) => [one.name, one]),
  );
  const first = lines[0]?.line ?? 1;
  const own = functionName.split(/[.:#]/).at(-1)?.replace(/\W.*$/, "") ?? "";
  const start = lines[current - first]?.text ?? "";
  for (let line = current; line >= Math.max(first, current - MOST_LINES_UP); line--) {
    const text = lines[line - first]?.text ?? "";
    const names = [...new Set(withoutStrings(text).match(/[A-Za-z_$][\w$]*/g) ?? [])];
    const here = names.flatMap((name) => byName.get(name) ?? []).slice(0, MOST_A_LINE);
    if (here.length > 0) found.set(line, here);
    if (line < current && isHead(text, own, start)) break;
  }
  return found;
}

/** The line where the function begins, as far as the text tells: its name before a bracket, or text farther left than a body can be. */
function isHead(text: string, own: string, start: string): boolean {
  if (
    own !== "" &&
    own !== "module" &&
    new RegExp(`\\b${own}\\b\\s*(=|:|\\()`).test(text) &&
    indent(text) < indent(start)
  )
    return true;
  return text.trim() !== "" && indent(text) === 0 && indent(start) > 0 && !/^\s*[)}\]]/.test(text);
}

function indent(text: string): number {
  return /^\s*/.exec(text)?.[0].length ?? 0;
}

/** Names in texts and comments to the end of a line are no names. */
function withoutStrings(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""').replace(/(\/\/|#\s).*$/, "");
}
