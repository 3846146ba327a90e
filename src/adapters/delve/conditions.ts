/** Which breakpoints a stop is about: those whose condition holds, or cannot be told. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import type { Member } from "./line-breakpoints.ts";
import { refusalText } from "./plain-texts.ts";

export interface Weighed {
  holding: number[];
  failing: { id: number; why: string }[];
}

export async function topFrame(wire: Wire, threadId: number): Promise<DebugProtocol.StackFrame | undefined> {
  const stack = await wire.ask("stackTrace", { threadId, startFrame: 0, levels: 1 });
  return stack.body?.stackFrames?.[0];
}

export async function weigh(wire: Wire, members: Member[], frameId: number | undefined): Promise<Weighed> {
  const weighed: Weighed = { holding: [], failing: [] };
  for (const { id, condition } of members) {
    if (!condition) {
      weighed.holding.push(id);
      continue;
    }
    const answer = await wire.ask("evaluate", { expression: condition, context: "watch", frameId });
    if (!answer.success) weighed.failing.push({ id, why: refusalText(answer) });
    else if (answer.body.result === "true") weighed.holding.push(id);
    else if (answer.body.result !== "false")
      weighed.failing.push({ id, why: `\`${condition}\` is not a boolean` });
  }
  return weighed;
}

/** How dlv tells of a condition that it could not evaluate, beside the stop that it then makes. */
const CONDITION_ERROR = /^(?:error evaluating expression: |(?=condition expression ))/;

/** The stop that a failing condition is, where dlv makes an exception of it; else nothing. It is also told. */
export async function failedCondition(
  wire: Wire,
  { text = "", description: _, ...body }: DebugProtocol.StoppedEvent["body"],
  at: (path: string | undefined, line: number) => Member[],
): Promise<DebugProtocol.StoppedEvent["body"] | undefined> {
  const frame = await topFrame(wire, body.threadId || 1);
  const members = frame ? at(frame.source?.path, frame.line) : [];
  const { holding, failing } = await weigh(wire, members, frame?.id);
  const reasons = new Set(failing.map(({ why }) => why));
  if (reasons.size === 0 && CONDITION_ERROR.test(text)) reasons.add(text.replace(CONDITION_ERROR, ""));
  if (reasons.size === 0) return undefined;
  const { name } = frame?.source ?? {};
  const where = name === undefined ? "" : ` at ${name}:${frame?.line}`;
  for (const why of reasons)
    wire.emit("output", {
      category: "important",
      output: `breakpoint${where}: its condition cannot be evaluated: ${why}\n`,
      about: "failed-condition",
    });
  return { ...body, reason: "breakpoint", hitBreakpointIds: [...failing.map(({ id }) => id), ...holding] };
}
