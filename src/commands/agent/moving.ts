/** agent pause, resume, step: holding a run and letting it go. */
import * as z from "zod";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { runToControl } from "./choosing.ts";
import { type Answer, ask, control, controlled, heldNow } from "./control.ts";
import { agent, type ControlResult, controlResult, dir, type HeldStop, seconds } from "./shapes.ts";
import { controlText } from "./stop-text.ts";
import { nextStop } from "./waiting.ts";

export const stop = z
  .string()
  .regex(/^s\d+$/, "is a stop's id, such as s1")
  .optional()
  .describe("only the call held at this stop, such as s1 (default: all held calls)");

export const waiting = z.boolean().optional().describe("then wait until something is held, and show it");
export const timeout = seconds.describe("how many seconds to wait at most (default 30)");

/** What was done; with `wait`, then the next stop. */
export async function thenWait(
  context: Context,
  args: { dir?: string | undefined; wait?: boolean | undefined; timeout?: number | undefined },
  done: () => Promise<ControlResult>,
): Promise<ControlResult> {
  const result = await done();
  if (!args.wait || result.held.length > 0) return result;
  const { state, next } = await nextStop(context, args, { after: result.session });
  return { ...state, did: result.did, next };
}

export const pause = command({
  name: "agent pause",
  summary: "hold the agent before its next call to the model; the call waits until you let it go",
  group: "agents",
  needs: "nothing",
  effect: "changes",
  args: z.object({ agent, wait: waiting, timeout, dir }),
  result: controlResult,
  mcp: { tool: "agent", action: "pause", takes: ["agent", "wait", "timeout"], ofSession: true },
  examples: ["sonde agent pause --wait"],
  run: (context, args) =>
    thenWait(context, args, () =>
      control(context, args, "pause", { agent: args.agent }, () =>
        args.agent === undefined ? "pause: asked for" : `pause of ${args.agent}: asked for`,
      ),
    ),
  text: controlText,
});

export const resume = command({
  name: "agent resume",
  summary:
    "let the agent continue: release the held calls, and hold nothing more until a breakpoint or a pause",
  group: "agents",
  needs: "nothing",
  effect: "changes",
  args: z.object({ stop, agent, wait: waiting, timeout, dir }),
  result: controlResult,
  cli: { positionals: ["stop"] },
  mcp: { tool: "agent", action: "resume", takes: ["stop", "agent", "wait", "timeout"], ofSession: true },
  examples: ["sonde agent resume", "sonde agent resume s2", "sonde agent resume --wait"],
  run: (context, args) =>
    thenWait(context, args, async () => {
      const scope = await runToControl(context, args);
      const before = await heldNow(context, scope);
      const answer = await ask(context, scope, "resume", { stop: args.stop, agent: args.agent });
      return controlled(context, scope, answer, releasedText(answer, before));
    }),
  text: controlText,
});

/** Of one whose client has gone away nothing goes on now. */
function releasedText({ released }: Answer, before: readonly HeldStop[]): string {
  const ids = Array.isArray(released) ? released.map(String) : [];
  if (ids.length === 0) return "resumed: nothing was held yet";
  const isOrphan = (id: string) => before.some((stop) => stop.id === id && stop.orphaned);
  const waiting = ids.filter((id) => !isOrphan(id));
  const orphans = ids.filter(isOrphan);
  return [
    ...(waiting.length > 0 ? [`let go: ${waiting.join(", ")}`] : []),
    ...(orphans.length > 0
      ? [
          `no longer held: ${orphans.join(", ")}; its client gave up waiting, so nothing is sent now; if it retries, that call is let through`,
        ]
      : []),
  ].join("; ");
}

const STEPPED = {
  model: "one iteration",
  tool: "to the next tool call",
  turn: "to the end of the turn",
};

export const step = command({
  name: "agent step",
  summary:
    "let the agent do one iteration (a call to the model and the tools it asks for), or go to its next tool call or the end of its turn; then hold it again",
  group: "agents",
  needs: "nothing",
  effect: "changes",
  args: z.object({
    kind: z
      .enum(["model", "tool", "turn"])
      .default("model")
      .describe("to the next call to the model, the next tool call, or the end of the turn"),
    stop,
    agent,
    noWait: z.boolean().optional().describe("do not wait for the next stop"),
    timeout,
    dir,
  }),
  result: controlResult,
  cli: { positionals: ["kind"] },
  mcp: {
    tool: "agent",
    action: "step",
    takes: ["kind", "stop", "agent", "noWait", "timeout"],
    ofSession: true,
    brief: "one iteration, then held again.",
  },
  examples: ["sonde agent step", "sonde agent step tool"],
  run: async (context, args) => {
    const scope = await runToControl(context, args);
    const { kind, stop: at, agent: of } = args;
    const answer = await ask(context, scope, "step", { kind, stop: at, agent: of });
    const done = await controlled(context, scope, answer, `step: ${STEPPED[kind]}`);
    if (args.noWait || done.state === "unknown") return done;
    const { state, next } = await nextStop(context, args, { after: scope.row.id });
    return { ...state, did: done.did, next };
  },
  text: controlText,
});
