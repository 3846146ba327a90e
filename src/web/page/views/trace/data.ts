/** What `trace columns` and `trace show` answer, and the rows of a trace by parts: a part is fetched when it is looked at. */
import { type Signal, signal } from "@preact/signals";
import { call } from "../../state/link.ts";

export interface Point {
  key: string;
  path: string;
  line: number;
  expressions: string[];
  condition?: string;
}

export interface CountedCall {
  function: string;
  path: string;
  line: number;
  count: number;
  ownMs: number;
  wholeMs: number;
  callers: { function?: string; path?: string; line?: number; count: number }[];
}

export interface Head {
  id: string;
  title: string;
  cwd: string;
  began: string;
  seconds: number;
  plan: { points: Point[]; lines?: { functions: string[] } };
  collector: string;
  counts: number[];
  seen: number;
  dropped: number;
  calls?: CountedCall[];
  end: { how: string; exitCode?: number; signal?: string; why?: string };
  partial?: string;
  notes: string[];
}

export interface Column {
  min: (number | null)[];
  max: (number | null)[];
  text: (number | null)[];
  texts: string[];
}

export interface Buckets {
  from: number[];
  to: number[];
  columns: Column[];
}

export interface TraceFrame {
  function: string;
  path?: string;
  line: number;
}

export interface PointHit {
  kind: "point";
  seq: number;
  ms: number;
  thread: string;
  point: number;
  hit: number;
  values: string[];
  frames: TraceFrame[];
}

export interface LineEvent {
  kind: "call" | "line" | "return" | "throw";
  seq: number;
  ms: number;
  thread: string;
  call: number;
  parent?: number;
  function: string;
  path: string;
  line: number;
  changes: [name: string, value: string][];
  gone?: string[];
  value?: string;
}

export interface Columns {
  head: Head;
  kept: number[];
  point: number;
  from: number;
  to: number;
  buckets?: Buckets;
  rows?: PointHit[];
  found?: number;
}

/** Plots and lanes stand exactly below each other. */
export const PLOT_LEFT = 64;
export const PLOT_RIGHT = 14;

const PART = 200;
const MOST_PARTS = 60;

/** Rows of one place, by their order. `found`: only those a condition holds for, which come at once. */
export class Rows {
  readonly count: number;
  /** Changes when rows have come. */
  readonly version: Signal<number> = signal(0);
  readonly #id: string;
  readonly #at: string;
  readonly #parts = new Map<number, PointHit[] | "asked">();
  readonly #found: PointHit[] | undefined;

  constructor(id: string, at: string, count: number, found?: PointHit[]) {
    this.#id = id;
    this.#at = at;
    this.count = found?.length ?? count;
    this.#found = found;
  }

  /** Undefined while it is on its way. */
  get(index: number): PointHit | undefined {
    if (this.#found !== undefined) return this.#found[index];
    const part = Math.floor(index / PART);
    const known = this.#parts.get(part);
    if (known === undefined) void this.#fetch(part);
    return known === undefined || known === "asked" ? undefined : known[index - part * PART];
  }

  async #fetch(part: number): Promise<void> {
    this.#parts.set(part, "asked");
    const args = { id: this.#id, at: this.#at, from: part * PART, rows: PART };
    const answer = await call<Columns>("trace columns", args, { quiet: true });
    this.#parts.set(part, answer.ok ? (answer.data.rows ?? []) : []);
    for (const old of [...this.#parts.keys()].slice(0, -MOST_PARTS)) this.#parts.delete(old);
    this.version.value += 1;
  }
}

/** The order of a hit, by buckets that cover all that was kept; undefined if it was not. */
export function indexOfHit(buckets: Buckets, kept: number, hit: number): number | undefined {
  const size = Math.ceil(kept / Math.max(1, buckets.from.length));
  const at = buckets.from.findIndex((from, bucket) => hit >= from && hit <= (buckets.to[bucket] ?? from));
  return at < 0 ? undefined : Math.min(kept - 1, at * size + (hit - (buckets.from[at] ?? hit)));
}
