/** What the debugger stands at: the pause, if there is one, and the handles that live as long as it does. */
import type { Protocol } from "devtools-protocol";
import type { Cdp } from "../target.ts";
import { Handles } from "./handles.ts";
import { DapError } from "./host.ts";
import { PAUSE_GROUP } from "./kit.ts";
import { type AnyFrame, framesOf, type LiveFrame, type Pause } from "./pause.ts";
import type { Scripts } from "./scripts.ts";

/** Requests whose answers may name objects, which V8 then keeps for us. */
const KEEPING = new Set<string>([
  "Debugger.evaluateOnCallFrame",
  "Runtime.callFunctionOn",
  "Runtime.evaluate",
  "Runtime.getProperties",
]);

export class Current {
  readonly #cdp: Cdp;
  readonly #scripts: Scripts;
  readonly #frames = new Handles<AnyFrame>("frame");
  readonly #onMove: (() => void)[] = [];
  #pause: Pause | undefined;
  #hasKept = false;

  constructor(cdp: Cdp, scripts: Scripts) {
    this.#cdp = cdp;
    this.#scripts = scripts;
  }

  get pause(): Pause | undefined {
    return this.#pause;
  }

  onSend(method: string): void {
    if (KEEPING.has(method)) this.#hasKept = true;
  }

  /** Called when the program moves: handles of the pause are void. */
  onMove(listener: () => void): void {
    this.#onMove.push(listener);
  }

  /**
   * Idle, the frames are Node's and ours: there is nothing to show, but something to evaluate in. `past`: the frames to show are those
   * that are gone.
   */
  stopAt(event: Protocol.Debugger.PausedEvent, isIdle: boolean, past?: Protocol.Runtime.CallFrame[]): void {
    const told = past?.map((call): AnyFrame => ({ kind: "past", call }));
    const shown = isIdle ? [] : (told ?? framesOf(event, this.#scripts));
    const frames = shown.map((frame) => ({ id: this.#frames.add(frame), frame }));
    this.#pause = { reason: event.reason, data: event.data, frames, top: event.callFrames[0], dirty: false };
  }

  move(): void {
    if (this.#pause === undefined) return;
    this.#pause = undefined;
    this.#frames.clear();
    for (const listener of this.#onMove) listener();
    if (!this.#hasKept) return;
    this.#hasKept = false;
    // The answer is of no interest, and a program that has just ended gives none.
    this.#cdp.send("Runtime.releaseObjectGroup", { objectGroup: PAUSE_GROUP }).catch(() => {});
  }

  need(): Pause {
    if (this.#pause === undefined) throw new DapError("the program is running");
    return this.#pause;
  }

  frame(id: number): AnyFrame {
    this.need();
    return this.#frames.get(id);
  }

  live(id: number): LiveFrame {
    const frame = this.frame(id);
    if (frame.kind !== "live")
      throw new DapError(
        "this frame is from before an await, or its stack is gone: its variables no longer exist",
      );
    return frame;
  }
}
