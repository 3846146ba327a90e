/** continue, next, step, finish, until, pause, restart-frame. */
import * as z from "zod";
import { advice } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { stepOwn } from "../../session/running/own-steps.ts";
import { awaitStop, pause, restartFrame, resume, type Step } from "../../session/running/running.ts";
import { stepTarget } from "../../session/running/step-targets.ts";
import { threadNumbered } from "../../session/threads/threads.ts";
import { type MoveResult, moveResult } from "../answers/shapes.ts";
import { moveText } from "../answers/snapshot-text.ts";
import { toRow } from "../breakpoints/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { placeAs } from "../mcp/spellings.ts";
import {
  awaited,
  breakSpec,
  currentFile,
  moved,
  report,
  sourcesOf,
  WAITS,
  type Waiting,
  waiting,
  waitMs,
} from "./moving.ts";

const stepping = {
  count: z.number().int().positive().default(1).describe("how many steps"),
  instruction: z.boolean().optional().describe("step by machine instruction"),
};

export const continueCommand = command({
  name: "continue",
  aliases: ["c"],
  summary: "run to the next stop or the end; if the program is already running, only wait",
  group: "running",
  skill: true,
  needs: "live",
  effect: "moves",
  turn: "alone",
  args: z.object({
    thread: z.boolean().optional().describe("only the current thread, if the adapter supports it"),
    ...waiting,
  }),
  result: moveResult,
  library: { name: "session.continue" },
  mcp: { tool: "debug", action: "continue", takes: WAITS, brief: "also waits if running." },
  examples: ["sonde continue", "sonde continue --break lib.js:9 --eval 'items.length'"],
  run: (context, args) => {
    const { session } = context;
    if (session.stateName !== "stopped") return awaited(context, args);
    return moved(context, args, () => resume(session, { onlyThread: args.thread ?? false }));
  },
  text: moveText,
});

function stepper(name: string, action: string, aliases: string[], kind: Step["kind"], summary: string) {
  return command({
    name,
    aliases,
    summary,
    group: "running",
    skill: true,
    needs: "stopped",
    effect: "moves",
    args: z.object({ ...stepping, ...waiting }),
    result: moveResult,
    cli: { positionals: ["count"] },
    mcp: { tool: "debug", action, takes: WAITS },
    library: { name: `session.${name}` },
    run: (context, args) =>
      steps(context, args, { kind, ...(args.instruction ? { granularity: "instruction" as const } : {}) }),
    text: moveText,
  });
}

export const next = stepper("next", "step_over", ["n"], "next", "run to the next line, stepping over calls");
export const finish = stepper(
  "finish",
  "step_out",
  ["out"],
  "stepOut",
  "run until the current function returns",
);

export const stepCommand = command({
  name: "step",
  aliases: ["s"],
  summary: "run to the next line, stepping into calls",
  group: "running",
  skill: true,
  needs: "stopped",
  effect: "moves",
  args: z.object({
    into: z.string().optional().describe("which call on the line to enter, by function name"),
    ...stepping,
    ...waiting,
  }),
  result: moveResult,
  cli: { positionals: ["count"] },
  library: { name: "session.step" },
  mcp: { tool: "debug", action: "step_in", takes: WAITS },
  examples: ["sonde step", "sonde step --into parse"],
  run: async (context, args) => {
    const targetId = args.into === undefined ? undefined : await stepTarget(context.session, args.into);
    return steps(context, args, {
      kind: "stepIn",
      ...(args.instruction ? { granularity: "instruction" as const } : {}),
      ...(targetId === undefined ? {} : { targetId }),
    });
  },
  text: moveText,
});

/** Several steps are one answer: the last stop. Anything but a finished step ends them. */
async function steps(context: Context, args: Waiting & { count: number }, how: Step): Promise<MoveResult> {
  const { session, signal } = context;
  return moved(context, args, async () => {
    for (let left = args.count; ; left--) {
      const patience = { timeoutMs: waitMs(context, args), signal };
      const before = await stepOwn(session, how, patience);
      if (left <= 1) return before;
      const outcome = await awaitStop(session, patience, before);
      if (outcome.kind !== "stopped") return before;
      if (outcome.stop.reason === "step") continue;
      session.stops.arrived(outcome.debuggee, outcome.stop); // not a step: this is what the answer is about
      return before;
    }
  });
}

export const until = command({
  name: "until",
  summary: "run to a location; other breakpoints still stop the program",
  group: "running",
  skill: true,
  needs: "stopped",
  effect: "moves",
  args: z.object({ location: z.string().describe("file:line, or a line of the current file"), ...waiting }),
  result: moveResult,
  cli: { positionals: ["location"] },
  library: { name: "session.until", given: ["location"] },
  mcp: {
    tool: "debug",
    action: "until",
    spelled: [placeAs("location")],
    takes: WAITS,
    oneOf: [["line"]],
    brief: "line.",
  },
  examples: ["sonde until 57", "sonde until src/cart.js:57"],
  run: async (context, args) => {
    const { session } = context;
    const spec = breakSpec(args.location, context.cwd, await currentFile(session), sourcesOf(session));
    const target = await session.breakpoints.add({ ...spec, once: true, hidden: true });
    const row = toRow(target);
    if (row.state !== "bound") {
      await session.breakpoints.remove([target]);
      throw new SondeError(
        "BAD_LOCATION",
        advice`cannot run to ${args.location}: ${row.message ?? "no code there"}`,
      );
    }
    return moved(context, args, () => resume(session));
  },
  text: moveText,
});

export const pauseCommand = command({
  name: "pause",
  summary: "stop the running program where it is, with its workers and child processes",
  group: "running",
  skill: true,
  needs: "live",
  effect: "moves",
  turn: "ahead",
  args: z.object({
    thread: z
      .number()
      .int()
      .positive()
      .optional()
      .describe("only this thread, by its number in `threads`")
      .meta({ mcp: "thread_id" }),
    timeout: waiting.timeout.describe("seconds to wait for it to stop (default 5)"),
    eval: waiting.eval,
  }),
  result: moveResult,
  cli: { positionals: ["thread"] },
  library: { name: "session.pause" },
  mcp: { tool: "debug", action: "pause", takes: ["thread", "eval", "timeout"] },
  run: async (context, args) => {
    const { session, signal } = context;
    const only = args.thread === undefined ? undefined : threadNumbered(session, args.thread).debuggee;
    const timeoutMs = (args.timeout ?? 5) * 1000;
    const outcome = await pause(session, { timeoutMs, signal }, only);
    return report(context, session, outcome, { eval: args.eval, timeoutMs });
  },
  text: moveText,
});

export const restartFrameCommand = command({
  name: "restart-frame",
  summary: "go back to the start of a function on the stack and stop there",
  group: "running",
  needs: "stopped",
  supports: "supportsRestartFrame",
  effect: "moves",
  args: z.object({
    frame: z.number().int().nonnegative().default(0).describe("frame number from the stack"),
    ...waiting,
  }),
  result: moveResult,
  cli: { positionals: ["frame"] },
  library: { name: "session.restartFrame" },
  run: (context, args) => moved(context, args, () => restartFrame(context.session, args.frame)),
  text: moveText,
});
