/**
 * Whether a `try` around a line catches, read from the source: Xdebug stops where an exception is thrown and does not know what
 * becomes of it.
 */

export interface TryBlock {
  from: number;
  to: number;
  /** Class names as written. */
  catches: string[];
}

const SKIPPED =
  /\/\*[\s\S]*?\*\/|(?:\/\/|#(?!\[))[^\n]*|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|<<<\s*["']?(\w+)["']?\r?\n[\s\S]*?\n\s*\1\b/g;

/** Every `try` with its lines and what it catches. */
export function tryBlocks(source: string): TryBlock[] {
  // Same length, same lines; no braces but code's.
  const code = source.replace(SKIPPED, (text) => text.replace(/[^\n]/g, " "));
  const lineOf = (offset: number) => code.slice(0, offset).split("\n").length;
  return [...code.matchAll(/\btry\s*\{/g)].flatMap(({ index, 0: word }) => {
    const open = index + word.length - 1;
    const close = closing(code, open);
    if (close === undefined) return [];
    return [{ from: lineOf(open), to: lineOf(close), catches: catchesAfter(code, close + 1) }];
  });
}

function catchesAfter(code: string, start: number): string[] {
  const found: string[] = [];
  const next = /\s*catch\s*\(\s*([^)$]*?)\s*(?:\$\w+\s*)?\)\s*\{/y;
  for (let at = start; ; ) {
    next.lastIndex = at;
    const match = next.exec(code);
    if (match === null) return found;
    found.push(
      ...(match[1] ?? "")
        .split("|")
        .map((one) => one.trim())
        .filter(Boolean),
    );
    const close = closing(code, next.lastIndex - 1);
    if (close === undefined) return found;
    at = close + 1;
  }
}

function closing(code: string, open: number): number | undefined {
  let depth = 0;
  for (let i = open; i < code.length; i++) {
    if (code[i] === "{") depth++;
    else if (code[i] === "}" && --depth === 0) return i;
  }
  return undefined;
}
