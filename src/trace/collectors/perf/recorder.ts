/** Takes perf's stream, and makes hits of it: conditions weighed, values put into words, callers named. */
import { readableName } from "../../../adapters/lldb/frames.ts";
import type { SeenPoint, Sink } from "../../collector.ts";
import { type Plan, UNAVAILABLE } from "../../plan.ts";
import type { TraceFrame } from "../../record.ts";
import { compute, type Expression } from "./expression.ts";
import type { CodePlace, Informant, NamedFrame } from "./informant.ts";
import type { Asked, Probe } from "./probes.ts";
import { Stacks } from "./stacks.ts";
import { type Entry, PerfStream, type Sample } from "./stream.ts";
import { type Fetched, operand, shown, shownValue } from "./values.ts";

interface Pending {
  seen: SeenPoint;
  places: CodePlace[];
}

export interface Recorded {
  plan: Plan;
  asked: readonly Asked[];
  sink: Sink;
  informant: Informant;
  pid: number;
  /** By the kernel's number. */
  probes: Map<number, Probe>;
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
    const lost = Math.max(this.#lost.seen, this.#lost.inAll);
    const [only, ...others] = this.#about.plan.points.keys();
    if (lost > 0) this.#about.sink.lost(lost, others.length === 0 && !this.#conditional ? only : undefined);
  }

  /** Of hits that were lost nobody knows whether they counted. */
  get #conditional(): boolean {
    return this.#about.asked.some(({ condition }) => condition !== undefined);
  }

  #take(entry: Entry): void {
    const { pid } = this.#about;
    if (entry.kind === "lost") this.#lost.seen += entry.count;
    else if (entry.kind === "lostInAll") this.#lost.inAll += entry.count;
    else if (entry.pid !== pid)
      return; // a child of its own: no debugger would follow it
    else if (entry.kind === "sample") this.#sample(entry);
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
    const { plan, asked, probes, sink } = this.#about;
    const probe = probes.get(sample.raw.readUInt16LE(0));
    const wanted = probe && asked[probe.point];
    if (probe === undefined || wanted === undefined) return;
    const { leaves } = probe.location;
    const fetched = probe.reads.map((read) => read?.(sample.raw));
    const read = (path: number) => {
      const [leaf, value] = [leaves[path], fetched[path]];
      return leaf && "type" in leaf && value ? operand(leaf.type, value) : undefined;
    };
    if (wanted.condition && (compute(wanted.condition, read)?.value ?? 0n) === 0n) return;
    const word = (expression: Expression): string => {
      if ("path" in expression) return leafText(expression.path);
      const value = compute(expression, read);
      return value === undefined ? UNAVAILABLE : shownValue(value);
    };
    const leafText = (path: number): string => {
      const [leaf, value]: [(typeof leaves)[number] | undefined, Fetched | undefined] = [
        leaves[path],
        fetched[path],
      ];
      return leaf && "type" in leaf && value ? shown(leaf.type, value, plan.valueChars) : UNAVAILABLE;
    };
    const { places, cut } = this.#stacks.callers(sample, plan.frames);
    if (cut && places.length < plan.frames)
      sink.note("some stacks are deeper than what perf copies of them; their outer frames are left out");
    this.#began ??= sample.time;
    this.#pending.push({
      places,
      seen: {
        ...{ kind: "point", point: probe.point, values: wanted.expressions.map(word), frames: [] },
        thread: this.#threads.get(sample.tid) ?? `thread ${sample.tid}`,
        ms: (sample.time - this.#began) / 1e6,
      },
    });
  }

  /** In their order, once it is known what their callers are called. */
  async #tell(): Promise<void> {
    const { sink, plan } = this.#about;
    const pending = this.#pending;
    this.#pending = [];
    await this.#name(pending.flatMap(({ places }) => places));
    for (const { seen, places } of pending) {
      const frames: TraceFrame[] = [];
      for (const place of places) frames.push(...(this.#named.get(place) ?? []));
      sink.hit({ ...seen, frames: frames.length > plan.frames ? frames.slice(0, plan.frames) : frames });
    }
  }

  async #name(places: CodePlace[]): Promise<void> {
    const unknown = [...new Set(places)].filter((place) => !this.#named.has(place));
    for (const place of unknown.filter(([module]) => module === ""))
      this.#named.set(place, [{ function: `0x${place[1].toString(16).padStart(16, "0")}`, line: 0 }]);
    const asked = unknown.filter(([module]) => module !== "");
    if (asked.length === 0) return;
    const answers = await this.#about.informant.frames(asked);
    for (const [at, place] of asked.entries()) this.#named.set(place, (answers[at] ?? []).map(toFrame));
  }
}

function toFrame({ function: name, path, line }: NamedFrame): TraceFrame {
  return { function: readableName(name), line, ...(path === null ? {} : { path }) };
}
