/** Takes what a collector sees, numbers it, and keeps it within bounds: the first half as it came, then the newest. */
import { basename } from "node:path";
import { readSmallFile } from "../util/small-file.ts";
import { isBareLine } from "./bare-line.ts";
import { CallCounts, type CalledFunction, type SeenCalls } from "./call-counts.ts";
import type { SeenLine, SeenPoint, Sink } from "./collector.ts";
import { HitNumbers } from "./hit-numbers.ts";
import { firstHalf } from "./missing.ts";
import { OpenCalls } from "./open-calls.ts";
import { type Moment, type Plan, type Point, readValue, UNAVAILABLE } from "./plan.ts";
import type { Binding, Hit, TraceFrame } from "./record.ts";
import { type Extreme, type Statistics, Tally } from "./statistics.ts";
import { Until } from "./until.ts";

export class Recording implements Sink {
  readonly #plan: Plan;
  readonly #began = performance.now();
  readonly #head: Hit[] = [];
  /** A ring: `#oldest` is where the next one goes once it is full. */
  readonly #tail: Hit[] = [];
  #oldest = 0;
  /** Of the gap between the two, where the plan is about a place in the run. */
  readonly #open: OpenCalls | undefined;
  #seq = 0;
  #lost = 0;
  /** How often something began to be left out: as many events are missing at least, none of them with a number. */
  #leftOut = 0;
  /** Hits of places, or calls that have ended. */
  #whole = 0;
  readonly #numbers: HitNumbers;
  readonly #tallies: Tally[][];
  readonly bindings: Binding[];
  readonly notes: string[] = [];
  readonly #callCounts = new CallCounts();
  /** Functions that the plan does not name, by how they are known. */
  readonly passedBy = { called: new Set<string>(), declared: new Set<string>() };
  /** Files with code that is not recorded. */
  readonly files = new Set<string>();
  /** Most hits come from few places: their frames are kept once. */
  readonly #frames = new Map<string, TraceFrame[]>();
  /** The list that came last, and what is kept of it: collectors hand over the same one again. */
  #lastFrames: { given: TraceFrame[]; kept: TraceFrame[] } | undefined;
  readonly #until: Until | undefined;
  readonly #onHit: () => void;
  readonly #onUnbound: () => void;

  constructor(plan: Plan, on: { hit?(): void; unbound?(): void; until?: Moment } = {}) {
    this.#plan = plan;
    this.#until = on.until && new Until(on.until);
    this.#open = plan.lines?.toward && new OpenCalls();
    this.#onHit = () => on.hit?.();
    this.#onUnbound = () => on.unbound?.();
    this.#numbers = new HitNumbers(plan.points.length);
    this.#tallies = plan.points.map(({ expressions }) => expressions.map(() => new Tally()));
    this.bindings = plan.points.map(() => ({ state: "unknown" }));
  }

  /** By point. */
  get counts(): number[] {
    return this.#numbers.counts;
  }

  /** Calls from before a gap that told lines in it; undefined: not known. */
  get cut(): ReadonlySet<number> | undefined {
    return this.#open?.cut;
  }

  get seen(): number {
    return this.#seq + this.#lost;
  }

  get dropped(): number {
    const kept = this.#head.length + this.#tail.length + (this.#open?.events.length ?? 0);
    return this.seen - kept + this.#leftOut;
  }

  /** As many as were asked for. */
  get isFull(): boolean {
    return this.#plan.hits !== undefined && this.#whole >= this.#plan.hits;
  }

  /** What it was to end with has been seen. */
  get isPast(): boolean {
    return this.#until?.isPast ?? false;
  }

  hit(seen: SeenPoint | SeenLine): void {
    if (this.isFull || this.isPast) return;
    if (seen.kind !== "point") this.#until?.see(seen);
    if (seen.kind === "point" || (ENDS.has(seen.kind) && seen.parent === undefined)) this.#whole++;
    const seq = ++this.#seq + this.#lost;
    const ms = round(seen.ms ?? performance.now() - this.#began);
    if (seen.kind === "point") {
      const { kind, point, thread, frames } = seen;
      const values = seen.values.map(readValue);
      const hit = this.#numbers.next(point);
      this.#tally(point, hit, values);
      this.#keep({ kind, seq, ms, thread, point, hit, values, frames: this.#shared(frames) });
    } else this.#keep({ ...seen, seq, ms });
    this.#onHit();
  }

  /** By point and expression, over all hits. */
  get statistics(): Statistics[][] {
    const settled = (point: number, { value, hit }: Extreme) => ({
      value,
      hit: this.#numbers.settled(point, hit),
    });
    return this.#tallies.map((all, point) =>
      all.map(({ statistics: { min, max, ...rest } }) => ({
        ...rest,
        ...(min && max ? { min: settled(point, min), max: settled(point, max) } : {}),
      })),
    );
  }

