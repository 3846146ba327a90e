/** A short statement of several lines as a whole: its first line alone may hide what matters. By the text alone. */

/** Of longer ones the first line is enough. */
const MOST_LINES = 4;
export const STATEMENT_CHARS = 160;

/** A bracket of these opens code, which has lines of its own. */
const BLOCK = /(?:\)|=>|\b(?:else|try|finally|do|static|class [\w$ .]+))\s*$/;
const GOES_ON = /(?:[-+*/%&|^<>=?:,.([{\\]|\b(?:and|or|not|in|is|instanceof|typeof|new|await))$/;
const CONTINUES = /^\s*(?:\?\.|\.[\w$#]|&&|\|\||\?\?|\?\s|[+*/%]\s)/;

/** Its lines, without comments, with line breaks between them; of others the line as it is. `line` is counted from 1. */
export function wholeStatement(path: string, lines: readonly string[], line: number): string {
  const first = (lines[line - 1] ?? "").trim();
  const isPython = /\.pyw?$/.test(path);
  if (!isPython && !/\.[cm]?[jt]sx?$/.test(path)) return first;
  const scan = new Scan(isPython);
  const found: string[] = [];
  for (let at = line - 1; at < lines.length && found.length < MOST_LINES; at++) {
    const code = scan.line(lines[at] ?? "");
    if (code === undefined) return first;
    found.push(code);
    if (!scan.goesOn(code, lines[at + 1] ?? "")) {
      const whole = found.join("\n");
      return found.length === 1 || whole.length > STATEMENT_CHARS ? first : whole;
    }
  }
  return first;
}

/** How many lines it has besides the first, where it is shown as a whole. */
export function moreLines(path: string, lines: readonly string[], line: number): number {
  return wholeStatement(path, lines, line).split("\n").length - 1;
}

/** As one line of an answer: a whole statement has more room than a line. */
export function statementText(whole: string, chars: number): { text: string; most: number } {
  const isWhole = whole.includes("\n");
  return { text: whole.replaceAll("\n", " "), most: isWhole ? STATEMENT_CHARS : chars };
}

/** Brackets and strings, from line to line. */
class Scan {
  readonly #isPython: boolean;
  #open = 0;

  constructor(isPython: boolean) {
    this.#isPython = isPython;
  }

  /** Its code; nothing where a block begins in it, or a text that goes on: that is no short statement. */
  line(text: string): string | undefined {
    let code = "";
    for (let at = 0; at < text.length; at++) {
      const char = text[at] ?? "";
      if (this.#isComment(text, at)) break;
      if (/["'`]/.test(char)) {
        const end = stringEnd(text, at);
        if (end < 0) return undefined;
        code += text.slice(at, end + 1);
        at = end;
        continue;
      }
      if (char === "{" && !this.#isPython && BLOCK.test(code)) return undefined;
      if (/[([{]/.test(char)) this.#open++;
      if (/[)\]}]/.test(char)) this.#open--;
      code += char;
    }
    return this.#open < 0 ? undefined : code.trim();
  }

  goesOn(code: string, next: string): boolean {
    if (this.#open > 0) return true;
    if (this.#isPython) return code.endsWith("\\");
    return next.trim() !== "" && (GOES_ON.test(code) || CONTINUES.test(next));
  }

  #isComment(text: string, at: number): boolean {
    return this.#isPython ? text[at] === "#" : text.startsWith("//", at) || text.startsWith("/*", at);
  }
}

/** The index of the quote that ends a text; -1 where it does not end on its line. */
function stringEnd(text: string, from: number): number {
  const quote = text[from] ?? "";
  if (text.startsWith(quote.repeat(3), from)) return -1;
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === quote) return at;
  }
  return -1;
}
