/** Lines without code, told from the text alone: blank ones, and those that are comments. Pure. */

/** Languages whose comments begin with a number sign; in others such a line may be code. */
const HASH = /\.(?:py|pyw|rb|pl|pm|t|sh)$/;

/** @param line from 1 */
export function isBareLine(path: string, text: string, line: number): boolean {
  const lines = text.split(/\r\n|\n|\r/);
  const asked = lines[line - 1];
  if (asked === undefined) return false;
  const words = asked.trim();
  if (words === "") return true;
  if (HASH.test(path)) return words.startsWith("#");
  let isInside = false;
  for (const one of lines.slice(0, line - 1)) isInside = rest(one, isInside).isInside;
  return rest(asked, isInside).code.trim() === "";
}

/** What is left of a line without its comments, and whether one goes on behind it. */
function rest(line: string, wasInside: boolean): { code: string; isInside: boolean } {
  let code = "";
  let at = 0;
  let isInside = wasInside;
  while (at < line.length) {
    if (isInside) {
      const end = line.indexOf("*/", at);
      if (end < 0) return { code, isInside };
      isInside = false;
      at = end + 2;
      continue;
    }
    const found = /\/\/|\/\*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/.exec(line.slice(at));
    if (found === null) return { code: code + line.slice(at), isInside };
    const [sign] = found;
    code += line.slice(at, at + found.index);
    if (sign === "//") return { code, isInside };
    isInside = sign === "/*";
    if (!isInside) code += sign;
    at += found.index + sign.length;
  }
  return { code, isInside };
}
