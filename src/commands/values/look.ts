/** Expressions in commands that only read. */
import type { Session } from "../../session/session.ts";
import { type EvaluateOptions, evaluate } from "../../session/values/evaluate.ts";
import { runsNothing } from "../../session/values/only-looking.ts";
import type { ValueLine } from "../../session/values/value-line.ts";
import type { Context } from "../context.ts";

/** Who may only look is given what runs none of the program's code. Asked anew each time: it may change hands during a wait. */
export async function look(
  context: Context,
  session: Session,
  expression: string,
  options: Omit<EvaluateOptions, "context">,
): Promise<ValueLine> {
  const refusal = context.onlyLooks(session.launch);
  if (refusal !== undefined && !(await runsNothing(session, expression, options.aim))) throw refusal;
  return evaluate(session, expression, { ...options, context: "watch" });
}
