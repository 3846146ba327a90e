/** The names a function's parameters bind, by its text: V8 lists them among the other locals. Pure. */
import { withoutComments } from "./code-text.ts";

/** Longer lists than this are not worth the search. */
const REACH = 4000;
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;
const PAIRS: Record<string, string> = { "(": ")", "[": "]", "{": "}" };

/** A function is stopped in again and again. */
const known = new Map<string, string[] | undefined>();
const KEPT = 100;

/** `text` from where V8 says that the function begins: mostly its bracket. Undefined if it does not look like a function. */
export function parameterNames(text: string): string[] | undefined {
  const start = text.slice(0, REACH);
  if (known.has(start)) return known.get(start);
  const names = namesIn(start);
  if (known.size >= KEPT) known.clear();
  known.set(start, names);
  return names;
}

function namesIn(text: string): string[] | undefined {
  const plain = withoutComments(text);
  const lone = /^(?:async\s+)?([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=>/u.exec(plain)?.[1];
  if (lone !== undefined) return [lone];
  const open = /^(?:async\b\s*)?(?:function\b\s*\*?\s*[\p{ID_Continue}$]*\s*)?\(/u.exec(plain);
  if (open === null) return undefined;
  const list = new BindingList(plain, open[0].length);
  try {
    list.until(")");
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
  return /^\s*(?:\{|=>)/.test(plain.slice(list.at)) ? list.names : undefined;
}

class Unreadable extends Error {}

class BindingList {
  readonly names: string[] = [];
  readonly #text: string;
  at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  /** Bindings up to the bracket that closes them: parameters, or the items of `[a, b]`. */
  until(closing: ")" | "]"): void {
    while (!this.#take(closing)) {
      if (this.#take(",")) continue;
      this.#take("...");
      this.#binding();
      this.#default();
    }
  }

  #binding(): void {
    if (this.#take("[")) this.until("]");
    else if (this.#take("{")) this.#properties();
    else this.names.push(this.#name());
  }

  #properties(): void {
    while (!this.#take("}")) {
      if (this.#take(",")) continue;
      if (this.#take("...")) {
        this.#binding();
        continue;
      }
      const key = this.#key();
      if (this.#take(":")) this.#binding();
      else if (key === undefined) throw new Unreadable();
      else this.names.push(key);
      this.#default();
    }
  }

  /** A property's name, if it can be a variable's. */
  #key(): string | undefined {
    this.#space();
    const char = this.#text[this.at] ?? "";
    if (char === "[") {
      this.#skipGroup();
      return undefined;
    }
    const quoted = char === '"' || char === "'" ? this.#text.indexOf(char, this.at + 1) : -1;
    if (quoted > 0) {
      this.at = quoted + 1;
      return undefined;
    }
    const number = /^\d[\w.]*/.exec(this.#text.slice(this.at, this.at + 40))?.[0];
    if (number === undefined) return this.#name();
    this.at += number.length;
    return undefined;
  }

  /** Steps over `= value`. */
  #default(): void {
    if (!this.#take("=")) return;
    for (;;) {
      const char = this.#text[this.at];
      if (char === undefined) throw new Unreadable();
      if (char === "," || char === ")" || char === "]" || char === "}") return;
      if (PAIRS[char] === undefined) this.at++;
      else this.#skipGroup();
    }
  }

  #skipGroup(): void {
    const closers: string[] = [];
    do {
      const char = this.#text[this.at++];
      if (char === undefined) throw new Unreadable();
      const closer = PAIRS[char];
      if (closer !== undefined) closers.push(closer);
      else if (char === closers.at(-1)) closers.pop();
    } while (closers.length > 0);
  }

  #name(): string {
    this.#space();
    NAME.lastIndex = this.at;
    const name = NAME.exec(this.#text)?.[0];
    if (name === undefined) throw new Unreadable();
    this.at += name.length;
    return name;
  }

  #take(sign: string): boolean {
    this.#space();
    if (!this.#text.startsWith(sign, this.at)) return false;
    this.at += sign.length;
    return true;
  }

  #space(): void {
    while (/\s/.test(this.#text[this.at] ?? "")) this.at++;
  }
}
