/** How long a run was held. Calls that were held beside each other count once: no run is held for longer than it lasted. */
import { RecentMap } from "./bounded.ts";
import type { Explanation } from "./explanation.ts";
import { type Fields, number, record, text } from "./fields.ts";

interface Open {
  /** As `timeOf` gives it. */
  since: number;
  tool?: string | undefined;
}

interface Stretch {
  from: number;
  to: number;
}

/** Earlier ones are added up: only one that was held for all that time could still overlap them. */
const MOST_STRETCHES = 1000;

export class HeldTime {
  readonly #open = new RecentMap<string, Open>(1000);
  /** Apart from each other, in their order. */
  readonly #stretches: Stretch[] = [];
  readonly #by: Record<string, number> = {};
  readonly #tools = new RecentMap<string, number>(2000);
  #earlier = 0;
  #stops = 0;

  paused({ stop }: Fields, at: number): void {
    const { id, tool } = record(stop);
    this.#stops += 1;
    if (!Number.isNaN(at)) this.#open.set(text(id) ?? "", { since: at, tool: text(record(tool).name) });
  }

  resumed(data: Fields, at: number): void {
    const open = this.#open.take(text(data.stopId) ?? "");
    // Other tools do not say for how long.
    const ms = number(data.heldMs) ?? (open === undefined ? 0 : Math.max(0, at - open.since));
    const by = text(data.by) ?? "unknown";
    if (Object.hasOwn(this.#by, by) || Object.keys(this.#by).length < 20)
      this.#by[by] = (this.#by[by] ?? 0) + ms;
    this.#ofTool(open, ms);
    if (Number.isNaN(at)) this.#earlier += ms;
    else add(this.#stretches, { from: at - ms, to: at });
    while (this.#stretches.length > MOST_STRETCHES) this.#earlier += total(this.#stretches.splice(0, 1));
  }

  #ofTool(open: Open | undefined, ms: number): void {
    if (open?.tool !== undefined) this.#tools.set(open.tool, (this.#tools.get(open.tool) ?? 0) + ms);
  }

  /** Until `at`: now, of a run that is alive, or the last that was recorded of it. */
  summary(at: number, live: boolean): Explanation["held"] {
    const open = [...this.#open.values()];
    const stretches = this.#stretches.map((one) => ({ ...one }));
    for (const { since } of open) add(stretches, { from: since, to: Math.max(at, since) });
    return {
      stops: this.#stops,
      ms: this.#earlier + total(stretches),
      by: this.#by,
      now: live ? open.length : 0,
      atEnd: live ? 0 : open.length,
    };
  }

  /** Of all calls of a tool, each for itself; those that are held until `at` too. */
  ofTool(name: string, at: number): number {
    const open = [...this.#open.values()].filter(({ tool }) => tool === name);
    return open.reduce((sum, { since }) => sum + Math.max(0, at - since), this.#tools.get(name) ?? 0);
  }
}

/** `one` ends last of all, unless a clock went back. */
function add(stretches: Stretch[], one: Stretch): void {
  let { from, to } = one;
  for (let last = stretches.at(-1); last !== undefined && last.to >= from; last = stretches.at(-1)) {
    from = Math.min(from, last.from);
    to = Math.max(to, last.to);
    stretches.pop();
  }
  stretches.push({ from, to });
}

function total(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { from, to }) => sum + to - from, 0);
}
