/**
 * What is held right now. A hold is a promise: nobody looks again and again whether it may go on. A client that gives up waiting leaves
 * its stop behind, and its retry joins it.
 */
import { SondeError } from "../../errors.ts";
import type { Stop } from "./model.ts";

/** How a hold ended. */
export type Outcome =
  | { how: "release" }
  | { how: "cancel"; reason: string }
  | { how: "answer"; text: string }
  | { how: "fail"; message: string }
  /** Its client went on to something else. */
  | { how: "abandoned" };

export interface Ended {
  outcome: Outcome;
  by: string;
  heldMs: number;
}

export interface Hold {
  readonly stop: Stop;
  /** The same for a retry of what is held. */
  readonly key: string;
  /** What a person changed while it was held. */
  edited: { body?: string; input?: { value: unknown; exact?: string | undefined } };
  readonly began: number;
  readonly ended: Promise<Ended>;
  settle(ended: Ended): void;
  /** How many wait for it. */
  waiting: number;
}

export interface Deadline {
  ms: number;
  /** What happens then. */
  outcome: "release" | "fail";
}

export class Gate {
  readonly #holds = new Map<string, Hold>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #ended: (hold: Hold, ended: Ended) => void;
  #last = 0;

  constructor(ended: (hold: Hold, ended: Ended) => void) {
    this.#ended = ended;
  }

  get holds(): readonly Hold[] {
    return [...this.#holds.values()];
  }

  nextId(): string {
    return `s${++this.#last}`;
  }

  open(stop: Stop, key: string, deadline: Deadline | undefined): Hold {
    let settle: (ended: Ended) => void = () => {};
    const ended = new Promise<Ended>((resolve) => {
      settle = resolve;
    });
    const hold: Hold = { stop, key, edited: {}, began: performance.now(), ended, settle, waiting: 0 };
    this.#holds.set(stop.id, hold);
    const late = () =>
      this.end(
        hold,
        deadline?.outcome === "fail" ? { how: "fail", message: TOO_LONG } : { how: "release" },
        BY_DEADLINE,
      );
    // Without a limit too: in an agent's own process nothing else may keep Node from leaving while it is held.
    this.#timers.set(stop.id, setTimeout(late, Math.min(deadline?.ms ?? LONGEST_TIMER, LONGEST_TIMER)));
    return hold;
  }

  /** Waits with those that wait already. Rejects if the client goes away; the hold stays. */
  async join(hold: Hold, signal: AbortSignal | undefined): Promise<Ended> {
    hold.waiting++;
    delete (hold.stop as { orphaned?: boolean }).orphaned;
    try {
      return await unlessAborted(hold.ended, signal);
    } finally {
      hold.waiting--;
      if (hold.waiting === 0 && this.#holds.has(hold.stop.id)) hold.stop.orphaned = true;
    }
  }

  /** What is held for the same call; `orphaned`: by a client that has gone. */
  byKey(key: string, orphaned: boolean): Hold | undefined {
    return this.holds.find((one) => one.key === key && (one.stop.orphaned ?? false) === orphaned);
  }

  get(id: string): Hold {
    const hold = this.#holds.get(id);
    if (hold) return hold;
    const held = [...this.#holds.keys()].join(", ");
    throw new SondeError("BAD_ARGUMENT", `nothing is held as ${id}`, {
      hint: held === "" ? "nothing is held now" : `held now: ${held}`,
    });
  }

  end(hold: Hold, outcome: Outcome, by: string): void {
    if (!this.#holds.delete(hold.stop.id)) return;
    clearTimeout(this.#timers.get(hold.stop.id));
    this.#timers.delete(hold.stop.id);
    const ended: Ended = { outcome, by, heldMs: performance.now() - hold.began };
    this.#ended(hold, ended);
    hold.settle(ended);
  }
}

/** 24 days: what Node's timers can hold. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const BY_DEADLINE = "the longest hold";

export const TOO_LONG = "held for longer than the run allows";

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const gone = () => reject(signal.reason);
    if (signal.aborted) return gone();
    signal.addEventListener("abort", gone, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", gone));
  });
}
