/**
 * What changes in sessions, numbered: whoever looks on is told as it happens, and may ask later for what came after a number. It names what is
 * different, not how: the commands that read show that.
 */
import type { Change, ChangeKind, Feed as Follows } from "../../commands/context.ts";
import type { Launch } from "../../session/launch.ts";
import { sessionOf } from "../../session/session.ts";
import { Listeners } from "../../util/listeners.ts";
import type { LaunchTable } from "./table.ts";

/** Enough for a laptop that slept a while; whoever asks for older changes is told that they are gone. */
const KEPT = 2_000;
/** A program may print without end: new output is reported at most this often. */
const OUTPUT_MS = 50;

export class Feed implements Follows {
  readonly #listeners = new Listeners<Change>();
  #changes: Change[] = [];
  #seq = 0;
  /** Launches whose output has grown since that was last told. */
  readonly #grown = new Set<Launch>();
  #timer: NodeJS.Timeout | undefined;

  constructor(table: LaunchTable) {
    table.onAdded.add((launch) => this.#begin(launch));
    table.onRemoved.add((launch) => {
      this.#grown.delete(launch);
      launch.output.grew = undefined;
      this.add("removed", launch.name);
    });
  }

  get seq(): number {
    return this.#seq;
  }

  add(kind: ChangeKind, session: string, more: { cursor?: number } = {}): void {
    const change: Change = { seq: ++this.#seq, at: Date.now(), kind, session, ...more };
    this.#changes.push(change);
    if (this.#changes.length > 2 * KEPT) this.#changes = this.#changes.slice(-KEPT);
    this.#listeners.emit(change);
  }

  since(seq: number): { changes: Change[]; lost: boolean } {
    const first = this.#changes[0]?.seq ?? this.#seq + 1;
    // A number that has not been used yet comes from another daemon.
    const lost = seq > this.#seq || seq + 1 < first;
    return { changes: lost ? [] : this.#changes.filter((one) => one.seq > seq), lost };
  }

  follow(listener: (change: Change) => void): () => void {
    return this.#listeners.add(listener);
  }

  #begin(launch: Launch): void {
    this.add("added", launch.name);
    launch.output.grew = () => this.#grew(launch);
    launch.notes.onNote.add(() => this.add("notes", launch.name));
    const session = sessionOf(launch);
    if (session) session.onChange.add((kind) => this.add(kind, launch.name));
    else launch.onEnded.add(() => this.add("ended", launch.name));
  }

  #grew(launch: Launch): void {
    this.#grown.add(launch);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      for (const { name, output } of this.#grown) this.add("output", name, { cursor: output.cursor });
      this.#grown.clear();
    }, OUTPUT_MS).unref();
  }
}
