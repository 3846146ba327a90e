/** Where "here" is: the debuggee, thread and frame that commands speak about. Follows stops; `thread`, `frame`, `up` and `down` move it. */

import type { Opening } from "../../adapters/adapter.ts";
import { advice, blank, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { again } from "../again.ts";
import type { Debuggee } from "../debuggee.ts";
import type { Stop } from "../state.ts";
import type { Frame, Frames, Stack } from "./frames.ts";

/** Another thread or frame than those in focus, for one question: the focus stays where it is. Numbers as users see them. */
export interface Aim {
  thread?: number | undefined;
  frame?: number | undefined;
}

/** A stop and its thread, without the stack, which some adapters refuse to show. */
export interface Here {
  debuggee: Debuggee;
  stop: Stop;
  threadId: number;
}

export interface Place extends Here {
  stack: Stack;
  frame: Frame | undefined;
}

/** What it needs of its session. */
interface Around {
  readonly name: string;
  readonly stateName: string;
  readonly main: Debuggee | undefined;
  readonly live: Debuggee[];
  readonly frames: Frames;
  readonly opening: Opening;
}

/** Enough to find a user frame under a pile of library frames, and to fill a snapshot. */
const LEVELS = 40;

export class Focus {
  #session: Around;
  #debuggee: Debuggee | undefined;
  #threadId: number | undefined;
  /** Set by the user; otherwise the first frame of the user's own code. */
  #frame: { epoch: number; index: number } | undefined;
  /** Our thread numbers: small, stable and unique over all debuggees of the session. */
  #threads: { debuggee: Debuggee; threadId: number | undefined }[] = [];

  constructor(session: Around) {
    this.#session = session;
  }

  /** The debuggee in focus; if it is gone or nothing was chosen, a stopped one, else the main one. */
  get debuggee(): Debuggee {
    const chosen = this.#debuggee;
    if (chosen && !chosen.ended && (chosen.stop || !this.#session.live.some((one) => one.stop)))
      return chosen;
    const found = this.#session.live.find((one) => one.stop) ?? this.#session.main;
    if (!found) throw new SondeError("NO_SESSION", `session ${this.#session.name} is not open yet`);
    return found;
  }

  set(debuggee: Debuggee, threadId?: number): void {
    this.#debuggee = debuggee;
    this.#threadId = threadId;
    this.#frame = undefined;
  }

  forget(debuggee: Debuggee): void {
    if (this.#debuggee === debuggee) this.#debuggee = this.#threadId = this.#frame = undefined;
  }

  /** A new launch: nothing of the old one is there to look at. */
  reset(): void {
    this.#debuggee = this.#threadId = this.#frame = undefined;
    this.#threads = [];
  }

  selectFrame(index: number): void {
    const epoch = this.debuggee.stop?.epoch;
    this.#frame = epoch === undefined ? undefined : { epoch, index };
  }

  /** Debuggee and thread of the present stop. */
  async here(aim: Aim = {}): Promise<Here> {
    if (aim.thread !== undefined) return this.stopped(aim.thread);
    const debuggee = this.debuggee;
    const { stop } = debuggee;
    if (!stop && this.#session.stateName === "terminated")
      throw new SondeError("SESSION_ENDED", `${this.#session.name} has ended, so there is no current line`, {
        hint: advice`${call("source", { location: blank("file:line") })} still shows source; ${again(this.#session, "runs the program again")}`,
      });
    if (!stop) {
      throw new SondeError("NOT_STOPPED", `${this.#session.name} is ${this.#session.stateName}`, {
        hint: advice`${call("pause")} stops it now; ${call("await")} waits for the next stop`,
      });
    }
    return { debuggee, stop, threadId: await this.#thread(debuggee, stop) };
  }

  /** …and its stack and frame. */
  async place(levels = LEVELS, aim: Aim = {}): Promise<Place> {
    const { debuggee, stop, threadId } = await this.here(aim);
    const chosen = this.#frame?.epoch === stop.epoch ? this.#frame.index : 0;
    const deep = Math.max(LEVELS, levels, (aim.frame ?? 0) + 1, chosen + 1);
    const stack = await this.#session.frames.get(debuggee, threadId, deep);
    return { debuggee, stop, threadId, stack, frame: this.#frameIn(stack, stop, aim) };
  }

  /** The same where the frames that are not the user's own are only counted. */
  async ownPlace(aim: Aim = {}): Promise<Place> {
    const { debuggee, stop, threadId } = await this.here(aim);
    const isChosen = aim.thread === undefined && this.#frame?.epoch === stop.epoch;
    if (aim.frame !== undefined || isChosen) return this.place(LEVELS, aim);
    const stack = await this.#session.frames.own(debuggee, threadId, LEVELS);
    return { debuggee, stop, threadId, stack, frame: this.#frameIn(stack, stop, aim) };
  }

  #frameIn(stack: Stack, stop: Stop, aim: Aim): Frame | undefined {
    if (aim.frame !== undefined) return frameNumbered(stack, aim.frame);
    // The frame that was chosen is one of the thread in focus.
    const chosen =
      aim.thread === undefined && this.#frame?.epoch === stop.epoch ? this.#frame.index : undefined;
    return chosen === undefined
      ? (stack.frames.find((one) => one.user) ?? stack.frames[0])
      : stack.frames[chosen];
  }

  async #thread(debuggee: Debuggee, stop: Stop): Promise<number> {
    if (this.#debuggee === debuggee && this.#threadId !== undefined) return this.#threadId;
    return stop.threadId ?? this.anyThread(debuggee);
  }

  /** For requests that want a thread when no stop named one. */
  async anyThread(debuggee: Debuggee): Promise<number> {
    if (this.#debuggee === debuggee && this.#threadId !== undefined) return this.#threadId;
    const { threads } = await debuggee.client.request("threads", undefined);
    return threads[0]?.id ?? 1;
  }

  /** A debuggee's first thread is numbered when the debuggee turns up, so that numbers do not depend on who stops first. */
  reserve(debuggee: Debuggee): void {
    this.#threads.push({ debuggee, threadId: undefined });
  }

  threadNumber(debuggee: Debuggee, threadId: number): number {
    const mine = this.#threads.filter((one) => one.debuggee === debuggee);
    const known =
      mine.find((one) => one.threadId === threadId) ?? mine.find((one) => one.threadId === undefined);
    if (!known) return this.#threads.push({ debuggee, threadId });
    known.threadId = threadId;
    return this.#threads.indexOf(known) + 1;
  }

  /** A thread by its number. */
  numbered(number: number): { debuggee: Debuggee; threadId: number } {
    const found = this.#threads[number - 1];
    if (found && !found.debuggee.ended) return { debuggee: found.debuggee, threadId: found.threadId ?? 1 };
    throw new SondeError("BAD_ARGUMENT", `no thread ${number}`, {
      hint: advice`${call("threads")} numbers them`,
    });
  }

  /** …that stands still. */
  stopped(number: number): Here {
    const { debuggee, threadId } = this.numbered(number);
    if (!debuggee.stop)
      throw new SondeError("NOT_STOPPED", `thread ${number} (${debuggee.label}) is running`, {
        hint: advice`${call("threads")} shows which are stopped`,
      });
    return { debuggee, stop: debuggee.stop, threadId };
  }
}

/** A divider between two parts of a stack has a number too, but is no place one can stand in. */
export function frameNumbered({ frames }: Stack, index: number): Frame {
  const found = frames[index];
  if (!found) {
    const what =
      index < 0
        ? "this is the innermost frame"
        : `there is no frame ${index}; the last is ${frames.length - 1}`;
    throw new SondeError("BAD_ARGUMENT", what, {
      hint: advice`${call("backtrace", { all: true })} numbers them`,
    });
  }
  if (found.label)
    throw new SondeError("BAD_ARGUMENT", `${index} is not a frame: it separates two parts of the stack`, {
      hint: advice`${call("frame", { number: index + 1 })} is the one below it`,
    });
  return found;
}
