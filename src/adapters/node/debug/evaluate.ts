/** `evaluate`: what watching may not change, the console may. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { taken } from "../javascript/expression.cjs";
import type { Cdp } from "../target.ts";
import type { Current } from "./current.ts";
import { type EvaluationPlan, type Outcome, runExpression } from "./evaluation.ts";
import { DapError, reasonOf } from "./host.ts";
import type { OriginalNames } from "./original-names.ts";
import type { LiveFrame, Pause } from "./pause.ts";
import type { ScriptTexts } from "./script-texts.ts";
import type { Scripts } from "./scripts.ts";
import { isDeclared, refuseValueless } from "./valueless.ts";
import type { Values } from "./values.ts";

/** `timeoutMs` is our own: how long the expression may run. */
export type EvaluateArguments = DebugProtocol.EvaluateArguments & { timeoutMs?: number };

const PURE = new Set(["watch", "hover", "variables", "clipboard"]);
const PURE_MS = 1000;
const CONSOLE_MS = 5000;
const CLIPBOARD_LIMIT = 1_000_000;

interface Tools {
  cdp: Cdp;
  current: Current;
  values: Values;
  names: OriginalNames;
  texts: ScriptTexts;
  scripts: Scripts;
}

export async function evaluate(
  { cdp, current, values, names, texts, scripts }: Tools,
  args: EvaluateArguments,
): Promise<DebugProtocol.EvaluateResponse["body"]> {
  const { pause } = current;
  const frame = args.frameId === undefined ? undefined : current.live(args.frameId);
  // Without a frame this should be the global scope, but V8 (Node 20) heeds a time limit in a pause only inside a frame.
  const callFrameId = frame?.call.callFrameId ?? pause?.top?.callFrameId;
  const isPure = PURE.has(args.context ?? "repl");
  const own = frame && (await names.at(frame.call.location));
  // A condition's functions fail when they are called, as they do where V8 evaluates it.
  const read = (text: string) => (args.context === "condition" ? own?.later(text) : own?.expression(text));
  const expression = read(args.expression) ?? args.expression;
  if (frame !== undefined) await refuseValueless({ texts, scripts }, frame, args.expression, own);
  const outcome = await runInFrame({ cdp, texts }, pause, frame, {
    expression,
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

/** V8 gives a function only the outer variables it uses itself: say where the others can be had. */
async function runInFrame(
  { cdp, texts }: Pick<Tools, "cdp" | "texts">,
  pause: Pause | undefined,
  frame: LiveFrame | undefined,
  plan: EvaluationPlan,
): Promise<Outcome> {
  try {
    return await runExpression(cdp, plan);
  } catch (error) {
    const name = /^ReferenceError: ([\w$]+) is not defined$/.exec(reasonOf(error))?.[1];
    const scriptId = frame?.call.location.scriptId;
    if (name === undefined || frame === undefined || pause === undefined) throw error;
    for (const { frame: other } of pause.frames.slice(0, 30)) {
      if (other.kind !== "live" || other === frame || other.call.location.scriptId !== scriptId) continue;
      const { callFrameId } = other.call;
      const { result } = await cdp.send("Debugger.evaluateOnCallFrame", {
        callFrameId,
        expression: `typeof ${name}`,
        silent: true,
        throwOnSideEffect: true,
      });
      if (result.value === "undefined") continue;
      const where = other.isModule
        ? "the module's frame"
        : `the frame of ${other.call.functionName || "an outer function"}`;
      throw new DapError(
        `${reasonOf(error)} here: this function does not use it, so V8 does not make it available; evaluate it in ${where}, #${other.index}`,
      );
    }
    if (taken(plan.expression).names.includes(name) && (await isDeclared(texts, frame, name)))
      throw new DapError(
        `${reasonOf(error)} here: this function does not use it, so V8 does not make it available`,
      );
    throw error;
  }
}
