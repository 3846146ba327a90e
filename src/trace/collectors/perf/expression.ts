/** Expressions of C over variables that a probe can fetch: paths, and whole numbers with C's operators and conversions. */
import type { Path, PathStep } from "./informant.ts";
import { Paths } from "./paths.ts";

export interface Operation {
  op: string;
  operands: Expression[];
}

export type Expression = { path: number } | { literal: Value } | Operation;

/** A whole number with its type after promotion, or a truth value. */
export interface Value {
  value: bigint;
  bits: 32 | 64;
  signed: boolean;
  bool?: true;
}

/** Of one point: its expressions share the paths they read. */
export class Reading extends Paths<Path> {
  parse(text: string): Expression {
    return new Parser(text, this).whole();
  }
}

/** Not an expression that is read this way; LLDB itself may know better. */
export class NotSimple extends Error {}

const TOKEN =
  /\s*(?:(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)(?![\w.])|'(\\?[^'\\]|\\[\\'])'|([A-Za-z_]\w*)|(->|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>()[\].]))/y;

const PRECEDENCE: Record<string, number> = {
  "||": 1,
  "&&": 2,
  "|": 3,
  "^": 4,
  "&": 5,
  "==": 6,
  "!=": 6,
  "<": 7,
  ">": 7,
  "<=": 7,
  ">=": 7,
  "<<": 8,
  ">>": 8,
  "+": 9,
  "-": 9,
  "*": 10,
  "/": 10,
  "%": 10,
};

interface Token {
  kind: "number" | "name" | "sign";
  text: string;
  value?: Value;
}

const ESCAPED: Record<string, number> = { n: 10, t: 9, r: 13, "0": 0, "\\": 92, "'": 39 };
/** Words that are no variables, whatever their look. */
const WORDS =
  /^(sizeof|struct|class|enum|union|const|unsigned|signed|int|long|short|char|new|delete|nullptr)$/;

function tokens(text: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  while (text.slice(at).trim() !== "") {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) throw new NotSimple(`\`${text}\` uses more than variables and whole numbers`);
    at = TOKEN.lastIndex;
    const [, number, suffix = "", char, name, sign] = match;
    if (number !== undefined) found.push({ kind: "number", text: number, value: literal(number, suffix) });
    else if (char !== undefined) {
      const code = char.startsWith("\\") ? ESCAPED[char.slice(1)] : char.charCodeAt(0);
      if (code === undefined || code > 127) throw new NotSimple(`'${char}' is an unusual character`);
      found.push({ kind: "number", text: char, value: int(BigInt(code)) });
    } else if (name === "true" || name === "false")
      found.push({ kind: "number", text: name, value: truth(name === "true") });
    else if (name !== undefined) found.push({ kind: "name", text: name });
    else if (sign !== undefined) found.push({ kind: "sign", text: sign });
  }
  return found;
}

function literal(text: string, suffix: string): Value {
  const value = BigInt(/^0\d/.test(text) ? `0o${text.slice(1)}` : text);
  const unsigned = /u/i.test(suffix);
  const decimal = /^[1-9]/.test(text);
  const long = /l/i.test(suffix);
  if (!long && !unsigned && value < 1n << 31n) return int(value);
  if (!long && (unsigned || !decimal) && value < 1n << 32n) return { value, bits: 32, signed: false };
  if (!unsigned && value < 1n << 63n) return { value, bits: 64, signed: true };
  if (value >= 1n << 64n) throw new NotSimple(`${text} is too large`);
  return { value, bits: 64, signed: false };
}

function int(value: bigint): Value {
  return { value, bits: 32, signed: true };
}

function truth(value: boolean): Value {
  return { value: value ? 1n : 0n, bits: 32, signed: true, bool: true };
}

class Parser {
  readonly #tokens: Token[];
  readonly #reading: Reading;
  readonly #text: string;
  /** All that were met on the way. */
  readonly #paths: Path[] = [];
  #at = 0;

  constructor(text: string, reading: Reading) {
    this.#text = text;
    this.#tokens = tokens(text);
    this.#reading = reading;
  }

  whole(): Expression {
    const expression = this.#binary(1);
    if (this.#at < this.#tokens.length) throw this.#odd();
    return this.#kept(expression);
  }

  /** Only the paths that are left in the end are read. */
  #kept(expression: Expression): Expression {
    if ("path" in expression) return { path: this.#reading.path(this.#pathOf(expression)) };
    if ("literal" in expression) return expression;
    return { op: expression.op, operands: expression.operands.map((one) => this.#kept(one)) };
  }

  #odd(): NotSimple {
    return new NotSimple(`\`${this.#text}\` uses more than variables and whole numbers`);
  }

  #take(...signs: string[]): string | undefined {
    const token = this.#tokens[this.#at];
    if (token?.kind !== "sign" || !signs.includes(token.text)) return undefined;
    this.#at++;
    return token.text;
  }

  #binary(least: number): Expression {
    let left = this.#unary();
    for (;;) {
      const token = this.#tokens[this.#at];
      const rank = token?.kind === "sign" ? (PRECEDENCE[token.text] ?? 0) : 0;
      if (token === undefined || rank < least) return left;
      this.#at++;
      const right = this.#binary(rank + 1);
      // What LLDB makes of a division by zero depends on how it evaluates.
      if (/[/%]/.test(token.text) && !("literal" in right && right.literal.value !== 0n)) throw this.#odd();
      left = { op: token.text, operands: [left, right] };
    }
  }

