/**
 * Threads that reach a breakpoint while another has stopped the program stop there too, and debugpy tells of each. They are shown
 * one after the other: `continue` goes on to the next of them, and lets the program run after the last.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";

export type Stopped = DebugProtocol.StoppedEvent["body"];

/** What a thread has come to by itself. */
const OWN = new Set(["breakpoint", "function breakpoint", "exception"]);

export class HeldStops {
  #standing: Stopped | undefined;
  #held: Stopped[] = [];

  /** Whether it is kept for later; else it is the stop that is shown now. */
  keeps(body: Stopped): boolean {
    if (this.#standing === undefined) {
      this.#standing = body;
      return false;
    }
    if (!OWN.has(body.reason)) return false;
    if (body.threadId !== this.#standing.threadId) this.#held.push(body);
    return true;
  }

  /** The stop to show instead of going on, if there is one. */
  next(): Stopped | undefined {
    this.#standing = this.#held.shift();
    return this.#standing;
  }

  /** The program moves, or what stops it has changed. How many are told of no more. */
  drop(moves = true): number {
    if (moves) this.#standing = undefined;
    return this.#held.splice(0).length;
  }
}
