/** Another daemon is being put in this one's place. Whatever comes before that one is told to go ahead calls it off, and is served here. */
import type { Resting } from "../client/daemon-process.ts";

export class Handover {
  readonly #calledOff = new AbortController();
  #going = false;
  /** True when clients find the other one. */
  readonly started: Promise<boolean>;

  constructor(idleMs: number, start: (resting: Resting) => Promise<boolean>) {
    const onGo = () => {
      this.#going = true;
    };
    this.started = start({ idleMs, calledOff: this.#calledOff.signal, onGo });
  }

  /** The other one has been told: what comes from here on is for it, in a moment. */
  get isGoing(): boolean {
    return this.#going;
  }

  callOff(): void {
    this.#calledOff.abort();
  }
}