  #unary(): Expression {
    const op = this.#take("!", "-", "~", "+");
    if (op !== undefined) return { op: op === "!" ? "!" : `unary ${op}`, operands: [this.#unary()] };
    if (this.#take("*")) {
      const inner = this.#pathOf(this.#unary());
      return this.#found({ ...inner, steps: [...inner.steps, { op: "*" }] });
    }
    return this.#primary();
  }

  #found(path: Path): Expression {
    return { path: this.#paths.push(path) - 1 };
  }

  #pathOf(expression: Expression): Path {
    const path = "path" in expression ? this.#paths[expression.path] : undefined;
    if (path === undefined) throw this.#odd();
    return path;
  }

  #primary(): Expression {
    const token = this.#tokens[this.#at++];
    if (token?.kind === "number" && token.value !== undefined) return { literal: token.value };
    if (token?.kind === "sign" && token.text === "(") {
      const inner = this.#binary(1);
      if (!this.#take(")")) throw this.#odd();
      return "path" in inner ? this.#steps(this.#pathOf(inner)) : inner;
    }
    if (token?.kind !== "name" || WORDS.test(token.text)) throw this.#odd();
    return this.#steps({ root: token.text, steps: [] });
  }

  #steps(start: Path): Expression {
    const steps: PathStep[] = [...start.steps];
    for (;;) {
      const sign = this.#take(".", "->", "[");
      if (sign === undefined) return this.#found({ root: start.root, steps });
      const next = this.#tokens[this.#at++];
      if (sign === "[") {
        const index = next?.kind === "number" ? next.value : undefined;
        if (index === undefined || index.bits !== 32 || !this.#take("]")) throw this.#odd();
        steps.push({ op: "[]", index: Number(index.value) });
      } else if (next?.kind === "name") steps.push({ op: sign === "." ? "." : "->", name: next.text });
      else throw this.#odd();
    }
  }
}

/** Nothing where an operand has no value, or the operation has none. */
export function compute(
  expression: Expression,
  read: (path: number) => Value | undefined,
): Value | undefined {
  if ("literal" in expression) return expression.literal;
  if ("path" in expression) return read(expression.path);
  const { op, operands } = expression;
  const [first, second] = operands;
  const left = first && compute(first, read);
  if (left === undefined) return undefined;
  if (second === undefined) return unary(op, left);
  if (op === "&&" && left.value === 0n) return truth(false);
  if (op === "||" && left.value !== 0n) return truth(true);
  const right = compute(second, read);
  if (right === undefined) return undefined;
  return op === "&&" || op === "||" ? truth(right.value !== 0n) : binary(op, left, right);
}

function typed(value: bigint, { bits, signed }: { bits: 32 | 64; signed: boolean }): Value {
  return { value: signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value), bits, signed };
}

function unary(op: string, operand: Value): Value {
  if (op === "!") return truth(operand.value === 0n);
  const { value } = operand;
  return typed(op === "unary -" ? -value : op === "unary ~" ? ~value : value, operand);
}

function binary(op: string, left: Value, right: Value): Value | undefined {
  if (op === "<<" || op === ">>") {
    if (right.value < 0n || right.value >= BigInt(left.bits)) return undefined;
    return typed(op === "<<" ? left.value << right.value : left.value >> right.value, left);
  }
  const bits = Math.max(left.bits, right.bits) === 64 ? 64 : 32;
  const signed = [left, right].every((one) => one.signed || one.bits < bits);
  const a = typed(left.value, { bits, signed }).value;
  const b = typed(right.value, { bits, signed }).value;
  const compare = COMPARE[op];
  if (compare) return truth(compare(a, b));
  if ((op === "/" || op === "%") && b === 0n) return undefined;
  const combine = COMBINE[op];
  return combine && typed(combine(a, b), { bits, signed });
}

const COMPARE: Record<string, (a: bigint, b: bigint) => boolean> = {
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  ">": (a, b) => a > b,
  "<=": (a, b) => a <= b,
  ">=": (a, b) => a >= b,
};

const COMBINE: Record<string, (a: bigint, b: bigint) => bigint> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
};

/** Whether a pointer may stand here: alone it may, and be compared, but not reckoned with. */
export function pathsReckoned(expression: Expression): Set<number> {
  const found = new Set<number>();
  const visit = (one: Expression, inside: boolean) => {
    if ("path" in one) {
      if (inside) found.add(one.path);
    } else if ("op" in one) {
      const harmless = one.op in COMPARE || one.op === "!" || one.op === "&&" || one.op === "||";
      for (const operand of one.operands) visit(operand, !harmless);
    }
  };
  visit(expression, false);
  return found;
}
