/**
 * Stops as they arrive, and who waits for them. A stop nobody waits for is kept until a command shows it, so nothing is lost
 * between two commands or between an event and the response it overtook.
 */
import { SondeError } from "../errors.ts";
import { deferred, type WaitOptions, wait } from "../util/wait.ts";
import type { Debuggee } from "./debuggee.ts";
import type { Ending, Stop } from "./state.ts";

export type Outcome =
  | { kind: "stopped"; debuggee: Debuggee; stop: Stop }
  | { kind: "ended"; ending: Ending }
  /** Still going when the caller's time was up. */
  | { kind: "running" };

export type Looker = (debuggee: Debuggee, stop: Stop) => void;

export class Stops {
  #session: { readonly ended: Ending | undefined };
  #unseen: { debuggee: Debuggee; stop: Stop }[] = [];
  #wake = new Set<() => void>();
  #lookers = new Set<Looker>();

  constructor(session: { readonly ended: Ending | undefined }) {
    this.#session = session;
  }

  /** Someone waits for the next one. */
  get awaited(): boolean {
    return this.#wake.size > 0;
  }

  arrived(debuggee: Debuggee, stop: Stop): void {
    this.#unseen.push({ debuggee, stop });
    for (const look of this.#lookers) look(debuggee, stop);
    this.#wakeAll();
  }

  ended(_ending: Ending): void {
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const wake of [...this.#wake]) wake();
  }

  /** The next stop not yet shown, or the end. Without waiting. */
  #ready(skip: ReadonlySet<Stop> = new Set()): Outcome | undefined {
    this.#unseen = this.#unseen.filter(({ debuggee, stop }) => debuggee.stop?.epoch === stop.epoch);
    const at = this.#unseen.findIndex(({ stop }) => !skip.has(stop));
    const [found] = at < 0 ? [] : this.#unseen.splice(at, 1);
    if (found) return { kind: "stopped", ...found };
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

  /** What is unseen now. A step waits for what comes after it; stops that were there before keep. */
  pending(): ReadonlySet<Stop> {
    return new Set(this.#unseen.map(({ stop }) => stop));
  }

  /** @param look is called when a stop arrives, which is some turns earlier than the wait ends. */
  async next(options: WaitOptions, skip?: ReadonlySet<Stop>, look?: Looker): Promise<Outcome> {
    for (;;) {
      const ready = this.#ready(skip);
      if (ready) return ready;
      const woken = deferred<void>();
      this.#wake.add(woken.resolve);
      if (look) this.#lookers.add(look);
      const started = performance.now();
      const result = await wait(woken.promise, options).finally(() => {
        this.#wake.delete(woken.resolve);
        if (look) this.#lookers.delete(look);
      });
      if (!result.done && result.why === "aborted")
        throw new SondeError("CANCELLED", "cancelled while waiting for a stop");
      if (!result.done) return this.#ready() ?? { kind: "running" };
      if (options.timeoutMs !== undefined) {
        options = { ...options, timeoutMs: Math.max(0, options.timeoutMs - (performance.now() - started)) };
      }
    }
  }
}
