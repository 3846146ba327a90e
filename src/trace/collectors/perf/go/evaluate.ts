/**
 * What an expression comes to, by dlv's rules: no type becomes another but that of a constant, results have the type of their operands
 * and wrap around in it. Types are known before the run, so whatever dlv would refuse, or we are not sure of, is unfit.
 */
import type { Constant, GoType } from "../../../go/types.ts";
import { type Fetched, Unfit } from "../language.ts";
import type { Expression, Literal } from "./expression.ts";
import { floating, MOST_BYTES, text, textBytes, wholeNumber } from "./value-text.ts";

interface IntType {
  kind: "int";
  /** None of a constant, and of `len`. */
  name?: string;
  size: number;
  signed: boolean;
  constants: readonly Constant[];
}

type Type =
  | IntType
  | { kind: "bool" }
  | { kind: "float"; name: string; size: 4 | 8 }
  | { kind: "string"; literal?: Buffer }
  | { kind: "nilable" }
  | { kind: "nil" };

type Value = bigint | number | boolean;
export type All = readonly (Fetched | undefined)[];

/** An expression at one place. Nothing is returned where it has no value. */
export interface Compiled {
  type: Type;
  value(all: All): Value | undefined;
  /** A path alone, which may be more than a value to reckon with. */
  path?: number;
}

/** By the expression's paths. */
export interface LeafType {
  type: GoType | { kind: "length" };
  constants: readonly Constant[];
}

const UNTYPED: IntType = { kind: "int", size: 8, signed: true, constants: [] };

export function compile(expression: Expression, leaves: readonly LeafType[]): Compiled {
  if ("literal" in expression) return literal(expression.literal);
  if ("path" in expression) return leaf(expression.path, leaves[expression.path]);
  const [first, second] = expression.operands.map((one) => compile(one, leaves));
  const made = first && (second ? binary(expression.op, first, second) : unary(expression.op, first));
  if (made === undefined) throw new Unfit(`\`${expression.text}\` would not be evaluated as dlv does`);
  return made;
}

function literal(value: Literal): Compiled {
  if (value === null) return { type: { kind: "nil" }, value: () => undefined };
  if (typeof value === "string")
    return { type: { kind: "string", literal: Buffer.from(value) }, value: () => undefined };
  return { type: typeof value === "boolean" ? { kind: "bool" } : UNTYPED, value: () => value };
}

function leaf(path: number, known: LeafType | undefined): Compiled {
  const fetched = (all: All) => (all[path]?.gone ? undefined : all[path]);
  const number = (all: All) => fetched(all)?.number;
  const { type, constants = [] } = known ?? {};
  switch (type?.kind) {
    case "int":
      return { path, type: { ...type, constants }, value: number };
    case "length":
      return { path, type: UNTYPED, value: number };
    case "bool": {
      if (type.name !== "bool") break;
      const value = (all: All) => {
        const found = number(all);
        return found === undefined ? undefined : found !== 0n;
      };
      return { path, type: { kind: "bool" }, value };
    }
    case "float": {
      const value = (all: All) => {
        const bits = number(all);
        const found = bits === undefined ? Number.NaN : Number(floating(bits, type.size));
        return Number.isFinite(found) ? found : undefined; // dlv reckons with no other
      };
      return { path, type, value };
    }
    case "string":
      return { path, type: { kind: "string" }, value: () => undefined };
    case "pointer":
    case "slice":
    case "nilable":
      return { path, type: { kind: "nilable" }, value: number };
    default:
  }
  throw new Unfit(`a probe cannot fetch a ${type && "name" in type ? type.name : "value"}`);
}

function unary(op: string, operand: Compiled): Compiled | undefined {
  const { type, value } = operand;
  const of = (change: (value: Value) => Value): Compiled => ({
    type,
    value: (all) => {
      const found = value(all);
      return found === undefined ? undefined : change(found);
    },
  });
  if (type.kind === "bool") return op === "unary !" ? of((found) => !found) : undefined;
  // Of an unsigned one dlv makes a negative number.
  if (type.kind !== "int" || !type.signed) return undefined;
  if (op === "unary -") return of((found) => -BigInt(found));
  if (op === "unary ^") return of((found) => ~BigInt(found));
  return op === "unary +" ? of((found) => found) : undefined;
}

function binary(op: string, left: Compiled, right: Compiled): Compiled | undefined {
  const [a, b] = [left.type, right.type];
  if (op === "&&" || op === "||")
    return a.kind === "bool" && b.kind === "bool" ? logic(op, left, right) : undefined;
  const equality = op === "==" || op === "!=";
  if (a.kind === "nilable" && b.kind === "nil" && equality) return compared(op, left, () => 0n);
  if (a.kind === "string" || b.kind === "string") return equality ? sameText(op, left, right) : undefined;
  if (a.kind === "bool" && b.kind === "bool") return equality ? compared(op, left, right.value) : undefined;
  if (a.kind === "float" || b.kind === "float") return floats(op, left, right);
  if (a.kind !== "int" || b.kind !== "int") return undefined;
  if (op === "<<" || op === ">>") return shifted(op, left, right, a);
  if (a.name !== undefined && b.name !== undefined && a.name !== b.name) return undefined;
  if (op in COMPARE) return compared(op, left, right.value);
  const combine = COMBINE[op];
  const type = a.name === undefined ? b : a;
  if (combine === undefined || type.name === "uintptr") return undefined;
  return combined(type, left, right.value, combine);
}

