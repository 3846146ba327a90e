/** Traces on disk: `<id>.jsonl`, a head without the hits, then a hit a line. The newest are kept, within a number and a size. */
import {
  createReadStream,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
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

  /** What the program printed, as far as it was kept. */
  outputPath(id: string): string {
    return join(this.#folder, `${id}.output.txt`);
  }

  /** Written under another name first: nobody reads half a trace. */
  save(traced: Traced, output = ""): { record: TraceRecord; file: string } {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const { hits, ...head } = traced;
    const scratch = join(this.#folder, `new-${process.pid}-${Math.random().toString(36).slice(2)}`);
    for (;;) {
      const id = this.#freeId();
      const lines = [JSON.stringify({ ...head, id }), ...hits.map((hit) => JSON.stringify(hit))];
      writeFileSync(scratch, `${lines.join("\n")}\n`, { mode: 0o600 });
      if (!linked(scratch, this.path(id))) continue; // another process took the number
      if (output !== "") writeFileSync(this.outputPath(id), output, { mode: 0o600 });
      this.#sweep(id);
      return { record: { ...head, id, hits }, file: this.path(id) };
    }
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
    this.#delete(id);
  }

  #delete(id: string): void {
    rmSync(this.path(id), { force: true });
    rmSync(this.outputPath(id), { force: true });
  }

  removeAll(): number {
    const ids = this.#ids();
    for (const id of ids) this.#delete(id);
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
      if (at + 1 >= this.#limits.count || bytes > this.#limits.bytes) this.#delete(id);
    }
  }
}

/** A link fails where there is a file already, which a rename would replace. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    rmSync(from);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    rmSync(from, { force: true });
    throw error;
  }
}
