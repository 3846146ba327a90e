/** Which lines are the function around a line, by its text: by indentation where that is the language's own rule, else by braces. Pure. */

export interface Range {
  first: number;
  last: number;
}

/** Nothing outside of every function. `name` is what the debugger calls it. */
export function functionRange(
  lines: readonly string[],
  line: number,
  { path = "", name }: { path?: string | undefined; name?: string | undefined } = {},
): Range | undefined {
  return /\.(py|pyi|pyx|rb)$/.test(path) ? byIndentation(lines, line) : byBraces(lines, line, name);
}

const DEFINITION = /^(\s*)(?:async\s+)?def\b/;

function byIndentation(lines: readonly string[], line: number): Range | undefined {
  const indent = (at: number) => /^\s*/.exec(lines[at - 1] ?? "")?.[0].length ?? 0;
  const isBlank = (at: number) => /^\s*(#.*)?$/.test(lines[at - 1] ?? "");
  for (let first = line; first >= 1; first--) {
    if (!DEFINITION.test(lines[first - 1] ?? "")) continue;
    let last = bodyStart(lines, first);
    for (let at = last + 1; at <= lines.length && (isBlank(at) || indent(at) > indent(first)); at++)
      if (!isBlank(at)) last = at;
    if (/^\s*end\b/.test(lines[last] ?? "") && indent(last + 1) === indent(first)) last++;
    if (last >= line) return { first: decorated(lines, first), last };
  }
  return undefined;
}

/** A head may go over several lines, and what closes its brackets stands as far left as `def`. */
function bodyStart(lines: readonly string[], first: number): number {
  let open = 0;
  for (let at = first; at <= lines.length; at++) {
    for (const char of lines[at - 1] ?? "") open += "([{".includes(char) ? 1 : ")]}".includes(char) ? -1 : 0;
    if (open <= 0) return at;
  }
  return first;
}

function decorated(lines: readonly string[], first: number): number {
  let at = first;
  while (at > 1 && /^\s*@\w/.test(lines[at - 2] ?? "")) at--;
  return at;
}

interface Block extends Range {
  header: string;
}

function byBraces(lines: readonly string[], line: number, name: string | undefined): Range | undefined {
  const around = blocksOf(lines.join("\n"))
    .filter((one) => one.first <= line && line <= one.last && isFunction(one.header))
    .sort((a, b) => b.first - a.first || a.last - b.last);
  const simple = name === undefined ? undefined : simpleName(name);
  const named =
    simple && around.find(({ header }) => new RegExp(`(^|[^\\w$])${simple}([^\\w$]|$)`).test(header));
  const found = named || around[0];
  return found && { first: found.first, last: found.last };
}

/** `main.(*Cart).Total` → `Total`, `ns::Box<int>::get(int)` → `get` */
function simpleName(name: string): string | undefined {
  return /([\w$]+)$/.exec(name.replace(/\(.*\)( const)?$|<[^<>]*>$/g, ""))?.[1];
}

const NO_FUNCTION =
  /^(?:\w+:\s*)?(?:else\s+)?(if|else|for|while|switch|do|try|catch|finally|loop|match|unsafe|select|namespace|class|struct|union|enum|interface|impl|mod|trait|with)\b/;

function isFunction(header: string): boolean {
  const text = header.replace(
    /^(?:export|default|pub(?:\([^)]*\))?|static|public|private|protected)\s+/g,
    "",
  );
  if (/=>$/.test(text)) return true;
  if (/[=(,:[?&|+]$|\breturn$/.test(text)) return false;
  if (/\b(function|func|fn)\b/.test(text)) return true;
  return !NO_FUNCTION.test(text) && /\)[^()=]*(?:\([^()]*\)[^()=]*)*$/.test(text);
}

/** What C++ puts on a line of its own before members. */
const ACCESS = /^\s*(public|protected|private)\s*$/;

/** Every pair of braces, with what stands before the first since the last statement ended. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const open: { first: number; header: string; parens: number }[] = [];
  let line = 1;
  let header = "";
  let headerLine = 1;
  let parens = 0;
  for (const { char, lines } of codeOf(text)) {
    line += lines;
    if (char === "{") {
      open.push({ first: header.trim() === "" ? line : headerLine, header: header.trim(), parens });
      parens = 0;
      header = "";
    } else if (char === "}") {
      const block = open.pop();
      if (block) blocks.push({ first: block.first, header: block.header, last: line });
      parens = block?.parens ?? 0;
      header = "";
    } else if ((char === ";" && parens === 0) || (char === ":" && ACCESS.test(header))) header = "";
    else {
      if (header.trim() === "" && char.trim() !== "") headerLine = line;
      parens += char === "(" ? 1 : char === ")" ? -1 : 0;
      header += char;
    }
  }
  return blocks;
}

/** In order: a comment, a string, a character (not a Rust lifetime), a line of the preprocessor, a regular expression where one may stand. */
const PASSED =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\[\s\S]|[^"\\])*"|`(?:\\[\s\S]|[^`\\])*`|'(?:\\[^\n]|[^'\\\n])+'(?!\w)|^[ \t]*#[^\n]*|(?<=[=(,:[!&|?{};]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\\n])+\//gm;

function* codeOf(text: string): Generator<{ char: string; lines: number }> {
  let at = 0;
  const plain = function* (end: number) {
    for (; at < end; at++) yield { char: text[at] ?? "", lines: text[at] === "\n" ? 1 : 0 };
  };
  for (const match of text.matchAll(PASSED)) {
    yield* plain(match.index);
    yield { char: " ", lines: match[0].split("\n").length - 1 };
    at = match.index + match[0].length;
  }
  yield* plain(text.length);
}