function logic(op: "&&" | "||", left: Compiled, right: Compiled): Compiled {
  return {
    type: { kind: "bool" },
    value: (all) => {
      const first = left.value(all);
      return first === undefined || first === (op === "||") ? first : right.value(all);
    },
  };
}

function compared(op: string, left: Compiled, right: Compiled["value"]): Compiled | undefined {
  const compare = COMPARE[op];
  if (compare === undefined) return undefined;
  return {
    type: { kind: "bool" },
    value: (all) => {
      const [a, b] = [left.value(all), right(all)];
      return a === undefined || b === undefined ? undefined : compare(a, b);
    },
  };
}

/** With another of its type, or with a whole number: such are compared exactly. */
function floats(op: string, left: Compiled, right: Compiled): Compiled | undefined {
  const fits = (one: Type, other: Type) =>
    one.kind === "float" &&
    (other.kind === "float" ? other.name === one.name : other.kind === "int" && other.name === undefined);
  return fits(left.type, right.type) || fits(right.type, left.type)
    ? compared(op, left, right.value)
    : undefined;
}

function shifted(op: "<<" | ">>", left: Compiled, right: Compiled, type: IntType): Compiled | undefined {
  const by = right.path === undefined && right.type === UNTYPED ? right.value([]) : undefined;
  if (typeof by !== "bigint" || by < 0n || by > 63n || type.name === "uintptr") return undefined;
  return combined(
    type,
    left,
    () => by,
    (a, b) => (op === "<<" ? a << b : a >> b),
  );
}

function combined(
  type: IntType,
  left: Compiled,
  right: Compiled["value"],
  combine: (a: bigint, b: bigint) => bigint | undefined,
): Compiled {
  return {
    type,
    value: (all) => {
      const [a, b] = [left.value(all), right(all)];
      if (typeof a !== "bigint" || typeof b !== "bigint") return undefined;
      const result = combine(a, b);
      return result === undefined || type.name === undefined ? result : wrapped(result, type);
    },
  };
}

function wrapped(value: bigint, { size, signed }: IntType): bigint {
  if (signed) return BigInt.asIntN(size * 8, value);
  // Go's big numbers give their lowest bits without their sign.
  return BigInt.asUintN(size * 8, value < -(1n << 63n) ? -value : value);
}

function sameText(op: string, left: Compiled, right: Compiled): Compiled | undefined {
  const { path } = left;
  const literal = right.type.kind === "string" ? right.type.literal : undefined;
  if (left.type.kind !== "string" || path === undefined || literal === undefined) return undefined;
  if (literal.length > MOST_BYTES) return undefined;
  return {
    type: { kind: "bool" },
    value: (all) => {
      const fetched = all[path];
      if (fetched === undefined || fetched.gone) return undefined;
      if (fetched.length !== BigInt(literal.length)) return op === "!=";
      const bytes = textBytes(fetched);
      return bytes && bytes.equals(literal) === (op === "==");
    },
  };
}

const COMPARE: Record<string, (a: Value, b: Value) => boolean> = {
  "==": (a, b) => a === b || (typeof a !== typeof b && !(a < b) && !(a > b)),
  "!=": (a, b) => !(a === b || (typeof a !== typeof b && !(a < b) && !(a > b))),
  "<": (a, b) => a < b,
  ">": (a, b) => a > b,
  "<=": (a, b) => a <= b,
  ">=": (a, b) => a >= b,
};

const COMBINE: Record<string, (a: bigint, b: bigint) => bigint | undefined> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => (b === 0n ? undefined : a / b),
  "%": (a, b) => (b === 0n ? undefined : a % b),
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
  "&^": (a, b) => a & ~b,
};

/** How it is shown; throws Unfit for what is more than a value. */
export function shown(compiled: Compiled, chars: number): (all: All) => string | undefined {
  const { type, value, path } = compiled;
  switch (type.kind) {
    case "int":
      return (all) => {
        const found = value(all);
        return typeof found === "bigint" ? wholeNumber(found, type, type.constants) : undefined;
      };
    case "bool":
      return (all) => value(all)?.toString();
    case "float":
    case "string":
      if (path === undefined) break;
      return (all) => {
        const fetched = all[path];
        if (fetched === undefined || fetched.gone) return undefined;
        return type.kind === "float" ? floating(fetched.number, type.size) : text(fetched, chars);
      };
    default:
  }
  throw new Unfit("a probe can only tell whether a pointer, slice, map or interface is nil");
}
