/** Where the keys of a TOML text stand: the parser tells the place of a syntax error only. Takes text that has been parsed. */

/** One part of a key: bare or in quotes; then whether another part follows. */
const KEY_PART = /[ \t]*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([\w-]+))[ \t]*(\.?)/y;
const BLANK = /(?:\s|#[^\n]*)+/y;
/** What a value consists of, so that a string or a list over several lines is not taken for keys. */
const VALUE_PIECE =
  /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[\]{}\n]|[^"'#[\]{}\n]+/y;

/** The line of this key, or of the nearest table or key around it (an inline table is one line). */
export function lineOfKey(text: string, keys: readonly string[]): number {
  const lines = keyLines(text);
  for (let length = keys.length; length > 0; length--) {
    const line = lines.get(nameOf(keys.slice(0, length)));
    if (line !== undefined) return line;
  }
  return 1;
}

function nameOf(keys: readonly string[]): string {
  return JSON.stringify(keys);
}

/** Every table and key, the first time it occurs; `[a.b]` also stands for `a` when nothing else does. */
function keyLines(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  let table: string[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) return undefined;
    at = pattern.lastIndex;
    return match;
  };
  const takeKey = (): string[] => {
    const parts: string[] = [];
    for (let part = take(KEY_PART); part; part = take(KEY_PART)) {
      parts.push(part[1] ?? part[2] ?? part[3] ?? "");
      if (part[4] !== ".") break;
    }
    return parts;
  };
  const note = (keys: readonly string[], line: number) => {
    for (let length = 1; length <= keys.length; length++) {
      const name = nameOf(keys.slice(0, length));
      if (!lines.has(name)) lines.set(name, line);
    }
  };
  const skipValue = () => {
    let depth = 0;
    for (let piece = take(VALUE_PIECE); piece; piece = take(VALUE_PIECE)) {
      const [word] = piece;
      if (word === "[" || word === "{") depth++;
      else if (word === "]" || word === "}") depth--;
      else if (word === "\n" && depth <= 0) return;
    }
  };
  while (at < text.length) {
    take(BLANK);
    if (at >= text.length) break;
    const line = text.slice(0, at).split("\n").length;
    const header = take(/\[\[?/y) !== undefined;
    const keys = takeKey();
    if (header) table = keys;
    note(header ? table : [...table, ...keys], line);
    skipValue(); // of a header: its closing bracket
  }
  return lines;
}
