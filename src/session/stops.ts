/**
 * Stops as they arrive, and who waits for them. A stop nobody waits for is kept until a command shows it, so nothing is lost
 * between two commands or between an event and the response it overtook.
 */
import { SondeError } from "../errors.ts";
import { deferred, wait, type WaitOptions } from "../util/wait.ts";
import type { Debuggee } from "./debuggee.ts";
import type { Session } from "./session.ts";
import type { Ending, Stop } from "./state.ts";

export type Outcome =
  | { kind: "stopped"; debuggee: Debuggee; stop: Stop }
  | { kind: "ended"; ending: Ending }
  /** Still going when the caller's time was up. */
  | { kind: "running" };

export class Stops {
  #session: Session;
  #unseen: { debuggee: Debuggee; stop: Stop }[] = [];
  #wake = new Set<() => void>();

  constructor(session: Session) {
    this.#session = session;
  }

  arrived(debuggee: Debuggee, stop: Stop): void {
    this.#unseen.push({ debuggee, stop });
    this.#wakeAll();
  }

  ended(_ending: Ending): void {
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const wake of [...this.#wake]) wake();
  }

  /** The next stop not yet shown, or the end. Without waiting. */
  #ready(): Outcome | undefined {
    for (;;) {
      const first = this.#unseen.shift();
      if (!first) break;
      if (first.debuggee.stop?.epoch === first.stop.epoch) return { kind: "stopped", ...first };
    }
    const ending = this.#session.ended;
    return ending ? { kind: "ended", ending } : undefined;
  }

  /** A stop is about to be shown without having been waited for. */
  markSeen(debuggee: Debuggee): void {
    this.#unseen = this.#unseen.filter((one) => one.debuggee !== debuggee);
  }

  isUnseen(debuggee: Debuggee): boolean {
    return this.#unseen.some((one) => one.debuggee === debuggee);
  }

  async next(options: WaitOptions): Promise<Outcome> {
    for (;;) {
      const ready = this.#ready();
      if (ready) return ready;
      const woken = deferred<void>();
      this.#wake.add(woken.resolve);
      const started = performance.now();
      const result = await wait(woken.promise, options).finally(() => this.#wake.delete(woken.resolve));
      if (!result.done && result.why === "aborted") throw new SondeError("CANCELLED", "cancelled while waiting for a stop");
      if (!result.done) return this.#ready() ?? { kind: "running" };
      if (options.timeoutMs !== undefined) {
        options = { ...options, timeoutMs: Math.max(0, options.timeoutMs - (performance.now() - started)) };
      }
    }
  }
}
