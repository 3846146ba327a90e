/** The hooks that Claude Code is asked to call: each a POST to the port where its calls to the model go too. */

import { TOKEN_HEADER } from "../proxy/headers.ts";

/** Those that say what the calls to the model do not show, or not in time. */
export const HOOK_EVENTS = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "UserPromptSubmit",
  "SubagentStop",
  "Stop",
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** A day: a person may look at a stopped tool call for long. */
const LONGEST_HOLD_S = 86_400;
/** Nothing is held there. */
const USUAL_S = 30;

/**
 * The `hooks` of a settings file. The token is in a header: the URL of a hook that fails is shown to the model.
 */
export function hookSettings(bareBase: string, token: string): Record<string, unknown> {
  return Object.fromEntries(
    HOOK_EVENTS.map((event) => {
      const holds = event === "PreToolUse";
      const hook = {
        type: "http",
        url: `${bareBase}/hooks/${event}`,
        headers: { [TOKEN_HEADER]: token },
        timeout: holds ? LONGEST_HOLD_S : USUAL_S,
        // If Sonde is gone, a tool call that might have been stopped is not run.
        ...(holds ? { onFailure: "block" } : {}),
      };
      return [event, [{ hooks: [hook] }]];
    }),
  );
}
