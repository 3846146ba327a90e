/** Names that can follow what was typed: variables in sight, or the members of what stands before the dot. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Cdp } from "../target.ts";
import type { Current } from "./current.ts";
import { runExpression } from "./evaluation.ts";
import { DapError } from "./host.ts";
import type { OriginalNames } from "./original-names.ts";
import { scopesOf } from "./scopes.ts";
import type { Values } from "./values.ts";

const LIMIT = 200;
const EVALUATE_MS = 300;
/** Longer text than anybody types takes its square in time to take apart. */
const MOST_TYPED = 1000;

/** The object expression before the last dot, and the name begun after it. */
export function splitCompletion(text: string): { base: string; prefix: string } {
  const match =
    /((?:[\w$]+|\))(?:\[[^[\]]*\])*(?:(?:\?\.|\.)[\w$]+(?:\[[^[\]]*\])*)*)?(\?\.|\.)([\w$]*)$/.exec(text);
  if (match?.[1] !== undefined) return { base: match[1], prefix: match[3] ?? "" };
  return { base: "", prefix: /[\w$]*$/.exec(text)?.[0] ?? "" };
}

export async function completions(
  { cdp, current, values, names }: { cdp: Cdp; current: Current; values: Values; names: OriginalNames },
  args: DebugProtocol.CompletionsArguments,
): Promise<{ targets: DebugProtocol.CompletionItem[] }> {
  const line = args.text.split("\n")[(args.line ?? 1) - 1] ?? "";
  if (line.length > MOST_TYPED) return { targets: [] };
  const { base, prefix } = splitCompletion(line.slice(0, args.column - 1));
  const frame = args.frameId === undefined ? undefined : current.live(args.frameId);
  const callFrameId = frame?.call.callFrameId ?? current.pause?.top?.callFrameId;
  const own = frame && (await names.at(frame.call.location));
  const items: DebugProtocol.CompletionItem[] = [];
  const add = (label: string, isFunction: boolean) => {
    if (label.startsWith(prefix) && !items.some((item) => item.label === label))
      items.push({
        label,
        type: isFunction ? "function" : base === "" ? "variable" : "property",
        start: args.column - 1 - prefix.length,
        length: prefix.length,
      });
  };
  if (base === "" && frame !== undefined) {
    for (const scope of scopesOf({ kit: values.kit, cdp, pause: current.need(), names }, frame)) {
      if (scope.type === "global") continue;
      for (const member of (await scope.list(1000, false)).list) add(member.n, member.t === "function");
    }
  }
  for (const { n, f } of await memberNames(base || "globalThis", prefix)) add(n, f === 1);
  return { targets: items.slice(0, LIMIT) };

  async function memberNames(expression: string, begun: string): Promise<{ n: string; f: 0 | 1 }[]> {
    try {
      const outcome = await runExpression(cdp, {
        expression: own?.expression(expression) ?? expression,
        sideEffects: false,
        timeoutMs: EVALUATE_MS,
        running: current.pause === undefined,
        ...(callFrameId === undefined ? {} : { callFrameId }),
      });
      return "holder" in outcome ? await values.kit.names(outcome.holder, begun, LIMIT) : [];
    } catch (error) {
      // What cannot be evaluated without side effects has no members to offer.
      if (error instanceof DapError) return [];
      throw error;
    }
  }
}
