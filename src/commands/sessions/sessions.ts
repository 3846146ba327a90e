/** restart, await, detach, stop. */
import * as z from "zod";
import { advice, blank, call, type Name } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Launch } from "../../session/launch.ts";
import { knownBy, lives } from "../../session/processes/descendants.ts";
import { type Session, sessionOf } from "../../session/session.ts";
import { isPlainPath } from "../../session/values/only-looking.ts";
import { own } from "../../util/own.ts";
import { moveResult } from "../answers/shapes.ts";
import { moveText } from "../answers/snapshot-text.ts";
import { command } from "../define.ts";
import { breakSpec, sourcesOf, WAITS, waited, waiting } from "../running/moving.ts";

/** A program that is about to start has no breakpoints to remove. */
export const { removeBreak: _, ...startWaiting } = waiting;

export const restart = command({
  name: "restart",
  summary: "run the program again from the start, same arguments and breakpoints",
  group: "session",
  skill: true,
  needs: "session",
  effect: "changes",
  turn: "ahead",
  args: z.object(startWaiting),
  result: moveResult,
  library: { name: "session.restart" },
  mcp: { tool: "debug", action: "restart", takes: WAITS },
  run: async (context, args) => {
    const { session } = context;
    if (session.opening.request === "attach")
      throw new SondeError(
        "UNSUPPORTED",
        session.core === undefined
          ? "an attached program was not started by sonde, so it cannot be restarted"
          : "a core file cannot be restarted: its program has ended",
        session.core === undefined
          ? {}
          : { hint: advice`${call("start", { program: blank("program") })} runs the program again` },
      );
    for (const text of args.break ?? [])
      session.breakpoints.declare(breakSpec(text, context.cwd, undefined, sourcesOf(session)));
    await session.restart(context.signal);
    return waited(context, session, args);
  },
  text: moveText,
});

export const awaitCommand = command({
  name: "await",
  summary: "wait for the next stop, or for the program to end",
  group: "session",
  skill: true,
  needs: "session",
  effect: "reads",
  watchable: ({ eval: asked }) => asked === undefined,
  args: z.object({
    timeout: waiting.timeout.describe('seconds to wait before the answer is "still running" (default 300)'),
    eval: waiting.eval,
  }),
  result: moveResult,
  library: { name: "session.wait" },
  mcp: { tool: "debug", action: "continue", takes: ["timeout", "eval"], onlySaid: true },
  run: (context, args) => {
    const { session } = context;
    const stopped = session.focus.debuggee.stop && !session.stops.isUnseen(session.focus.debuggee);
    if (stopped)
      throw new SondeError("NOT_RUNNING", `${session.name} is stopped already`, {
        hint: advice`${call("context")} shows where; ${call("continue")} runs on`,
      });
    const refusal = args.eval?.every(isPlainPath) === false ? context.onlyLooks(session.launch) : undefined;
    if (refusal !== undefined) throw refusal;
    const timeout = args.timeout ?? context.waits.awaitMs / 1000;
    return waited(context, session, { ...args, timeout, peek: context.peeks });
  },
  text: moveText,
});

const DETACH: Name = { do: "name", command: "detach" };

export const detach = command({
  name: "detach",
  summary: "end the session and leave the program running",
  group: "session",
  skill: true,
  needs: "live",
  effect: "changes",
  args: z.object({}),
  result: z.object({
    session: z.string(),
    pid: z.number().optional(),
    halted: z.number().optional(),
    ended: z.literal(true).optional().describe("the program ended together with its debugger"),
  }),
  library: { name: "session.detach" },
  run: async (context) => {
    const { session } = context;
    if (session.core !== undefined)
      throw new SondeError("UNSUPPORTED", "a core file has no running program to detach from", {
        hint: advice`${call("stop")} closes it`,
      });
    const known = session.adapter.unsupported.detach;
    if (known && session.opening.request === "launch")
      throw new SondeError("UNSUPPORTED", advice`${DETACH}: ${known.reason}`, { hint: known.instead });
    const endsWithIt = await session.endsWithIt();
    if (endsWithIt !== undefined)
      throw new SondeError("UNSUPPORTED", advice`${DETACH}: ${endsWithIt}`, {
        hint: advice`${call("continue")} lets it run; ${call("stop")} ends it with the session`,
      });
    const pid = session.main?.pid;
    const process = pid === undefined ? undefined : knownBy(pid);
    const { halted } = session.launch.asFound;
    await context.end(session.launch, { detach: true });
    return {
      session: session.name,
      pid,
      ...(halted === undefined ? {} : { halted }),
      // It may have come to its own end just now, or die of being left.
      ...(process !== undefined && !lives(process) ? { ended: true as const } : {}),
    };
  },
  text: ({ session, pid, halted, ended }) => {
    const which = `${session}${pid === undefined ? "" : ` (pid ${pid})`}`;
    if (ended) return `detached: ${which} has ended\n`;
    return halted === undefined
      ? `detached: ${which} runs on\n`
      : `detached: ${session}; ${leftHalted(halted)}\n`;
  },
});

export const stop = command({
  name: "stop",
  summary: "end the session and everything started for it; an attached program keeps running",
  group: "session",
  skill: true,
  needs: "nothing",
  effect: "changes",
  args: z.object({ all: z.boolean().optional().describe("every session") }),
  result: z.object({
    ended: z.array(
      z.object({
        session: z.string(),
        attached: z.boolean(),
        /** The process, where it was halted by a signal before the attach, and is again. */
        halted: z.number().optional(),
      }),
    ),
  }),
  library: { name: "session.stop", bare: true },
  mcp: { tool: "debug", action: "terminate", ofSession: true },
  run: async (context, args) => {
    const none = context.launches.length === 0 && context.named === undefined;
    const which = args.all || none ? [...context.launches] : [context.launch];
    for (const one of which) context.mayChange(one);
    const ended = await Promise.all(
      which.map(async (launch) => ({
        session: launch.name,
        attached: await runsOn(launch),
        ...(launch.asFound.halted === undefined || launch.ended ? {} : { halted: launch.asFound.halted }),
      })),
    );
    await Promise.all(which.map((launch) => context.end(launch)));
    return { ended };
  },
  text: ({ ended }) =>
    ended.length === 0
      ? "no session to stop\n"
      : ended
          .map(({ session, attached, halted }) => {
            const fate = halted === undefined ? "the process runs on" : leftHalted(halted);
            return `ended: session ${session}${attached ? ` (detached, ${fate})` : ""}\n`;
          })
          .join(""),
});

/** A process that has ended, or goes with its debugger, is not left running. */
async function runsOn(launch: Launch): Promise<boolean> {
  const { opening, core, ended } = launch;
  if (opening.request !== "attach" || core !== undefined || ended) return false;
  return (await sessionOf(launch)?.endsWithIt()) === undefined;
}

function leftHalted(pid: number): string {
  return `process ${pid} is still halted by a signal, as it was before; \`kill -CONT ${pid}\` resumes it`;
}

/** A common name (`uncaught`) or one of the adapter's own. */
export function filtersFor(
  { adapter, main }: Pick<Launch, "adapter"> & Partial<Pick<Session, "main">>,
  name: string,
): string[] {
  const common = own(adapter.catches, name);
  if (common) return common;
  const filters = main?.capabilities.exceptionBreakpointFilters?.map((filter) => filter.filter) ?? [];
  if (filters.includes(name)) return [name];
  const known = new Set([...Object.keys(adapter.catches), ...filters]);
  throw new SondeError("BAD_ARGUMENT", `no exception filter ${name}`, {
    hint: `there are: ${[...known].join(", ")}`,
  });
}
