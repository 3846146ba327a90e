/** Where "here" is: the debuggee, thread and frame that commands speak about. Follows stops; `thread`, `frame`, `up` and `down` move it. */
import { SondeError } from "../errors.ts";
import type { Debuggee } from "./debuggee.ts";
import type { Frame, Frames, Stack } from "./frames.ts";
import type { Stop } from "./state.ts";

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
  async here(): Promise<Here> {
    const debuggee = this.debuggee;
    const { stop } = debuggee;
    if (!stop) {
      throw new SondeError("NOT_STOPPED", `${this.#session.name} is ${this.#session.stateName}`, {
        hint: "`sonde pause` stops it now; `sonde await` waits for the next stop",
      });
    }
    return { debuggee, stop, threadId: await this.#thread(debuggee, stop) };
  }

  /** …and its stack and frame. */
  async place(levels = LEVELS): Promise<Place> {
    const here = await this.here();
    return this.#inStack(here, await this.#session.frames.get(here.debuggee, here.threadId, levels));
  }

  /** The same where the frames that are not the user's own are only counted. */
  async ownPlace(): Promise<Place> {
    const here = await this.here();
    return this.#inStack(here, await this.#session.frames.own(here.debuggee, here.threadId, LEVELS));
  }

  #inStack(here: Here, stack: Stack): Place {
    const { stop } = here;
    const chosen = this.#frame?.epoch === stop.epoch ? this.#frame.index : undefined;
    const frame =
      chosen === undefined ? (stack.frames.find((one) => one.user) ?? stack.frames[0]) : stack.frames[chosen];
    return { ...here, stack, frame };
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

  byThreadNumber(number: number): { debuggee: Debuggee; threadId: number } | undefined {
    const found = this.#threads[number - 1];
    return found && !found.debuggee.ended
      ? { debuggee: found.debuggee, threadId: found.threadId ?? 1 }
      : undefined;
  }
}
