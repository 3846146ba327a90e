/** Expressions of Go over variables that a probe can fetch: read into a tree, with the paths that they name. */
import { Unfit } from "../language.ts";
import { Paths } from "../paths.ts";

export type Step =
  | { op: "."; name: string }
  | { op: "[]"; index: number }
  | { op: "*" }
  | { op: "len" | "cap" };

export interface Path {
  root: string;
  steps: Step[];
}

export type Literal = bigint | boolean | string | null;

export type Expression =
  | { path: number }
  | { literal: Literal }
  | { op: string; operands: [Expression] | [Expression, Expression]; text: string };

/** Of one point: its expressions share the paths they read. */
export class Reading extends Paths<Path> {
  /** Throws Unfit. */
  parse(text: string): Expression {
    return new Parser(text, this).whole();
  }
}

const TOKEN =
  /\s*(?:(0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_]*)(?![\p{L}\p{N}.])|("(?:[^"\\\p{Cc}]|\\[\\"nrt])*")|([\p{L}_][\p{L}\p{N}_]*)|(&&|\|\||<<|>>|<=|>=|==|!=|&\^|[-+*/%&|^!<>()[\].]))/uy;

const PRECEDENCE: Record<string, number> = {
  ...{ "||": 1, "&&": 2 },
  ...{ "==": 3, "!=": 3, "<": 3, "<=": 3, ">": 3, ">=": 3 },
  ...{ "+": 4, "-": 4, "|": 4, "^": 4 },
  ...{ "*": 5, "/": 5, "%": 5, "<<": 5, ">>": 5, "&": 5, "&^": 5 },
};

const WORDS: Record<string, Literal> = { true: true, false: false, nil: null };
const KEYWORDS = /^(chan|func|interface|map|struct|range|type|var|const|package)$/;

type Token =
  | { kind: "literal"; value: Literal }
  | { kind: "name"; text: string }
  | { kind: "sign"; text: string };

function tokens(text: string): Token[] {
  const found: Token[] = [];
  for (let at = 0; text.slice(at).trim() !== ""; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) throw more(text);
    const [, number, quoted, name, sign] = match;
    if (number !== undefined) found.push({ kind: "literal", value: whole(number, text) });
    else if (quoted !== undefined) found.push({ kind: "literal", value: JSON.parse(quoted) as string });
    else if (name !== undefined && name in WORDS) found.push({ kind: "literal", value: WORDS[name] ?? null });
    else if (name !== undefined) found.push({ kind: "name", text: name });
    else if (sign !== undefined) found.push({ kind: "sign", text: sign });
  }
  return found;
}

function whole(number: string, text: string): bigint {
  const plain = number.replaceAll("_", "");
  if (number.endsWith("_")) throw more(text);
  return BigInt(/^0\d/.test(plain) ? `0o${plain.slice(1)}` : plain);
}

function more(text: string): Unfit {
  return new Unfit(`\`${text}\` uses more than variables and whole numbers`);
}

class Parser {
  readonly #text: string;
  readonly #tokens: Token[];
  readonly #reading: Reading;
  #at = 0;

  constructor(text: string, reading: Reading) {
    this.#text = text;
    this.#tokens = tokens(text);
    this.#reading = reading;
  }

  whole(): Expression {
    const expression = this.#kept(this.#binary(1));
    if (this.#at < this.#tokens.length) throw more(this.#text);
    return expression;
  }

  #take(...signs: string[]): string | undefined {
    const token = this.#tokens[this.#at];
    if (token?.kind !== "sign" || !signs.includes(token.text)) return undefined;
    this.#at++;
    return token.text;
  }

  #binary(least: number): Expression | Path {
    let left = this.#unary();
    for (;;) {
      const token = this.#tokens[this.#at];
      const rank = token?.kind === "sign" ? (PRECEDENCE[token.text] ?? 0) : 0;
      if (token?.kind !== "sign" || rank < least) return left;
      this.#at++;
      const right = this.#binary(rank + 1);
      left = { op: token.text, operands: [this.#kept(left), this.#kept(right)], text: this.#text };
    }
  }

  #unary(): Expression | Path {
    const op = this.#take("!", "-", "^", "+");
    if (op !== undefined)
      return { op: `unary ${op}`, operands: [this.#kept(this.#unary())], text: this.#text };
    if (!this.#take("*")) return this.#primary();
    const inner = this.#pathOf(this.#unary());
    return { root: inner.root, steps: [...inner.steps, { op: "*" }] };
  }

  /** Only the paths that are left in the end are read. */
  #kept(expression: Expression | Path): Expression {
    return "root" in expression ? { path: this.#reading.path(expression) } : expression;
  }

  #pathOf(expression: Expression | Path): Path {
    if (!("root" in expression)) throw more(this.#text);
    return expression;
  }

  #primary(): Expression | Path {
    const token = this.#tokens[this.#at++];
    if (token?.kind === "literal") return { literal: token.value };
    if (token?.kind === "sign" && token.text === "(") {
      const inner = this.#binary(1);
      if (!this.#take(")")) throw more(this.#text);
      return "root" in inner ? this.#steps(inner) : inner;
    }
    if (token?.kind !== "name" || KEYWORDS.test(token.text)) throw more(this.#text);
    if ((token.text === "len" || token.text === "cap") && this.#take("(")) {
      const inner = this.#pathOf(this.#binary(1));
      if (!this.#take(")")) throw more(this.#text);
      return { root: inner.root, steps: [...inner.steps, { op: token.text }] };
    }
    return this.#steps({ root: token.text, steps: [] });
  }

  #steps({ root, steps: start }: Path): Path {
    const steps = [...start];
    for (;;) {
      const sign = this.#take(".", "[");
      if (sign === undefined) break;
      const next = this.#tokens[this.#at++];
      if (sign === "." && next?.kind === "name") steps.push({ op: ".", name: next.text });
      else if (sign === "[" && next?.kind === "literal" && isIndex(next.value) && this.#take("]"))
        steps.push({ op: "[]", index: Number(next.value) });
      else throw more(this.#text);
    }
    return { root, steps };
  }
}

function isIndex(value: Literal): value is bigint {
  return typeof value === "bigint" && value < 1n << 31n;
}
