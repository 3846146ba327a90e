/** Of calls that have not ended, what is kept although events of their time are not: how they began, and the line that runs. */
import type { LineEvent } from "./record.ts";

/** Calls that never end are told of, too. */
const MOST = 10_000;

export class OpenCalls {
  /** Those whose beginning is kept elsewhere. */
  readonly #early = new Set<number>();
  readonly #begun = new Map<number, LineEvent>();
  readonly #running = new Map<number, LineEvent>();
  /** Early calls that told a line, or their end, and it was not kept. */
  readonly cut = new Set<number>();

  early({ kind, call }: LineEvent): void {
    if (kind === "call") this.#early.add(call);
  }

  /** It is kept nowhere else from now on. */
  drop(event: LineEvent): void {
    const { kind, call } = event;
    const isEarly = this.#early.has(call);
    if (isEarly) this.cut.add(call);
    if (kind === "call") {
      if (this.#begun.size < MOST) this.#begun.set(call, event);
    } else if (kind === "line") {
      if (isEarly || this.#begun.has(call)) this.#running.set(call, event);
    } else {
      this.#begun.delete(call);
      this.#running.delete(call);
    }
  }

  /** In the order of the run. */
  get events(): LineEvent[] {
    return [...this.#begun.values(), ...this.#running.values()].sort((a, b) => a.seq - b.seq);
  }
}
