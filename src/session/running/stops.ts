/**
 * Stops as they arrive, and who waits for them. A stop nobody waits for is kept until a command shows it, so nothing is lost
 * between two commands or between an event and the response it overtook.
 */
import { SondeError } from "../../errors.ts";
import { deferred, type Waited, type WaitOptions, wait } from "../../util/wait.ts";
import type { Debuggee } from "../debuggee.ts";
import type { Ending, Stop } from "../state.ts";

export type Outcome =
  | { kind: "stopped"; debuggee: Debuggee; stop: Stop }
  | { kind: "ended"; ending: Ending }
  /** Still going when the caller's time was up. */
  | { kind: "running" };

export type Looker = (debuggee: Debuggee, stop: Stop) => void;

/** `peek`: the stop stays unseen. */
export type StopWait = WaitOptions & { peek?: boolean };

interface Waiter {
  skip: ReadonlySet<Stop>;
  /** It only looks on: the stop is still to be shown to who debugs. */
  peek: boolean;
  take(outcome: Outcome): void;
}

export class Stops {
  #session: { readonly ended: Ending | undefined };
  #unseen: { debuggee: Debuggee; stop: Stop }[] = [];
  #waiters = new Set<Waiter>();
  #lookers = new Set<Looker>();

  constructor(session: { readonly ended: Ending | undefined }) {
    this.#session = session;
  }

  /** Someone waits for the next one. */
  get awaited(): boolean {
    return this.#waiters.size > 0;
  }

  /** Everyone who waits gets it: a step and a pause that are both waited for end in the same stop. */
  arrived(debuggee: Debuggee, stop: Stop): void {
    for (const look of this.#lookers) look(debuggee, stop);
    const takers = [...this.#waiters].filter(({ skip }) => !skip.has(stop));
    if (takers.every(({ peek }) => peek)) this.#unseen.push({ debuggee, stop });
    for (const taker of takers) this.#give(taker, { kind: "stopped", debuggee, stop });
  }

  ended(ending: Ending): void {
    for (const waiter of [...this.#waiters]) this.#give(waiter, { kind: "ended", ending });
  }

  #give(waiter: Waiter, outcome: Outcome): void {
    this.#waiters.delete(waiter);
    waiter.take(outcome);
  }

  /** The next stop not yet shown, or the end. Without waiting. */
  #ready(skip: ReadonlySet<Stop> = new Set(), peek = false): Outcome | undefined {
    this.#unseen = this.#unseen.filter(isStill);
    const at = this.#unseen.findIndex(({ stop }) => !skip.has(stop));
    const found = this.#unseen[at];
    if (found && !peek) this.#unseen.splice(at, 1);
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
  async next(
    { peek = false, ...options }: StopWait,
    skip?: ReadonlySet<Stop>,
    look?: Looker,
  ): Promise<Outcome> {
    for (;;) {
      const ready = this.#ready(skip, peek);
      if (ready) return ready;
      const started = performance.now();
      const result = await this.#wait({ ...options, peek }, skip, look);
      if (result.done && (result.value.kind !== "stopped" || isStill(result.value))) return result.value;
      if (!result.done && result.why === "aborted")
        throw new SondeError("CANCELLED", "cancelled while waiting for a stop");
      if (!result.done) return this.#ready(undefined, peek) ?? { kind: "running" };
      if (options.timeoutMs !== undefined) {
        options = { ...options, timeoutMs: Math.max(0, options.timeoutMs - (performance.now() - started)) };
      }
    }
  }

  async #wait(
    { peek = false, ...options }: StopWait,
    skip: ReadonlySet<Stop> = new Set(),
    look?: Looker,
  ): Promise<Waited<Outcome>> {
    const { promise, resolve } = deferred<Outcome>();
    let given: Outcome | undefined;
    const waiter: Waiter = {
      skip,
      peek,
      take: (outcome) => {
        given = outcome;
        resolve(outcome);
      },
    };
    this.#waiters.add(waiter);
    if (look) this.#lookers.add(look);
    const result = await wait(promise, options);
    this.#waiters.delete(waiter);
    if (look) this.#lookers.delete(look);
    // It came in the moment in which the wait was given up: kept for whoever asks next.
    if (!result.done && given?.kind === "stopped" && !peek) this.#unseen.push(given);
    return result;
  }
}

/** The debuggee stands at that stop now. */
function isStill({ debuggee, stop }: { debuggee: Debuggee; stop: Stop }): boolean {
  return debuggee.stop?.epoch === stop.epoch;
}
