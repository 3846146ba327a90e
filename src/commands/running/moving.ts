/** What every command that moves the program shares: edits before, the wait, the snapshot and the expressions after. */
import * as z from "zod";
import { SondeError } from "../../errors.ts";
import { type Breakpoint, type BreakpointSpec, notBound } from "../../session/breakpoints/breakpoint.ts";
import type { Launch } from "../../session/launch.ts";
import { takeTail } from "../../session/output/tail.ts";
import { haltedOutside } from "../../session/processes/alive.ts";
import { awaitStop, type Before } from "../../session/running/running.ts";
import type { Outcome } from "../../session/running/stops.ts";
import type { Session } from "../../session/session.ts";
import type { Aim } from "../../session/stack/focus.ts";
import { type Snapshot, snapshot } from "../../session/stack/snapshot.ts";
import { whyNoValue } from "../../session/values/evaluate.ts";
import { wait } from "../../util/wait.ts";
import type { Evaluation, MoveResult } from "../answers/shapes.ts";
import { haltedText } from "../answers/text.ts";
import { functionNamed, parseBreak, parseLocation, type Sources } from "../breakpoints/location.ts";
import { toRow } from "../breakpoints/text.ts";
import type { Context } from "../context.ts";
import { look } from "../values/look.ts";

/** Arguments of every waiting command. */
export const waiting = {
  timeout: z
    .number()
    .nonnegative()
    .optional()
    .describe('seconds to wait for a stop before the answer is "still running" (default 30)')
    .meta({ brief: "seconds 5-300, default 30" }),
  noWait: z.boolean().optional().describe("answer at once, without waiting for a stop"),
  break: z
    .array(z.string())
    .optional()
    .describe("set a breakpoint first: file:line[ if expr]")
    .meta({ mcp: "breakpoints", brief: "file:line[ if expr]" }),
  removeBreak: z.array(z.number()).optional().describe("remove this breakpoint first"),
  eval: z
    .array(z.string())
    .optional()
    .describe("show this expression at the stop, as `print` does")
    .meta({ mcp: "expressions" }),
};

/** Those that a tool call can give. */
export const WAITS = ["break", "eval", "noWait", "timeout"] as const;

export type Waiting = z.infer<z.ZodObject<typeof waiting>>;

/** Lines of source shown around a stop. */
export const AROUND = { before: 2, after: 2 };

/** Edits breakpoints, moves, waits, looks. */
export async function moved(
  context: Context,
  args: Waiting,
  move: () => Promise<Before>,
): Promise<MoveResult> {
  const { session, signal } = context;
  const added = await edit(context, args);
  const began = performance.now();
  const timeoutMs = waitMs(context, args);
  // The caller's clock runs from the request on: a debuggee that is frozen may not even answer that.
  const sent = await wait(move(), { timeoutMs: args.noWait ? context.waits.stopMs : timeoutMs, signal });
  if (!sent.done) return report(context, session, { kind: "running" }, { ...args, fresh: added, timeoutMs });
  const left = args.noWait ? 0 : Math.max(0, timeoutMs - (performance.now() - began));
  const outcome = await awaitStop(session, { timeoutMs: left, signal, willShow: true }, sent.value);
  return report(context, session, outcome, { ...args, fresh: added, timeoutMs });
}

/** The same of a program that runs already. */
export async function awaited(context: Context, args: Waiting): Promise<MoveResult> {
  return waited(context, context.session, args, await edit(context, args));
}

async function edit(context: Context, args: Waiting): Promise<Breakpoint[]> {
  const { session } = context;
  if (args.removeBreak) await session.breakpoints.remove(args.removeBreak.map((id) => existing(session, id)));
  const here = args.break?.some((text) => /^\d+( |$)/.test(text.trim()))
    ? await currentFile(session)
    : undefined;
  const specs = (args.break ?? []).map((text) => breakSpec(text, context.cwd, here, sourcesOf(session)));
  const added: Breakpoint[] = [];
  for (const spec of specs) added.push(await session.breakpoints.add(spec));
  return added;
}

/** Where its sources are now, and which there are though they are not here. */
export function sourcesOf({ opening, adapter }: Pick<Launch, "opening" | "adapter">): Sources {
  return {
    map: opening.plan.pathMap ?? [],
    has: (path) => adapter.hasSource?.(opening, path) ?? false,
  };
}

