/**
 * What a breakpoint does when it is reached, as one JavaScript condition: V8 evaluates it in the frame and stops if it is
 * true. Counting, logging and reporting failures happen inside, so a breakpoint that does not stop costs no round trip.
 */
import type { Protocol } from "devtools-protocol";
import type { RefusedPart } from "../../../dap/refused-part.ts";
import { parseLogMessage } from "../../kit/log-message.ts";
import type { Cdp } from "../target.ts";
import { compile } from "./compile.ts";
import { REPORTS } from "./reports.ts";

export interface BreakRule {
  condition?: string;
  hitCondition?: string;
  logMessage?: string;
  /** Expressions of the message in the words of the script, where those are others. */
  translate?(expression: string): string;
}

const HIT = /^\s*(==|>=|<=|>|<|%)?\s*(\d+)\s*$/;

export const needsReports = (rule: BreakRule): boolean =>
  rule.condition !== undefined || rule.hitCondition !== undefined || rule.logMessage !== undefined;

/** Set where a condition found nobody to report to: see late-rules.ts. */
export const LATE = "__sondeLate";

/** The condition to give V8; undefined if it should always stop. */
export function conditionText(id: number, rule: BreakRule): string | undefined {
  const text = ruleText(id, rule);
  return text === undefined
    ? undefined
    : `typeof ${REPORTS} === "undefined" ? (globalThis.${LATE} = true) : ${text}`;
}

export function ruleText(id: number, rule: BreakRule): string | undefined {
  const { condition, hitCondition, logMessage, translate = (text: string) => text } = rule;
  const steps: string[] = [];
  // One that fails stops, and says so: who asked for it meant something else. What only logs goes on.
  if (condition !== undefined)
    steps.push(
      `try { if (!(${condition}\n)) return false } catch (__sonde_e) { return ${REPORTS}.failed(${id}, __sonde_e, ${logMessage === undefined}) }`,
    );
  const hit = hitCondition === undefined ? null : HIT.exec(hitCondition);
  if (hit !== null)
    steps.push(`if (!${REPORTS}.hit(${id}, ${JSON.stringify(hit[1] ?? "==")}, ${hit[2]})) return false`);
  if (logMessage !== undefined) {
    const parts = parseLogMessage(logMessage).map((part) =>
      "text" in part ? JSON.stringify(part.text) : `${REPORTS}.show(() => (${translate(part.expression)}\n))`,
    );
    steps.push(`${REPORTS}.log(${id}, [${parts.join(", ")}]); return false`);
  }
  return steps.length === 0 ? undefined : `(() => { ${steps.join("; ")}; return true })()`;
}

export interface Fault {
  message: string;
  /** The part of the rule that is wrong, where it is one. */
  refusedPart?: RefusedPart;
}

/** Why a rule cannot be used; undefined if it can. */
export async function faultOf(
  cdp: Cdp,
  { condition, hitCondition, logMessage }: BreakRule,
): Promise<Fault | undefined> {
  if (hitCondition !== undefined && !HIT.test(hitCondition)) {
    const message = `hit condition ${JSON.stringify(hitCondition)}: write 5, ==5, >5, >=5, <5, <=5 or %3`;
    return { message, refusedPart: "hitCondition" };
  }
  const part = (refusedPart: RefusedPart, what: string, text: string) => ({ refusedPart, what, text });
  const expressions = [
    ...(condition === undefined ? [] : [part("condition", "condition", condition)]),
    ...(logMessage === undefined ? [] : parseLogMessage(logMessage)).flatMap((one) =>
      "text" in one ? [] : [part("logMessage", `{${one.expression}}`, one.expression)],
    ),
  ];
  const faults = await Promise.all(
    expressions.map(async ({ refusedPart, what, text }) => {
      const message = await syntaxFault(cdp, text, what);
      return message === undefined ? undefined : { message, refusedPart };
    }),
  );
  return faults.find((fault) => fault !== undefined);
}

async function syntaxFault(cdp: Cdp, expression: string, what: string): Promise<string | undefined> {
  const check = (text: string) => compile(cdp, { expression: text, sourceURL: "", persistScript: false });
  const { exceptionDetails } = await check(`(${expression}\n)`);
  if (exceptionDetails === undefined) return undefined;
  // `super` and `new.target` are fine in the right function; only what no function allows is refused.
  const within = await check(`({ f() { return (${expression}\n) } })`);
  if (within.exceptionDetails === undefined) return undefined;
  // The message is to speak of the user's text alone, not of the parentheses around it.
  const bare = await check(expression);
  return `${what}: ${bare.exceptionDetails === undefined ? "not an expression" : firstLine(bare.exceptionDetails)}`;
}

function firstLine({ exception, text }: Protocol.Runtime.ExceptionDetails): string {
  return (exception?.description ?? text).split("\n")[0] ?? text;
}
