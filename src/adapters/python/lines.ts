/**
 * Lines of a Python file that hold no code. debugpy takes a breakpoint there back to the code before, which has then long run;
 * a reader means the code after it.
 */

/** Compiles to nothing, so that debugpy would stop in the branch above it. */
const BARE = /^\s*(else|finally)\s*:\s*(#.*)?$/;

/** 1-based, for each line whether something on it can run; lines within a statement count as code. */
export function codeLines(text: string): boolean[] {
  const lines = text.split(/\r\n|\r|\n/);
  const code: boolean[] = [false];
  let depth = 0;
  /** The quotes of a string that goes on from the line before, and whether it is a statement of its own. */
  let open: { quotes: string; alone: boolean } | undefined;
  let continued = false;
  for (const line of lines) {
    const began = open;
    const fresh = depth === 0 && !continued && !began;
    let rest = line;
    let seen = began !== undefined && !began.alone;
    continued = false;
    if (open) {
      const end = endOfString(rest, open.quotes);
      if (end < 0) {
        code.push(seen);
        continue;
      }
      rest = rest.slice(end);
      open = undefined;
    }
    const docstring = fresh ? /^\s*[rRuU]?("""|''')/.exec(rest) : null;
    if (docstring?.[1] !== undefined) {
      const end = endOfString(rest.slice(docstring[0].length), docstring[1]);
      if (end < 0) {
        open = { quotes: docstring[1], alone: true };
        code.push(false);
        continue;
      }
      rest = rest.slice(docstring[0].length + end);
    }
    while (rest !== "") {
      const token = /^(?:\s+|#.*|[rRbBuUfFtT]{0,2}("""|'''|"|')|\\$|[^\s#"'\\()[\]{}]+|.)/s.exec(rest);
      const [found = rest, quotes] = token ?? [];
      rest = rest.slice(found.length);
      if (/^\s/.test(found) || found.startsWith("#")) continue;
      seen = true;
      if (found === "\\" && rest === "") continued = true;
      else if ("([{".includes(found)) depth += 1;
      else if (")]}".includes(found)) depth = Math.max(0, depth - 1);
      else if (quotes !== undefined) {
        const end = endOfString(rest, quotes);
        if (end >= 0) rest = rest.slice(end);
        else {
          if (quotes.length === 3) open = { quotes, alone: false };
          rest = "";
        }
      }
    }
    code.push(seen && !(fresh && BARE.test(line)));
  }
  if (lines.at(-1) === "") code.pop();
  return code;
}

/** Behind the closing quotes; -1 when they are not on this line. */
function endOfString(text: string, quotes: string): number {
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\\") i += 1;
    else if (text.startsWith(quotes, i)) return i + quotes.length;
  }
  return -1;
}

/** Where a breakpoint for this line belongs, or why it has no place. */
export function placeFor(code: readonly boolean[], line: number): { line: number } | { problem: string } {
  const last = code.length - 1;
  if (line > last) return { problem: `the file has ${last} line${last === 1 ? "" : "s"}` };
  const at = code.indexOf(true, line);
  return at < 0 ? { problem: "there is no code on this line or after it" } : { line: at };
}
