/** The same tool call again: what an agent in a loop does. */
import { callKey } from "./call-key.ts";
import type { Explanation, Repeat } from "./explanation.ts";
import { preview } from "./fields.ts";

/** Enough for any real run; of longer ones the calls that were made once, longest ago, are forgotten. */
const MOST = 50_000;
/** Of one call: a loop is seen by its first rounds and its last. */
const MOST_PLACES = 8;

export class Repeats {
  readonly #calls = new Map<string, Repeat>();
  readonly #last = new Map<string, { key: string; inRow: number }>();
  #again = 0;

  add(agent: string, tool: string, input: unknown, req: number | undefined): void {
    const key = callKey(agent, tool, input);
    const before = this.#last.get(agent);
    const inRow = before?.key === key ? before.inRow + 1 : 1;
    if (this.#last.size > 1000 && before === undefined) this.#last.clear();
    this.#last.set(agent, { key, inRow });
    const known = this.#calls.get(key);
    if (known === undefined) {
      if (this.#calls.size >= MOST) this.#forget();
      this.#calls.set(key, {
        agent,
        tool,
        input: preview(input, 80),
        count: 1,
        inRow: 1,
        reqs: req === undefined ? [] : [req],
        lastReq: req,
      });
      return;
    }
    this.#again += 1;
    known.count += 1;
    known.inRow = Math.max(known.inRow, inRow);
    if (req !== undefined && req !== known.lastReq && known.reqs.length < MOST_PLACES) known.reqs.push(req);
    known.lastReq = req ?? known.lastReq;
  }

  #forget(): void {
    let room = MOST / 10;
    for (const [key, { count }] of this.#calls) {
      if (count === 1) this.#calls.delete(key);
      if (count === 1 && --room === 0) return;
    }
    if (this.#calls.size >= MOST) this.#calls.clear();
  }

  summary(): Explanation["repeats"] {
    const worst = [...this.#calls.values()].filter(({ count }) => count > 1);
    worst.sort((a, b) => b.inRow - a.inRow || b.count - a.count);
    return { calls: this.#again, worst: worst.slice(0, 5) };
  }
}