export function breakSpec(text: string, cwd: string, here?: string, sources?: Sources): BreakpointSpec {
  const { location, condition } = parseBreak(text);
  const name = functionNamed(location, cwd);
  if (name !== undefined)
    return { kind: "function", name, asked: name, ...(condition === undefined ? {} : { condition }) };
  const place = parseLocation(location, cwd, here, sources);
  return { kind: "line", ...place, ...(condition === undefined ? {} : { condition }) };
}

/** The file of the frame in focus, so that a bare line number can mean something. */
export async function currentFile(session: Session): Promise<string | undefined> {
  if (session.stateName !== "stopped") return undefined;
  return (await session.focus.place()).frame?.path;
}

export function existing(session: Session, id: number) {
  const found = session.breakpoints.find(id);
  if (found) return found;
  const ids = session.breakpoints.list().map((one) => one.id);
  throw new SondeError("BAD_ARGUMENT", `no breakpoint ${id}`, {
    hint: ids.length > 0 ? `there are: ${ids.join(", ")}` : "there are none",
  });
}

/** Waits for the outcome of a move and turns it into the answer. */
export async function waited(
  context: Context,
  session: Session,
  args: Waiting & { peek?: boolean },
  fresh: readonly Breakpoint[] = [],
): Promise<MoveResult> {
  const timeoutMs = waitMs(context, args);
  const outcome = await awaitStop(session, { timeoutMs, signal: context.signal, peek: args.peek ?? false });
  return report(context, session, outcome, { ...args, fresh, timeoutMs });
}

export function waitMs(context: Context, args: Waiting): number {
  if (args.noWait) return 0;
  return args.timeout === undefined ? context.waits.stopMs : args.timeout * 1000;
}

/** How a move came out, as the answer. */
export async function report(
  context: Context,
  session: Session,
  outcome: Outcome,
  args: { eval?: string[] | undefined; fresh?: readonly Breakpoint[]; timeoutMs: number },
): Promise<MoveResult> {
  const { limits } = context;
  const { timeoutMs, fresh = [] } = args;
  // After the wait: a breakpoint in a file that was not loaded yet is bound, or moved, only now.
  const added = fresh.map(toRow);
  if (outcome.kind === "stopped") {
    // What a fresh breakpoint came to is said in its own line.
    const known = added.filter((row) => row.boundLine !== undefined).map((row) => row.id);
    const aim = aimAt(session, outcome);
    const shot = await snapshot(session, { limits, ...AROUND, known, peek: context.peeks, aim });
    return {
      state: "stopped",
      snapshot: owned(context, session, shot),
      evaluations: await evaluateAll(context, session, args.eval ?? [], aim),
      added,
    };
  }
  const output = takeTail(session.output, limits.outputLines, context.peeks);
  const notes = context.peeks ? [...session.launch.notes.untold] : session.launch.notes.take();
  if (outcome.kind === "running") {
    const unbound = session.breakpoints.unbound().map(notBound);
    return {
      state: "running",
      session: session.name,
      waitedSecs: timeoutMs / 1000,
      output,
      notes: [...haltedOutside(session).map(haltedText), ...notes],
      added,
      unbound,
    };
  }
  const { how, exitCode, signal, why } = outcome.ending;
  const neverHit = session.breakpoints
    .list()
    .filter((one) => one.enabled && one.lost === undefined && one.hits === 0 && one.logMessage === undefined)
    .map(toRow);
  return { state: "exited", session: session.name, how, exitCode, signal, why, output, notes, neverHit };
}

/** Who only looks on is shown where it stopped, also if that is not where the focus is. */
function aimAt({ focus }: Session, { debuggee, stop }: Outcome & { kind: "stopped" }): Aim {
  if (debuggee === focus.debuggee || stop.threadId === undefined) return {};
  return { thread: focus.threadNumber(debuggee, stop.threadId) };
}

/** With who has it, if that is not the agent. */
export function owned(context: Context, { launch }: Session, shot: Snapshot): Snapshot {
  return context.hands(launch).owner.who === "person" ? { ...shot, owner: "person" } : shot;
}

async function evaluateAll(
  context: Context,
  session: Session,
  expressions: string[],
  aim: Aim,
): Promise<Evaluation[]> {
  const all: Evaluation[] = [];
  for (const expression of expressions) {
    try {
      const value = await look(context, session, expression, {
        aim,
        chars: context.limits.valueChars * 4,
      });
      all.push({ expression, value });
    } catch (error) {
      all.push({ expression, error: whyNoValue(error) });
    }
  }
  return all;
}
