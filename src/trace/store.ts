/** Traces on disk: `<id>.jsonl`, a head without the hits, then a hit a line. The newest are kept, within a number and a size. */

import { existsSync, linkSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { advice, blank, call } from "../advice/advice.ts";
import { SondeError } from "../errors.ts";
import { naming } from "../util/file-errors.ts";
import { lastNumber, rememberNumber } from "../util/numbering.ts";
import { privateFolder } from "../util/own-folder.ts";
import { isAlive } from "../util/process-facts.ts";
import {
  IndexBuilder,
  indexOf,
  readIndex,
  saveIndex,
  type TraceIndex,
  WORTH_IT,
} from "./columns/index-file.ts";
import type { TraceRecord } from "./record.ts";
import type { Traced } from "./trace.ts";
import { type Damage, readHead, readTrace, writeTrace } from "./trace-file.ts";

export interface StoreLimits {
  count: number;
  bytes: number;
}

const LIMITS: StoreLimits = { count: 100, bytes: 200 * 1024 * 1024 };

export type StoredTrace = { id: string; file: string; bytes: number } & (
  | { head: Omit<TraceRecord, "hits"> }
  /** It cannot be used as it is. */
  | { damage: Damage }
);

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

  /** Of a large trace: columns/index-file.ts. */
  indexPath(id: string): string {
    return join(this.#folder, `${id}.index.json`);
  }

  /** Written under another name first: nobody reads half a trace. */
  save(traced: Traced, output = ""): { record: TraceRecord; file: string } {
    return naming(this.#folder, () => {
      privateFolder(this.#folder);
      this.#removeScratch();
      const { hits, ...head } = traced;
      const scratch = join(this.#folder, `new-${process.pid}-${Math.random().toString(36).slice(2)}`);
      try {
        for (;;) {
          const id = this.#freeId();
          const index = hits.length < WORTH_IT ? undefined : new IndexBuilder(head.plan);
          const bytes = writeTrace(scratch, { ...head, id }, hits, index?.add.bind(index));
          if (!linked(scratch, this.path(id))) continue; // another process took the number
          rememberNumber(this.#folder, Number(id.slice(1)));
          if (index !== undefined) saveIndex(this.indexPath(id), index.build(bytes, head.began));
          this.#keepOutput(id, output);
          this.#sweep(id);
          return { record: { ...head, id, hits }, file: this.path(id) };
        }
      } finally {
        rmSync(scratch, { force: true });
      }
    });
  }

  #keepOutput(id: string, output: string): void {
    if (output === "") return;
    try {
      rmSync(this.outputPath(id), { force: true });
      writeFileSync(this.outputPath(id), output, { mode: 0o600, flag: "wx" });
    } catch (error) {
      this.#delete(id);
      throw error;
    }
  }

  /** Left by a process that was killed as it wrote. */
  #removeScratch(): void {
    for (const name of readdirSync(this.#folder)) {
      const pid = Number(/^new-(\d+)-/.exec(name)?.[1]);
      if (Number.isInteger(pid) && !isAlive(pid)) rmSync(join(this.#folder, name), { force: true });
    }
  }

  /** Newest first. */
  async list(): Promise<StoredTrace[]> {
    const all = this.#ids().reverse();
    return (await Promise.all(all.map((id) => this.#head(id)))).filter((one) => one !== undefined);
  }

  /** What is known without reading all of it, and where in the file its hits are. The newest if none is named. */
  async index(id?: string): Promise<{ head: Omit<TraceRecord, "hits">; file: string; index: TraceIndex }> {
    const { wanted, file } = this.#existing(id);
    const stored = await this.#head(wanted);
    // Of one that is damaged, what is wrong is said as for a whole one.
    if (stored === undefined || "damage" in stored) {
      const { hits: _none, ...head } = await this.read(wanted);
      return { head, file, index: await indexOf(file, statSync(file).size, head) };
    }
    const { head, bytes } = stored;
    const known = readIndex(this.indexPath(wanted), bytes, head.began);
    if (known !== undefined) return { head, file, index: known };
    const index = await indexOf(file, bytes, head);
    if (head.seen - head.dropped >= WORTH_IT) saveIndex(this.indexPath(wanted), index);
    return { head, file, index };
  }

  #existing(id?: string): { wanted: string; file: string } {
    const wanted = id ?? this.#ids().at(-1);
    const file = wanted === undefined ? undefined : this.path(wanted);
    if (wanted === undefined || file === undefined || !existsSync(file))
      throw new SondeError(
        "NO_TRACE",
        wanted === undefined ? "there are no traces" : `there is no trace ${wanted}`,
        {
          hint:
            wanted === undefined
              ? advice`${call("trace", { at: [blank("file:line")], watch: [blank("expr")], args: [blank("command")] })} makes one`
              : advice`${call("trace list")}`,
        },
      );
    return { wanted, file };
  }

  /** The newest if none is named. */
  async read(id?: string): Promise<TraceRecord> {
    const { wanted, file } = this.#existing(id);
    const read = await readTrace(file);
    if (!("damage" in read)) return read;
    const { code, why } = read.damage;
    throw new SondeError(code, `trace ${wanted} ${why}`, {
      hint:
        code === "VERSION_SKEW"
          ? "update sonde"
          : advice`record it again; ${call("trace rm", { id: wanted })} removes it`,
    });
  }

  remove(id: string): void {
    if (!existsSync(this.path(id)))
      throw new SondeError("NO_TRACE", `there is no trace ${id}`, { hint: advice`${call("trace list")}` });
    this.#delete(id);
  }

  #delete(id: string): void {
    rmSync(this.path(id), { force: true });
    rmSync(this.outputPath(id), { force: true });
    rmSync(this.indexPath(id), { force: true });
  }

  removeAll(): number {
    const ids = this.#ids();
    for (const id of ids) this.#delete(id);
    return ids.length;
  }

  /** Only the first line is read: a trace can be large. */
  async #head(id: string): Promise<StoredTrace | undefined> {
    const file = this.path(id);
    const bytes = statSync(file, { throwIfNoEntry: false })?.size;
    if (bytes === undefined) return undefined; // removed meanwhile
    return { id, file, bytes, ...(await readHead(file, bytes)) };
  }

  /** Oldest first. */
  #ids(): string[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .flatMap((name) => /^(t\d+)\.jsonl$/.exec(name)?.[1] ?? [])
      .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
  }

  #freeId(): string {
    return `t${Math.max(Number(this.#ids().at(-1)?.slice(1) ?? 0), lastNumber(this.#folder)) + 1}`;
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
    throw error;
  }
}
