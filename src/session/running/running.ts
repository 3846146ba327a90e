/** Moving the program: continue, steps, pause. Each sends, then waits for the next stop of the session. */

import type { DebugProtocol } from "@vscode/debugprotocol";
import { advice, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { type WaitOptions, wait } from "../../util/wait.ts";
import type { Debuggee } from "../debuggee.ts";
import type { Session } from "../session.ts";
import type { Stop } from "../state.ts";
import type { Looker, Outcome, StopWait } from "./stops.ts";

export interface Step {
  kind: "next" | "stepIn" | "stepOut";
  granularity?: DebugProtocol.SteppingGranularity;
  targetId?: number;
}

/** Waits for the next stop, the end or the deadline, and moves the focus to where it stopped, unless it only peeks. */
export async function awaitStop(
  session: Session,
  { willShow, ...options }: StopWait & { willShow?: boolean },
  skip?: Before,
): Promise<Outcome> {
  const look: Looker = (debuggee, stop) => session.frames.foresee(debuggee, stop);
  const outcome = await session.stops.next(options, skip, willShow ? look : undefined);
  if (outcome.kind === "stopped" && !options.peek) session.focus.set(outcome.debuggee, outcome.stop.threadId);
  return outcome;
}

/** Stops that were waiting to be shown before a move began, and so are not its outcome. */
export type Before = ReadonlySet<Stop>;

/** Resumes what is stopped and has been shown; with `onlyThread` just the thread in focus. What waits to be shown is its outcome. */
export async function resume(session: Session, options: { onlyThread?: boolean } = {}): Promise<Before> {
  const focused = session.focus.debuggee;
  const stopped = session.live.filter((one) => one.stop && (one === focused || !session.stops.isUnseen(one)));
  const which = options.onlyThread ? stopped.filter((one) => one === focused) : stopped;
  if (options.onlyThread) await checkSingleThread(session, focused);
  session.stops.markSeen(focused);
  await Promise.all(
    which.map(async (debuggee) => {
      const threadId =
        debuggee === focused ? (await session.focus.here()).threadId : await threadOf(session, debuggee);
      const single = options.onlyThread && debuggee.capabilities.supportsSingleThreadExecutionRequests;
      await moving(debuggee, () =>
        debuggee.client.request("continue", { threadId, ...(single ? { singleThread: true } : {}) }),
      );
    }),
  );
  return new Set();
}

/** Where the adapter cannot resume one thread of several, resuming all would not be what was asked for. */
async function checkSingleThread(session: Session, debuggee: Debuggee): Promise<void> {
  if (debuggee.capabilities.supportsSingleThreadExecutionRequests) return;
  const { threads } = await debuggee.client.request("threads", undefined);
  if (threads.length <= 1) return;
  throw new SondeError("UNSUPPORTED", `the ${session.adapter.name} adapter resumes all threads or none`, {
    hint: advice`${call("continue")} resumes all of them`,
  });
}

export async function step(session: Session, how: Step): Promise<Before> {
  const { debuggee, threadId } = await session.focus.here();
  session.stops.markSeen(debuggee);
  const before = session.stops.pending();
  if (how.granularity !== undefined && !debuggee.capabilities.supportsSteppingGranularity) {
    throw new SondeError("UNSUPPORTED", `the ${session.adapter.name} adapter steps by lines only`, {
      hint: "omit the granularity",
    });
  }
  const granularity = how.granularity === undefined ? {} : { granularity: how.granularity };
  const target = how.targetId === undefined ? {} : { targetId: how.targetId };
  const send = () => debuggee.client.request(how.kind, { threadId, ...granularity, ...target });
  await moving(debuggee, send, { over: how.kind === "next", step: true });
  return before;
}

/** How long the others get to stop once one has: an idle one stops at its next event. */
const SETTLE_MS = 300;

/**
 * Stops what runs: one debuggee, or all of them, as a pause stops all threads of a program. The focus goes to one that is in the
 * user's code, because that is what a reader who pauses a hanging program looks for.
 */
export async function pause(session: Session, options: WaitOptions, only?: Debuggee): Promise<Outcome> {
  // One that is just being started has nothing to stop yet.
  await wait(session.whenOpen(), options);
  const which = only ? [only] : session.live;
  if (which.length === 0) throw new SondeError("SESSION_ENDED", `${session.name} has ended`);
  const running = which.filter((debuggee) => !debuggee.stop);
  if (running.length > 0) {
    checkPause(session);
    const sent = Promise.all(running.map((debuggee) => sendPause(session, debuggee)));
    const all = Promise.all(running.map((debuggee) => standstill(debuggee)));
    const some = Promise.race(running.map((debuggee) => standstill(debuggee)));
    // A refusal ends the wait; a frozen debuggee that does not even answer ends with the caller's clock.
    const first = await wait(Promise.race([some, sent.then(() => some)]), options);
    if (first.done) await wait(all, { ...options, timeoutMs: SETTLE_MS });
  }
  const stopped = which.filter((debuggee) => debuggee.stop);
  for (const debuggee of stopped) session.stops.markSeen(debuggee);
  const chosen = (await firstInOwnCode(session, stopped)) ?? stopped[0];
  if (!chosen?.stop) return session.stops.next({ ...options, timeoutMs: 0 });
  session.focus.set(chosen, chosen.stop.threadId);
  return { kind: "stopped", debuggee: chosen, stop: chosen.stop };
}

function checkPause({ adapter }: Session): void {
  const known = adapter.unsupported.pause;
  if (known) throw new SondeError("UNSUPPORTED", `pause: ${known.reason}`, { hint: known.instead });
}

async function sendPause(session: Session, debuggee: Debuggee): Promise<void> {
  const threadId = await session.focus.anyThread(debuggee);
  debuggee.pauseRequested();
  await debuggee.client.request("pause", { threadId });
}

function standstill(debuggee: Debuggee): Promise<void> {
  return new Promise((resolve) => {
    if (debuggee.stop || debuggee.ended) return resolve();
    const off = debuggee.events.add((event) => {
      if (event.kind !== "stopped" && event.kind !== "ended") return;
      off();
      resolve();
    });
  });
}

async function firstInOwnCode(session: Session, stopped: readonly Debuggee[]): Promise<Debuggee | undefined> {
  for (const debuggee of stopped) {
    const threadId = await threadOf(session, debuggee);
    const { frames } = await session.frames.get(debuggee, threadId, 20);
    if (frames.some((frame) => frame.user)) return debuggee;
  }
  return undefined;
}

export async function restartFrame(session: Session, index: number): Promise<Before> {
  const { debuggee, stack } = await session.focus.place();
  const frame = stack.frames[index];
  if (!frame)
    throw new SondeError("BAD_ARGUMENT", `there is no frame ${index}; the stack has ${stack.frames.length}`);
  session.stops.markSeen(debuggee);
  const before = session.stops.pending();
  await moving(debuggee, () => debuggee.client.request("restartFrame", { frameId: frame.adapterId }));
  return before;
}

/**
 * The state turns to running before the request goes out: a stop may come back before the response does. A program that died
 * instead of moving has an end like any other, which whoever waits is told; only an adapter's own death is a failure.
 */
async function moving(
  debuggee: Debuggee,
  send: () => Promise<unknown>,
  how: { over?: boolean; step?: boolean } = {},
): Promise<void> {
  const before = debuggee.stop;
  debuggee.resumed(how);
  try {
    await send();
  } catch (error) {
    if (debuggee.ended?.how === "exited" || debuggee.ended?.how === "terminated") return;
    if (before) debuggee.resumeFailed(before);
    throw error;
  }
}

async function threadOf(session: Session, debuggee: Debuggee): Promise<number> {
  return debuggee.stop?.threadId ?? session.focus.anyThread(debuggee);
}
