/** The plan's expressions, checked before anything runs, and as they are put into the program: on one line, without comments. */
import { Script } from "node:vm";
import { type Node, parse } from "acorn";
import { SondeError } from "../../../errors.ts";
import type { Plan, Point } from "../../plan.ts";

const OPEN = "({ f() { return (";
const CLOSE = "\n) } })";

export function checkedPoints(plan: Plan): Point[] {
  return plan.points.map((point) => ({
    ...point,
    expressions: point.expressions.map((one) => checked(one, "expression")),
    ...(point.condition === undefined ? {} : { condition: checked(point.condition, "condition") }),
  }));
}

function checked(expression: string, what: string): string {
  const bare = bareText(expression);
  const flat = bare === undefined || !/[\n\r\u2028\u2029]/.test(bare) ? bare : onOneLine(bare);
  if (flat !== undefined) return flat;
  throw new SondeError("BAD_ARGUMENT", `${what} \`${expression}\`: ${fault(expression)}`, {
    hint: "write one JavaScript expression, on one line",
  });
}

/** The expression alone; undefined if it is none. A method allows what only some functions do: `super`, `new.target`. */
function bareText(expression: string): string | undefined {
  const text = `${OPEN}${expression}${CLOSE}`;
  try {
    const program = parse(text, { ecmaVersion: "latest", preserveParens: true, checkPrivateFields: false });
    const found = inBrackets(program, OPEN.length - 1, text.length - CLOSE.length + 2);
    return found === undefined ? undefined : text.slice(found.start, found.end);
  } catch {
    return undefined; // the caller asks V8 why
  }
}

/** What the brackets from `start` to `end` hold, if they are one pair. */
function inBrackets(node: Node, start: number, end: number): Node | undefined {
  if (node.type === "ParenthesizedExpression" && node.start === start)
    return node.end === end && "expression" in node ? (node.expression as Node) : undefined;
  for (const value of Object.values(node) as unknown[]) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      const found = isNode(child) ? inBrackets(child, start, end) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "start" in value;

/** Undefined where a line break means something. */
function onOneLine(expression: string): string | undefined {
  if (/`|\/\//.test(expression)) return undefined;
  return bareText(expression.replace(/\s*[\n\r\u2028\u2029]\s*/g, " "));
}

/** V8's own words. */
function fault(expression: string): string {
  try {
    new Script(expression);
    return "not an expression that can be put into the program";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
