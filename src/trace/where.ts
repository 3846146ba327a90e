/**
 * Conditions on recorded values: `sum < 0`, `name == "x" && i > 3`, `err != nil`. Names are the trace's own expressions, as they
 * were written; a value is compared as a number where both sides are, as text otherwise. Pure.
 */
import { advice, blank, call, named } from "../advice/advice.ts";
import { SondeError } from "../errors.ts";
import { numberIn } from "./numbers.ts";

export type Values = (expression: string) => string | undefined;
export type Condition = (values: Values) => boolean;

const OPERATORS = ["<=", ">=", "==", "!=", "=~", "<", ">", "="] as const;
type Operator = (typeof OPERATORS)[number];

/** @param place Where they were recorded, for the reader. */
export function parseWhere(text: string, expressions: readonly string[], place = "<file:line>"): Condition {
  const known = { expressions, place };
  const alternatives = splitOn(text, /\|\||\bor\b/).map((part) =>
    splitOn(part, /&&|\band\b/).map((one) => comparison(one.trim(), text, known)),
  );
  return (values) => alternatives.some((all) => all.every((holds) => holds(values)));
}

/** Not inside quotes. */
function splitOn(text: string, separator: RegExp): string[] {
  const hidden = text.replace(/"[^"]*"|'[^']*'/g, (quoted) => " ".repeat(quoted.length));
  const parts: string[] = [];
  let from = 0;
  for (const match of hidden.matchAll(new RegExp(separator, "g"))) {
    parts.push(text.slice(from, match.index));
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)];
}

interface Known {
  /** Every name that may occur. */
  expressions: readonly string[];
  place: string;
}

function comparison(text: string, whole: string, known: Known): Condition {
  const { expressions } = known;
  const name = [...expressions].sort((a, b) => b.length - a.length).find((one) => text.startsWith(one));
  const rest = name === undefined ? "" : text.slice(name.length).trim();
  const operator = OPERATORS.find((one) => rest.startsWith(one));
  const right = operator === undefined ? "" : rest.slice(operator.length).trim();
  if (name === undefined || operator === undefined || right === "") {
    const left = COMPARED.exec(text)?.[1]?.trim();
    if (left !== undefined && !expressions.includes(left)) throw notRecorded(left, known);
    throw new SondeError(
      "BAD_ARGUMENT",
      advice`${named("where")}: \`${text}\` in \`${whole}\` is not <expression> <operator> <value>`,
      {
        hint: `expressions here: ${expressions.join(", ") || "none"}; operators: ${OPERATORS.join(" ")}`,
      },
    );
  }
  const pattern = operator === "=~" ? patternOf(right) : undefined;
  return (values) => {
    const left = values(name);
    if (left === undefined) return false;
    if (pattern) return pattern.test(left);
    return holds(left, operator, expressions.includes(right) ? values(right) : right);
  };
}

/** Anything, an operator, a value. */
const COMPARED = /^(.+?)(?:<=|>=|==|!=|=~|<|>|=)\s*\S/s;

/** A filter works on what is there; for another value the program must run again. */
function notRecorded(left: string, { expressions, place }: Known): SondeError {
  const has = expressions.length === 0 ? "no value was" : `recorded: ${expressions.join(", ")}`;
  return new SondeError("BAD_ARGUMENT", advice`${named("where")}: ${left} was not recorded in this trace`, {
    hint: advice`${has}; ${call("trace", { at: [{ location: place, watch: [...expressions, left] }], args: [blank("command")] })} records it too`,
  });
}

function patternOf(text: string): RegExp {
  try {
    return new RegExp(unquoted(text));
  } catch (error) {
    throw new SondeError("BAD_ARGUMENT", advice`${named("where")}: ${(error as Error).message}`, {
      hint: "=~ must be followed by a regular expression, as in 'name =~ ^a'",
    });
  }
}

function holds(left: string, operator: Operator, right: string | undefined): boolean {
  if (right === undefined) return false;
  const [a, b] = [numberIn(left), numberIn(right)];
  const order = a !== undefined && b !== undefined ? a - b : compareText(unquoted(left), unquoted(right));
  switch (operator) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    case "!=":
      return order !== 0;
    default:
      return order === 0;
  }
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function unquoted(text: string): string {
  return text.replace(/^(["'`])(.*)\1$/s, "$2");
}
