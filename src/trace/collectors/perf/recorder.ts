/** Takes perf's stream, and makes hits of it: conditions weighed, values put into words, callers named. */
import type { SeenPoint, Sink } from "../../collector.ts";
import type { Plan } from "../../plan.ts";
import type { TraceFrame } from "../../record.ts";
import type { CodePlace, Informant } from "./language.ts";
import type { Probe } from "./probes.ts";
import { Stacks } from "./stacks.ts";
import { type Entry, PerfStream, type Sample } from "./stream.ts";

/** A hit; or how many were lost before the next. */
type Pending = { seen: SeenPoint; places: CodePlace[] } | { lost: number };

export interface Recorded {
  plan: Plan;
  sink: Sink;
  informant: Informant;
  pid: number;
  /** By the kernel's number. */
  probes: Map<number, Probe>;
  childrenToo: string | undefined;
}

export class Recorder {
  readonly #about: Recorded;
  readonly #stacks = new Stacks();
  readonly #stream = new PerfStream((entries) => {
    for (const entry of entries) this.#take(entry);
  });
  readonly #threads = new Map<number, string>();
  readonly #named = new Map<CodePlace, TraceFrame[]>();
  /** Before records that came; of hits in all; of what is none in all; and whether the kernel told the last two. */
  readonly #lost = { seen: 0, inAll: 0, others: 0, areTold: false };
  /** Samples of each probe, also those whose condition did not hold. */
  readonly #taken = new Map<Probe, number>();
  /** A child process came by a probe. */
  /** How often other processes came by. */
  #others = 0;
  #pending: Pending[] = [];
  #began: number | undefined;

  constructor(about: Recorded) {
    this.#about = about;
  }

  async push(chunk: Buffer): Promise<void> {
    this.#stream.push(chunk);
    await this.#tell();
  }

  /** @param hits how often the kernel came by each probe; that is not told of every one */
  async end(hits: ReadonlyMap<Probe, number>): Promise<void> {
    this.#stream.end();
    await this.#tell();
    const lost = this.#others > 0 ? undefined : this.#lostBy(hits);
    const { seen, inAll, areTold } = this.#lost;
    const known = lost ? sum(lost.values()) : areTold ? inAll : Math.max(seen, inAll);
    if (lost && this.#only === undefined) this.#tellOfEach(lost);
    else this.#settle(known);
    if (known > 0) this.#about.sink.note(this.#sayLost(known, lost !== undefined));
    if (this.#others > 0 && this.#about.childrenToo === undefined) this.#about.sink.note(this.#sayOthers());
  }

  #sayOthers(): string {
    const times = this.#others === 1 ? "once" : `${this.#others} times`;
    return `child processes of the program reached it ${times}, which is not counted among the hits`;
  }

  /** The buffer counts also what is no hit, such as a library that was loaded; and what was lost at the very end it does not say. */
  #settle(known: number): void {
    const { seen, others, areTold } = this.#lost;
    // Some records are counted twice by the buffer, too.
    const excess = Math.max(areTold ? Math.min(seen, others) : 0, seen - known, 0);
    if (excess > 0) this.#about.sink.notLost(excess, this.#only);
    this.#tellLost(Math.max(0, known - (seen - excess)));
  }

  /** Nothing where one of them was not counted. */
  #lostBy(hits: ReadonlyMap<Probe, number>): Map<Probe, number> | undefined {
    const lost = new Map<Probe, number>();
    for (const probe of this.#about.probes.values()) {
      const count = hits.get(probe);
      if (count === undefined) return undefined;
      lost.set(probe, Math.max(0, count - (this.#taken.get(probe) ?? 0)));
    }
    return lost;
  }

  /** In place of what the buffer said, which does not tell whose it was. */
  #tellOfEach(lost: ReadonlyMap<Probe, number>): void {
    const { sink } = this.#about;
    sink.notLost(this.#lost.seen);
    for (const [{ targets }, count] of lost)
      for (const { point } of targets)
        if (count > 0) sink.lost(count, this.#isConditional(point) ? undefined : point);
  }

  /** Where hits are of one point the next one's number counts them. */
  #tellLost(count: number): void {
    if (count !== 0) this.#about.sink.lost(count, this.#only);
  }

  get #only(): number | undefined {
    const [only, ...others] = this.#about.plan.points.keys();
    return only !== undefined && others.length === 0 && !this.#isConditional(only) ? only : undefined;
  }

  #sayLost(lost: number, exact: boolean): string {
    const said = `${lost} hits were lost: they came faster than the kernel's buffer could be read`;
    return `${said}; ${this.#sayNumbers(exact)}. The collectors gdb and lldb lose nothing, but are slower`;
  }

  #sayNumbers(exact: boolean): string {
    if (this.#only === undefined)
      return `${exact ? "the counts of places without a condition include them, but " : ""}hit numbers do not count them`;
    // What the buffer counts twice is known only if nothing was lost at the very end: a number can be too high by that, though it rarely is.
    return "the count includes them, but the numbers of hits after the first loss are only approximate";
  }

  /** Of hits that were lost nobody knows whether they counted. */
  #isConditional(point: number): boolean {
    return this.#about.plan.points[point]?.condition !== undefined;
  }

  #take(entry: Entry): void {
    const { pid, sink, childrenToo } = this.#about;
    if (entry.kind === "lost") {
      this.#lost.seen += entry.count;
      this.#pending.push({ lost: entry.count });
    } else if (entry.kind === "lostInAll") this.#lostInAll(entry);
    else if (entry.pid !== pid) {
      // A child of its own: most debuggers would not follow it.
      if (entry.kind !== "sample") return;
      this.#others++;
      if (childrenToo !== undefined) sink.note(childrenToo);
    } else if (entry.kind === "sample") this.#sample(entry);
    else if (entry.kind === "map") this.#stacks.map({ ...entry, to: entry.from + entry.size });
    else if (entry.kind === "thread")
      this.#threads.set(entry.tid, this.#threads.get(entry.parent) ?? `thread ${entry.tid}`);
    else {
      this.#threads.set(entry.tid, entry.name);
      if (entry.exec) {
        this.#stacks.clear();
        this.#began = entry.time;
      }
    }
  }

  /** perf's own event only follows the program. */
  #lostInAll({ count, event }: Entry & { kind: "lostInAll" }): void {
    const isHit = event === undefined || this.#about.probes.has(event);
    this.#lost[isHit ? "inAll" : "others"] += count;
    this.#lost.areTold ||= event !== undefined;
  }

  #sample(sample: Sample): void {
    const { plan, probes, sink } = this.#about;
    const { raw } = sample;
    const probe = probes.get(raw.readUInt16LE(0));
    if (probe === undefined) return;
    this.#taken.set(probe, (this.#taken.get(probe) ?? 0) + 1);
    const held = probe.targets.flatMap(({ point, location: { words }, reads }) => {
      const fetched = reads.map((read) => read?.(raw));
      return words.holds(fetched) ? [{ point, values: words.values(fetched) }] : [];
    });
    if (held.length === 0) return;
    const { places, cut } = this.#stacks.callers(sample, plan.frames);
    if (cut && places.length < plan.frames)
      sink.note("some stacks are deeper than perf records; their outer frames are missing");
    this.#began ??= sample.time;
    const thread = probe.thread?.(raw) ?? this.#threads.get(sample.tid) ?? `thread ${sample.tid}`;
    const ms = (sample.time - this.#began) / 1e6;
    for (const one of held)
      this.#pending.push({ places, seen: { kind: "point", ...one, thread, ms, frames: [] } });
  }

  /** In their order, once it is known what their callers are called. */
  async #tell(): Promise<void> {
    const { sink, plan } = this.#about;
    const pending = this.#pending;
    this.#pending = [];
    await this.#name(pending.flatMap((one) => ("places" in one ? one.places : [])));
    for (const one of pending) {
      if ("lost" in one) {
        this.#tellLost(one.lost);
        continue;
      }
      const { seen, places } = one;
      const frames: TraceFrame[] = [];
      for (const place of places) {
        frames.push(...(this.#named.get(place) ?? []));
        const left = this.#left(frames.at(-1));
        if (left === undefined || frames.length >= plan.frames) continue;
        sink.note(left);
        break;
      }
      sink.hit({ ...seen, frames: frames.length > plan.frames ? frames.slice(0, plan.frames) : frames });
    }
  }

  #left(frame: TraceFrame | undefined): string | undefined {
    return frame && this.#about.informant.left?.(frame);
  }

  async #name(places: CodePlace[]): Promise<void> {
    const unknown = [...new Set(places)].filter((place) => !this.#named.has(place));
    for (const place of unknown.filter(([module]) => module === ""))
      this.#named.set(place, [{ function: `0x${place[1].toString(16).padStart(16, "0")}`, line: 0 }]);
    const asked = unknown.filter(([module]) => module !== "");
    if (asked.length === 0) return;
    const answers = await this.#about.informant.frames(asked);
    for (const [at, place] of asked.entries()) this.#named.set(place, answers[at] ?? []);
  }
}

function sum(all: Iterable<number>): number {
  let total = 0;
  for (const one of all) total += one;
  return total;
}
