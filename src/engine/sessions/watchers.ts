/** Who is at the page: requests of it that follow what changes and may do more than that. While there is one, somebody could give a session back. */
import { type WaitOptions, wait } from "../../util/wait.ts";

/** A tab that is only loaded again is back by then. */
const RELOAD_MS = 2_000;

export class Watchers {
  #count = 0;
  #alone = new AbortController();
  /** The last one has gone, and may be back in a moment; fires when that is known. */
  #reload: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.#alone.abort();
  }

  /** Has fired if nobody is there, and fires when the last one has gone and is not back in a moment. */
  get alone(): AbortSignal {
    return this.#alone.signal;
  }

  /** Until the returned function is called. */
  come(): () => void {
    if (this.#alone.signal.aborted) this.#alone = new AbortController();
    this.#count += 1;
    this.#settle();
    return () => {
      this.#count -= 1;
      if (this.#count > 0) return;
      this.#reload = new AbortController();
      this.#timer = setTimeout(() => {
        this.#alone.abort();
        this.#settle();
      }, RELOAD_MS).unref();
    };
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#reload?.abort();
    this.#reload = undefined;
  }

  /** Whether somebody is there, once it is known of one who may only be loading the page again. */
  async present({ signal }: Pick<WaitOptions, "signal">): Promise<boolean> {
    const reload = this.#reload?.signal;
    if (reload !== undefined) {
      const known = new Promise<void>((done) =>
        reload.addEventListener("abort", () => done(), { once: true }),
      );
      await wait(known, { timeoutMs: 2 * RELOAD_MS, signal });
    }
    return !this.#alone.signal.aborted;
  }
}
