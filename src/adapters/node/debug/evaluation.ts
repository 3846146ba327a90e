/** Runs an expression and keeps its value where it is: the answer is the id of a holder `{v: value}`. */
import type { Protocol } from "devtools-protocol";
import type { Cdp } from "../target.ts";
import { DapError, reasonOf } from "./host.ts";
import { PAUSE_GROUP } from "./kit.ts";

export interface EvaluationPlan {
  expression: string;
  callFrameId?: string;
  sideEffects: boolean;
  timeoutMs: number;
  /** `await` may be waited for: only a running program gets on. */
  running: boolean;
}

/** A holder's id, or the bare result of a statement. */
export type Outcome = { holder: string } | { value: Protocol.Runtime.RemoteObject };

export async function runExpression(cdp: Cdp, plan: EvaluationPlan): Promise<Outcome> {
  // A line break before the closing bracket keeps a trailing comment from swallowing it.
  const held = await send(cdp, plan, `({__proto__: null, v: (${plan.expression}\n)})`);
  const isHeld = held.exceptionDetails === undefined && held.result.objectId !== undefined;
  if (isHeld && held.result.objectId !== undefined) return { holder: held.result.objectId };
  const { exceptionDetails } = held;
  if (exceptionDetails !== undefined && !isSyntaxError(exceptionDetails))
    throw failure(exceptionDetails, plan);
  // Statements cannot stand inside brackets.
  const bare = await send(cdp, plan, plan.expression);
  if (bare.exceptionDetails !== undefined) throw failure(bare.exceptionDetails, plan);
  return { value: bare.result };
}

async function send(
  cdp: Cdp,
  plan: EvaluationPlan,
  expression: string,
): Promise<Protocol.Runtime.EvaluateResponse> {
  const common = {
    expression,
    objectGroup: PAUSE_GROUP,
    includeCommandLineAPI: true,
    silent: true,
    throwOnSideEffect: !plan.sideEffects,
    timeout: plan.timeoutMs,
  };
  try {
    if (plan.callFrameId !== undefined)
      return await cdp.send("Debugger.evaluateOnCallFrame", { ...common, callFrameId: plan.callFrameId });
    return await withoutPauses(cdp, plan.running, () => evaluateGlobally(cdp, plan, common));
  } catch (error) {
    if (/terminated/.test(reasonOf(error))) throw timedOut(plan);
    throw error;
  }
}

/**
 * Breakpoints in what the expression calls would stop the program for good: nobody is there to continue it. All three are
 * sent at once, so that the program gets no chance to run past a breakpoint of the user's.
 */
async function withoutPauses<T>(cdp: Cdp, running: boolean, work: () => Promise<T>): Promise<T> {
  if (!running) return work();
  const off = cdp.send("Debugger.setSkipAllPauses", { skip: true });
  const result = work();
  const on = cdp.send("Debugger.setSkipAllPauses", { skip: false });
  const [value] = await Promise.all([result, off, on]);
  return value;
}

async function evaluateGlobally(cdp: Cdp, plan: EvaluationPlan, common: Protocol.Runtime.EvaluateRequest) {
  // Asked only where it is written: awaiting during the program's start-up can go unanswered (Node 20).
  const wantsAwait = plan.sideEffects && plan.running && /\bawait\b/.test(plan.expression);
  const answer = cdp.send(
    "Runtime.evaluate",
    wantsAwait ? { ...common, replMode: true, awaitPromise: true } : common,
  );
  if (!wantsAwait) return answer;
  // `timeout` ends a loop, not a promise that never settles.
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timedOut(plan)), plan.timeoutMs + 500);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function timedOut({ timeoutMs }: EvaluationPlan): DapError {
  return new DapError(`timed out after ${timeoutMs / 1000} s; interrupted`);
}

function isSyntaxError(details: Protocol.Runtime.ExceptionDetails): boolean {
  return details.exception?.className === "SyntaxError";
}

function failure(details: Protocol.Runtime.ExceptionDetails, plan: EvaluationPlan): DapError {
  const text = thrownText(details);
  if (!plan.sideEffects && /side-effect/.test(text))
    return new DapError(`\`${plan.expression}\` would have side effects`);
  return new DapError(text);
}

/** `ReferenceError: x is not defined`, without the stack. */
export function thrownText(details: Protocol.Runtime.ExceptionDetails): string {
  const { exception, text } = details;
  if (exception === undefined) return text;
  if (exception.subtype === "error") return (exception.description ?? text).split("\n    at ")[0] ?? text;
  return `thrown: ${exception.description ?? JSON.stringify(exception.value) ?? exception.type}`;
}
