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
  readonly #lost = { seen: 0, inAll: 0 };
  #pending: Pending[] = [];
  #began: number | undefined;

  constructor(about: Recorded) {
    this.#about = about;
  }

  async push(chunk: Buffer): Promise<void> {
    this.#stream.push(chunk);
    await this.#tell();
  }

  async end(): Promise<void> {
    this.#stream.end();
    await this.#tell();
    // Those of the very end are only counted.
    const rest = this.#lost.inAll - this.#lost.seen;
    if (rest > 0) this.#tellLost(rest);
    const lost = Math.max(this.#lost.seen, this.#lost.inAll);
    if (lost > 0) this.#about.sink.note(this.#sayLost(lost));
  }

  /** Where hits are of one point the next one's number counts them. */
  #tellLost(count: number): void {
    this.#about.sink.lost(count, this.#only);
  }

  get #only(): number | undefined {
    const [only, ...others] = this.#about.plan.points.keys();
    return others.length === 0 && !this.#conditional ? only : undefined;
  }

  #sayLost(lost: number): string {
    const said = `${lost} hits were lost: they came faster than they could be taken from the kernel's buffer`;
    const numbers =
      this.#only === undefined
        ? "hit numbers do not count them"
        : "the count includes them, and hits after a loss may have too low a number";
    return `${said}; ${numbers}. \`--collector gdb\` or \`--collector lldb\` loses none, but is slower`;
  }

  /** Of hits that were lost nobody knows whether they counted. */
  get #conditional(): boolean {
    return this.#about.plan.points.some(({ condition }) => condition !== undefined);
  }

  #take(entry: Entry): void {
    const { pid, sink, childrenToo } = this.#about;
    if (entry.kind === "lost") {
      this.#lost.seen += entry.count;
      this.#pending.push({ lost: entry.count });
    } else if (entry.kind === "lostInAll") this.#lost.inAll += entry.count;
    else if (entry.pid !== pid) {
      // A child of its own: most debuggers would not follow it.
      if (entry.kind === "sample" && childrenToo !== undefined) sink.note(childrenToo);
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

  #sample(sample: Sample): void {
    const { plan, probes, sink } = this.#about;
    const { raw } = sample;
    const probe = probes.get(raw.readUInt16LE(0));
    if (probe === undefined) return;
    const held = probe.targets.flatMap(({ point, location: { words }, reads }) => {
      const fetched = reads.map((read) => read?.(raw));
      return words.holds(fetched) ? [{ point, values: words.values(fetched) }] : [];
    });
    if (held.length === 0) return;
    const { places, cut } = this.#stacks.callers(sample, plan.frames);
    if (cut && places.length < plan.frames)
      sink.note("some stacks are deeper than what perf copies of them; their outer frames are left out");
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
