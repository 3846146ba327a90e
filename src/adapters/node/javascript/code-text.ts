/** Program text with comments and the insides of strings made blank: same length, same lines, safe to search. */

/** After one of these a slash begins a regular expression, not a division. */
const BEFORE_REGEXP =
  /(?:^|[=(,:;!&|?{}[\]+\-*%<>~^]|\b(?:return|typeof|case|in|of|delete|void|throw|new|do|else|yield|await|instanceof))\s*$/;

export const blank = (text: string): string => text.replace(/[^\n\r]/g, " ");

export function withoutComments(source: string): string {
  return new Blanking(source).run();
}

class Blanking {
  readonly #source: string;
  #out = "";
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  run(): string {
    if (this.#source.startsWith("#!")) this.#blankTo(this.#lineEnd());
    this.#code(undefined);
    return this.#out;
  }

  /** Copies code up to the end, or to the brace that closes a template's `${`. */
  #code(closing: "}" | undefined): void {
    let depth = 0;
    while (this.#at < this.#source.length) {
      const char = this.#source[this.#at] ?? "";
      const next = this.#source[this.#at + 1];
      if (char === "/" && next === "/") this.#blankTo(this.#lineEnd());
      else if (char === "/" && next === "*") this.#blankTo(this.#after("*/", this.#at + 2));
      else if (char === '"' || char === "'") this.#string(char);
      else if (char === "`") this.#template();
      else if (char === "/" && BEFORE_REGEXP.test(this.#out.slice(-40))) this.#regExp();
      else {
        if (char === "{") depth++;
        else if (char === "}" && depth-- === 0 && closing !== undefined) return;
        this.#out += char;
        this.#at++;
      }
    }
  }

  #string(quote: string): void {
    let end = this.#at + 1;
    while (end < this.#source.length && this.#source[end] !== quote && this.#source[end] !== "\n")
      end += this.#source[end] === "\\" ? 2 : 1;
    this.#keepEnds(Math.min(end + 1, this.#source.length));
  }

  #template(): void {
    this.#out += "`";
    this.#at++;
    while (this.#at < this.#source.length) {
      const char = this.#source[this.#at];
      if (char === "`") {
        this.#out += "`";
        this.#at++;
        return;
      }
      if (char === "$" && this.#source[this.#at + 1] === "{") {
        this.#out += "${";
        this.#at += 2;
        this.#code("}");
        this.#out += "}";
        this.#at++;
      } else this.#blankTo(this.#at + (char === "\\" ? 2 : 1));
    }
  }

  #regExp(): void {
    let end = this.#at + 1;
    let inClass = false;
    while (end < this.#source.length && this.#source[end] !== "\n") {
      const char = this.#source[end];
      if (char === "/" && !inClass) break;
      if (char === "[") inClass = true;
      else if (char === "]") inClass = false;
      end += char === "\\" ? 2 : 1;
    }
    this.#keepEnds(Math.min(end + 1, this.#source.length));
  }

  /** Blanks a literal but for its delimiters. */
  #keepEnds(end: number): void {
    const text = this.#source.slice(this.#at, end);
    this.#out += text.length < 2 ? text : text[0] + blank(text.slice(1, -1)) + text.at(-1);
    this.#at = end;
  }

  #blankTo(end: number): void {
    const stop = Math.min(end, this.#source.length);
    this.#out += blank(this.#source.slice(this.#at, stop));
    this.#at = stop;
  }

  #lineEnd(): number {
    const end = this.#source.indexOf("\n", this.#at);
    return end < 0 ? this.#source.length : end;
  }

  #after(text: string, from: number): number {
    const found = this.#source.indexOf(text, from);
    return found < 0 ? this.#source.length : found + text.length;
  }
}

const BLANK_OR_COMMENT = /(?:\s+|\/\/.*|\/\*[\s\S]*?(?:\*\/|$))*/y;

/** Whether there is nothing but blanks and comments from here to the end. */
export function isBlankFrom(source: string, offset: number): boolean {
  BLANK_OR_COMMENT.lastIndex = offset;
  BLANK_OR_COMMENT.test(source);
  return BLANK_OR_COMMENT.lastIndex >= source.length;
}

/** Lines (0-based) that look as if they hold code: the fallback where V8 cannot be asked. */
export function linesWithCode(source: string, sign = /[\w$"'`]/): number[] {
  const lines = withoutComments(source).split("\n");
  return lines.flatMap((line, at) =>
    sign.test(line) && !/^\s*(?:else|try|finally|do)?\s*$/.test(line) ? [at] : [],
  );
}

/** The last line (0-based) that is not for certain a blank or a comment; -1 if all are. */
export function lastCodeLine(source: string): number {
  const plain = withoutComments(source).split("\n");
  // The blanking is a guess where it meets JSX or an odd regular expression: a line must look empty, too.
  return source
    .split("\n")
    .findLastIndex((line, at) => plain[at]?.trim() !== "" || !/^\s*(?:$|\/\/|\/\*|\*)/.test(line));
}

/** Where a text's code ends (0-based): behind it, there is nothing but blanks and comments. */
export function codeEnd(source: string): { line: number; column: number } {
  const lines = withoutComments(source).trimEnd().split("\n");
  return { line: lines.length - 1, column: lines.at(-1)?.length ?? 0 };
}

/** An ES module as a function body: V8 compiles modules only when it runs them. Positions stay. */
export function moduleAsBody(source: string): string {
  const plain = withoutComments(source);
  let out = source;
  const put = (at: number, length: number, text: string) => {
    out = out.slice(0, at) + text.padEnd(length) + out.slice(at + length);
  };
  for (const match of plain.matchAll(/\bimport\.meta\b/g)) put(match.index, match[0].length, "(0).__meta_");
  for (const match of plain.matchAll(/^([ \t]*)import\b(?!\s*[.(])[^;'"`]*(?:["'`][^"'`]*["'`])?[^;\n]*;?/gm))
    put(match.index, match[0].length, blank(match[0]));
  for (const match of plain.matchAll(/\bexport\s+default\b/g))
    put(match.index, match[0].length, `void${blank(match[0].slice(4))}`);
  for (const match of plain.matchAll(
    /\bexport\s*(?:\{[^}]*\}|\*(?:\s*as\s+[\w$]+)?)\s*(?:from\s*["'][^"']*["'])?/g,
  ))
    put(match.index, match[0].length, blank(match[0]));
  for (const match of plain.matchAll(/\bexport\b(?=\s+(?:const|let|var|function|class|async)\b)/g))
    put(match.index, match[0].length, "      ");
  return out;
}
