/**
 * Steps in the frame that the reader sees. A program that was paused in a library, or stepped into one, is in a frame that is not
 * shown: a step of that frame would change nothing that the reader can see. So the library's frames are left first, and a step that
 * ends in them goes on.
 */
import type { WaitOptions } from "../../util/wait.ts";
import type { Session } from "../session.ts";
import type { Place } from "../stack/focus.ts";
import { awaitStop, type Before, type Step, step } from "./running.ts";
import type { Outcome } from "./stops.ts";

/** Limits: how many library frames above the user's are left, and how many calls on one line a step in tries. */
const MOST_LEFT = 64;
const MOST_CALLS = 16;

/** Sends one step; if its stop is already known, it waits there to be taken. */
export async function stepOwn(session: Session, how: Step, options: WaitOptions): Promise<Before> {
  if (how.granularity !== undefined || how.targetId !== undefined) return step(session, how);
  const start = await hiddenAbove(session);
  if (start === undefined) return how.kind === "stepIn" ? stepIn(session, how, options) : step(session, how);
  const left = await leave(session, options);
  if (left.kind !== "stopped" || left.stop.reason !== "step") return kept(session, left);
  const here = await session.focus.ownPlace();
  if (how.kind !== "stepOut" && !isSameLine(start, here)) return kept(session, left);
  // The call that it was in is over, and what is left of the line is nothing to look at.
  return step(session, how.kind === "stepIn" ? { kind: "next" } : how);
}

/** Into a function of the user's own, or on to the next line; not into what the line needs of a library. */
async function stepIn(session: Session, how: Step, options: WaitOptions): Promise<Before> {
  const start = await session.focus.ownPlace();
  for (let calls = 0; calls < MOST_CALLS; calls++) {
    const before = await step(session, how);
    const outcome = await awaitStop(session, { ...options, willShow: true }, before);
    if (outcome.kind !== "stopped" || outcome.stop.reason !== "step") return kept(session, outcome);
    const inside = await hiddenAbove(session);
    if (inside === undefined || !isSameLine(start, inside)) return kept(session, outcome);
    const left = await leave(session, options);
    if (left.kind !== "stopped" || left.stop.reason !== "step") return kept(session, left);
    if (!isSameLine(start, await session.focus.ownPlace())) return kept(session, left);
  }
  return step(session, { kind: "next" });
}

/** The place that is shown, where frames of a library are above it and the user has not chosen one of those. */
async function hiddenAbove(session: Session): Promise<Place | undefined> {
  const place = await session.focus.ownPlace();
  const { frame, stack } = place;
  if (!frame?.user || frame.index === 0) return undefined;
  const above = stack.frames.slice(0, frame.index);
  // What the user chose may be a caller; and across an await nothing returns to it.
  return above.some((one) => one.user || one.label) ? undefined : place;
}

async function leave(session: Session, options: WaitOptions): Promise<Outcome> {
  for (let frames = 0; ; frames++) {
    const outcome = await awaitStop(session, options, await step(session, { kind: "stepOut" }));
    if (outcome.kind !== "stopped" || outcome.stop.reason !== "step" || frames >= MOST_LEFT) return outcome;
    if ((await hiddenAbove(session)) === undefined) return outcome;
  }
}

/** Nothing is called or left between the two, as far as can be seen. */
function isSameLine({ frame: one, stack: first }: Place, { frame: other, stack: second }: Place): boolean {
  if (!one || !other || one.path !== other.path || one.line !== other.line || one.name !== other.name)
    return false;
  return first.total - one.index === second.total - other.index;
}

/** It is what the answer is about. */
function kept(session: Session, outcome: Outcome): Before {
  if (outcome.kind === "stopped") session.stops.arrived(outcome.debuggee, outcome.stop);
  return new Set();
}
