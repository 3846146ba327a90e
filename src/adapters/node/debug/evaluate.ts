/** `evaluate`: what watching may not change, the console may. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Cdp } from "../target.ts";
import type { Current } from "./current.ts";
import { runExpression } from "./evaluation.ts";
import type { Values } from "./values.ts";

/** `timeoutMs` is our own: how long the expression may run. */
export type EvaluateArguments = DebugProtocol.EvaluateArguments & { timeoutMs?: number };

const PURE = new Set(["watch", "hover", "variables", "clipboard"]);
const PURE_MS = 1000;
const CONSOLE_MS = 5000;
const CLIPBOARD_LIMIT = 1_000_000;

export async function evaluate(
  { cdp, current, values }: { cdp: Cdp; current: Current; values: Values },
  args: EvaluateArguments,
): Promise<DebugProtocol.EvaluateResponse["body"]> {
  const { pause } = current;
  const frame = args.frameId === undefined ? undefined : current.live(args.frameId);
  // Without a frame this should be the global scope, but V8 (Node 20) heeds a time limit in a pause only inside a frame.
  const callFrameId = frame?.call.callFrameId ?? pause?.top?.callFrameId;
  const isPure = PURE.has(args.context ?? "repl");
  const outcome = await runExpression(cdp, {
    expression: args.expression,
    sideEffects: !isPure,
    timeoutMs: args.timeoutMs ?? (isPure ? PURE_MS : CONSOLE_MS),
    running: pause === undefined,
    ...(callFrameId === undefined ? {} : { callFrameId }),
  });
  if (pause !== undefined && !isPure) pause.dirty = true;
  if ("value" in outcome) {
    const { value, ...rest } = values.remote(outcome.value);
    return { result: value, ...rest };
  }
  if (args.context === "clipboard") {
    const result = await values.kit.whole(outcome.holder, CLIPBOARD_LIMIT);
    return { result, variablesReference: 0 };
  }
  return values.held(outcome.holder, args.expression, args.format?.hex === true);
}
