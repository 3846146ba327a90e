/**
 * Does something shortly after it was first wanted, once for all who want it meanwhile; and again if it is wanted while it is done, or, a
 * little later each time, while the daemon does not answer.
 */
import { Unanswered } from "./asking.ts";

const AGAIN_MS = 500;
const LATEST_AGAIN_MS = 15_000;

export class Soon {
  readonly #work: () => Promise<void>;
  readonly #ms: number;
  #timer: NodeJS.Timeout | undefined;
  #running = false;
  #again = false;
  #unanswered = 0;

  constructor(ms: number, work: () => Promise<void>) {
    this.#ms = ms;
    this.#work = work;
  }

  want(): void {
    if (this.#running) this.#again = true;
    else this.#timer ??= setTimeout(() => void this.#run(), this.#ms);
  }

  /** Nobody has answered: once more, a little later. */
  later(): void {
    if (this.#running) return; // its own end tells whether it is needed
    const ms = Math.min(LATEST_AGAIN_MS, AGAIN_MS * 2 ** this.#unanswered++);
    this.#timer ??= setTimeout(() => void this.#run(), ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    this.#running = true;
    let isAnswered = true;
    try {
      await this.#work();
      this.#unanswered = 0;
    } catch (thrown) {
      if (!(thrown instanceof Unanswered)) throw thrown;
      isAnswered = false;
    } finally {
      // Also after a failure, which goes to the log: what is wanted later is done.
      this.#running = false;
      if (!isAnswered) this.later();
      if (this.#again) {
        this.#again = false;
        this.want();
      }
    }
  }
}
