/** Traces on disk: `<id>.jsonl`, a head without the hits, then a hit a line. The newest are kept, within a number and a size. */
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { SondeError } from "../errors.ts";
import type { Hit, TraceRecord } from "./record.ts";
import type { Traced } from "./trace.ts";

export interface StoreLimits {
  count: number;
  bytes: number;
}

const LIMITS: StoreLimits = { count: 100, bytes: 200 * 1024 * 1024 };

export interface StoredTrace {
  id: string;
  file: string;
  bytes: number;
  head: Omit<TraceRecord, "hits">;
}

export class TraceStore {
  readonly #folder: string;
  readonly #limits: StoreLimits;

  constructor(folder: string, limits: StoreLimits = LIMITS) {
    this.#folder = folder;
    this.#limits = limits;
  }

  path(id: string): string {
    return join(this.#folder, `${id}.jsonl`);
  }

  /** Written under another name first: nobody reads half a trace. */
  save(traced: Traced): { record: TraceRecord; file: string } {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const id = this.#freeId();
    const { hits, ...head } = traced;
    const record: TraceRecord = { ...head, id, hits };
    const file = this.path(id);
    const lines = [JSON.stringify({ ...head, id }), ...hits.map((hit) => JSON.stringify(hit))];
    writeFileSync(`${file}.new`, `${lines.join("\n")}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
    this.#sweep(id);
    return { record, file };
  }

  /** Newest first. */
  async list(): Promise<StoredTrace[]> {
    const all = this.#ids().reverse();
    return (await Promise.all(all.map((id) => this.#head(id)))).filter((one) => one !== undefined);
  }

  /** The newest if none is named. */
  async read(id?: string): Promise<TraceRecord> {
    const wanted = id ?? this.#ids().at(-1);
    const file = wanted === undefined ? undefined : this.path(wanted);
    if (file === undefined || !existsSync(file))
      throw new SondeError(
        "NO_TRACE",
        wanted === undefined ? "there are no traces" : `there is no trace ${wanted}`,
        {
          hint:
            wanted === undefined
              ? "`sonde trace --at <file:line> --watch <expr> -- <command>` makes one"
              : "`sonde trace list`",
        },
      );
    const lines: string[] = [];
    for await (const line of createInterface({ input: createReadStream(file) })) lines.push(line);
    const [head = "{}", ...hits] = lines;
    return {
      ...(JSON.parse(head) as Omit<TraceRecord, "hits">),
      hits: hits.map((line) => JSON.parse(line) as Hit),
    };
  }

  remove(id: string): void {
    if (!existsSync(this.path(id)))
      throw new SondeError("NO_TRACE", `there is no trace ${id}`, { hint: "`sonde trace list`" });
    rmSync(this.path(id));
  }

  removeAll(): number {
    const ids = this.#ids();
    for (const id of ids) rmSync(this.path(id), { force: true });
    return ids.length;
  }

  /** Only the first line is read: a trace can be large. */
  async #head(id: string): Promise<StoredTrace | undefined> {
    const file = this.path(id);
    try {
      const input = createReadStream(file);
      for await (const line of createInterface({ input })) {
        input.destroy();
        return { id, file, bytes: statSync(file).size, head: JSON.parse(line) as Omit<TraceRecord, "hits"> };
      }
    } catch {
      // Removed meanwhile, or not ours.
    }
    return undefined;
  }

  /** Oldest first. */
  #ids(): string[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .flatMap((name) => /^(t\d+)\.jsonl$/.exec(name)?.[1] ?? [])
      .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
  }

  #freeId(): string {
    return `t${Number(this.#ids().at(-1)?.slice(1) ?? 0) + 1}`;
  }

  /** The newest stays, however large. */
  #sweep(newest: string): void {
    const old = this.#ids()
      .filter((id) => id !== newest)
      .reverse();
    let bytes = statSync(this.path(newest)).size;
    for (const [at, id] of old.entries()) {
      bytes += statSync(this.path(id), { throwIfNoEntry: false })?.size ?? 0;
      if (at + 1 >= this.#limits.count || bytes > this.#limits.bytes) rmSync(this.path(id), { force: true });
    }
  }
}
