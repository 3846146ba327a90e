/** Where statements begin, and in which function: by the text alone, with strings and brackets that go over several lines. Pure. */
import type { Statement } from "../language.ts";

const TOKEN = /"""|'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|#.*$|[([{]|[)\]}]|\\$/g;

/** Nothing where the text is not understood. */
export function statements(lines: readonly string[]): Statement[] | undefined {
  const found: (Statement & { indent: number })[] = [];
  let quote = "";
  let depth = 0;
  let goesOn = false;
  for (const [at, text] of lines.entries()) {
    let rest = text;
    let code = "";
    const isNew = quote === "" && depth === 0 && !goesOn;
    goesOn = false;
    while (rest !== "") {
      if (quote !== "") {
        const end = new RegExp(String.raw`^(?:[^\\]|\\.)*?${quote}`).exec(rest);
        if (end === null) break;
        rest = rest.slice(end[0].length);
        quote = "";
      }
      TOKEN.lastIndex = 0;
      const token = TOKEN.exec(rest);
      code += rest.slice(0, token?.index ?? rest.length);
      if (token === null) break;
      const [sign] = token;
      rest = rest.slice(token.index + sign.length);
      if (sign === '"""' || sign === "'''") quote = sign;
      else if (sign === "\\") goesOn = true;
      else if (/^[([{]$/.test(sign)) depth++;
      else if (/^[)\]}]$/.test(sign)) depth--;
      if (/^[([{]$/.test(sign)) code += sign;
    }
    if (depth < 0 || (quote === "" && /["']/.test(code))) return undefined;
    const last = found.at(-1);
    if (!isNew && last !== undefined) last.last = at + 1;
    if (!isNew || code.trim() === "") continue;
    const indent = text.search(/\S/);
    found.push({ first: at + 1, last: at + 1, code, indent, within: scopeOf(found, indent) });
  }
  return quote === "" && depth === 0 ? found : undefined;
}

const SCOPE = /^\s*(?:async\s+def|def|class)\s/;

/** The line of the function or class that it lies in. */
function scopeOf(before: readonly (Statement & { indent: number })[], indent: number): number {
  let left = indent;
  for (let at = before.length - 1; at >= 0 && left > 0; at--) {
    const one = before[at];
    if (one === undefined || one.indent >= left) continue;
    if (SCOPE.test(one.code)) return one.first;
    left = one.indent;
  }
  return 0;
}