  #tally(point: number, hit: number, values: readonly string[]): void {
    const tallies = this.#tallies[point];
    if (tallies === undefined) return;
    for (let at = 0; at < tallies.length; at++) {
      const value = values[at] ?? UNAVAILABLE;
      if (value === UNAVAILABLE) tallies[at]?.missed();
      tallies[at]?.add(value, hit);
    }
  }

  lost(count: number, point?: number): void {
    this.#lost += count;
    if (point !== undefined) this.#numbers.lost(count, point);
  }

  leftOut(): void {
    this.#leftOut++;
  }

  notLost(count: number, point?: number): void {
    this.#lost -= count;
    if (point !== undefined) this.#numbers.takeBack(count, point);
  }

  bind(point: number, reported: Binding): void {
    const binding = strictly(this.#plan.points[point], reported);
    this.bindings[point] = binding;
    if (binding.state === "unbound" && (this.counts[point] ?? 0) === 0) this.#onUnbound();
  }

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  passed(name: string, how: "called" | "declared"): void {
    if (this.passedBy[how].size < MANY_NAMES) this.passedBy[how].add(name);
  }

  loaded(path: string): void {
    if (this.files.size < MANY_FILES) this.files.add(path);
  }

  called(seen: SeenCalls): void {
    this.#lost += seen.count;
    this.#callCounts.add(seen);
    this.#onHit();
  }

  get calls(): CalledFunction[] {
    return this.#callCounts.functions;
  }

  hits(): Hit[] {
    const newest = [...this.#tail.slice(this.#oldest), ...this.#tail.slice(0, this.#oldest)];
    const all = [...this.#head, ...(this.#open?.events ?? []), ...newest];
    return all.map((one) => this.#settled(one));
  }

  #settled(one: Hit): Hit {
    if (one.kind !== "point") return one;
    const hit = this.#numbers.settled(one.point, one.hit);
    return hit === one.hit ? one : { ...one, hit, seq: one.seq - (one.hit - hit) };
  }

  #keep(hit: Hit): void {
    const half = firstHalf(this.#plan.maxHits);
    const room = Math.max(0, this.#plan.maxHits - half);
    if (this.#head.length < half) {
      this.#head.push(hit);
      if (hit.kind !== "point") this.#open?.early(hit);
    } else if (this.#tail.length < room) this.#tail.push(hit);
    else if (room > 0) {
      const given = this.#tail[this.#oldest];
      if (given !== undefined && given.kind !== "point") this.#open?.drop(given);
      this.#tail[this.#oldest] = hit;
      this.#oldest = (this.#oldest + 1) % room;
    }
  }

  #shared(frames: TraceFrame[]): TraceFrame[] {
    if (this.#lastFrames?.given === frames) return this.#lastFrames.kept;
    const kept = this.#known(frames);
    this.#lastFrames = { given: frames, kept };
    return kept;
  }

  #known(frames: TraceFrame[]): TraceFrame[] {
    const key = frames.map((one) => `${one.function}\0${one.path ?? ""}\0${one.line}`).join("\n");
    const known = this.#frames.get(key);
    if (known !== undefined) return known;
    // A program that recurses has a new stack at every hit: no more than this many are worth a look-up.
    if (this.#frames.size < MANY_STACKS) this.#frames.set(key, frames);
    return frames;
  }
}

/** A debugger takes the next line that has code. For one that is blank or a comment that would be hits of another place. */
function strictly(point: Point | undefined, binding: Binding): Binding {
  if (point === undefined || binding.state !== "bound" || binding.line === point.line) return binding;
  const { nearest = [binding.line], ...bound } = binding;
  if (!isBare(point)) return bound;
  return { state: "unbound", reason: `no code on line ${point.line} of ${basename(point.path)}`, nearest };
}

const MOST_BYTES = 4 << 20;

function isBare({ path, line }: Point): boolean {
  try {
    return isBareLine(path, readSmallFile(path, MOST_BYTES), line);
  } catch {
    return false; // not there, or too long to be read: where it was bound is told
  }
}

const ENDS = new Set(["return", "throw"]);
const MANY_STACKS = 1000;
const MANY_NAMES = 500;
const MANY_FILES = 20_000;

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
