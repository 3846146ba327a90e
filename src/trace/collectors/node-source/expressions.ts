/** The plan's expressions, checked before anything runs, and as they are put into the program: on one line, without comments. */
import { Script } from "node:vm";
import type { Node } from "acorn";
import { childrenOf, parsed } from "../../../adapters/node/javascript/parse.cjs";
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
  const program = parsed(text, "script", { preserveParens: true, allowAwaitOutsideFunction: false });
  const found = program && inBrackets(program, OPEN.length - 1, text.length - CLOSE.length + 2);
  // If there is none, the caller asks V8 why.
  return found && text.slice(found.start, found.end);
}

/** What the brackets from `start` to `end` hold, if they are one pair. */
function inBrackets(node: Node, start: number, end: number): Node | undefined {
  if (node.type === "ParenthesizedExpression" && node.start === start)
    return node.end === end && "expression" in node ? (node.expression as Node) : undefined;
  for (const child of childrenOf(node)) {
    const found = inBrackets(child, start, end);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Undefined where a line break means something. */
function onOneLine(expression: string): string | undefined {
  if (/`|\/\//.test(expression)) return undefined;
  return bareText(expression.replace(/\s*[\n\r\u2028\u2029]\s*/g, " "));
}

/** V8's own words. */
function fault(expression: string): string {
  try {
    new Script(expression);
    return "not an expression that can be evaluated inside the program";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
