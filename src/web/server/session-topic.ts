/** One session, as the tabs that look at it are sent it: all of it first, then what is different. */
import type { SessionEvent, SessionRow, TranscriptEntry } from "../protocol.ts";
import { type Ask, type Row, rowsIn } from "./asking.ts";
import { Soon } from "./soon.ts";

/** Lines of source around the stop: enough to draw before the file is there. */
const AROUND = 12;

export interface SessionWatcher {
  send(event: SessionEvent): void;
  /** The output's cursor that it has. */
  cursor: number;
  deed: number;
}

export class SessionTopic {
  readonly #name: string;
  readonly #ask: Ask;
  readonly watchers = new Set<SessionWatcher>();
  readonly #state: Soon;
  readonly #breakpoints: Soon;
  readonly #output: Soon;
  readonly #transcript: Soon;
  #last: string | undefined;
  #row: SessionRow | undefined;

  constructor(name: string, ask: Ask) {
    this.#name = name;
    this.#ask = ask;
    this.#state = new Soon(0, () => this.#sendState([...this.watchers], true));
    this.#breakpoints = new Soon(5, () => this.#sendBreakpoints([...this.watchers]));
    this.#output = new Soon(0, () => this.#sendOutput([...this.watchers]));
    this.#transcript = new Soon(5, () => this.#sendTranscript([...this.watchers]));
  }

  add(watcher: SessionWatcher): () => void {
    this.watchers.add(watcher);
    void this.#sendAll([watcher]);
    return () => this.watchers.delete(watcher);
  }

  /** Something is different. */
  changed(kind: string): void {
    if (kind === "breakpoints") this.#breakpoints.want();
    else if (kind === "output") this.#output.want();
    else if (kind === "transcript") this.#transcript.want();
    else this.#state.want();
  }

  /** There is another daemon, or none. */
  renew(): void {
    this.#last = undefined;
    for (const one of this.watchers) {
      one.cursor = 0;
      one.deed = 0;
    }
    void this.#sendAll([...this.watchers]);
  }

  gone(): void {
    this.#last = undefined;
    for (const one of this.watchers) one.send({ kind: "gone" });
  }

  async #sendAll(to: readonly SessionWatcher[]): Promise<void> {
    await this.#sendState(to, false);
    if (this.#row === undefined) return;
    await Promise.all([this.#sendBreakpoints(to), this.#sendOutput(to), this.#sendTranscript(to)]);
  }

  /** `onlyNew`: not what was sent already. */
  async #sendState(to: readonly SessionWatcher[], onlyNew: boolean): Promise<void> {
    if (to.length === 0) return;
    const before = this.#row;
    this.#row = await this.#rowNow();
    const event = this.#row === undefined ? GONE : await this.#event(this.#row);
    const text = JSON.stringify(event);
    if (onlyNew && text === this.#last) return;
    this.#last = text;
    for (const one of to) {
      // The same name, another run.
      if (before !== undefined && this.#row !== undefined && before.startedAt !== this.#row.startedAt)
        one.deed = 0;
      one.send(event);
    }
  }

  async #rowNow(): Promise<SessionRow | undefined> {
    const rows = rowsIn(await this.#ask("sessions"), "sessions") as unknown as SessionRow[];
    return rows.find(({ name }) => name === this.#name);
  }

  async #event(row: SessionRow): Promise<SessionEvent> {
    if (row.ending !== undefined) return { kind: "ended", row };
    if (row.state !== "stopped") return { kind: "running", row };
    const snapshot = await this.#ask("context", { context: AROUND }, this.#name);
    if (snapshot === undefined) return { kind: "running", row }; // it has gone on meanwhile, and its stop will be told
    const {
      path,
      line,
      function: name,
    } = (snapshot.frame ?? {}) as { path?: string; line?: number; function?: string };
    const stop = row.stop && {
      ...row.stop,
      ...(path === undefined ? {} : { path }),
      ...(line === undefined ? {} : { line }),
      ...(name === undefined ? {} : { function: name }),
    };
    return { kind: "stopped", snapshot, row: stop === undefined ? row : { ...row, stop } };
  }

  async #sendBreakpoints(to: readonly SessionWatcher[]): Promise<void> {
    if (to.length === 0) return;
    const data = await this.#ask("breakpoint list", {}, this.#name);
    if (data === undefined) return;
    for (const one of to) one.send({ kind: "breakpoints", breakpoints: rowsIn(data, "breakpoints"), data });
  }

  async #sendOutput(to: readonly SessionWatcher[]): Promise<void> {
    for (const one of to) {
      const data = await this.#ask("output", { since: one.cursor, pieces: true }, this.#name);
      if (data === undefined) return;
      const { cursor, droppedBytes, earlierLines } = data as Record<string, number>;
      if (cursor === undefined || cursor === one.cursor) continue;
      const since = one.cursor;
      one.cursor = cursor;
      one.send({
        kind: "output",
        pieces: rowsIn(data, "lines") as { stream: "stdout"; text: string }[],
        since,
        cursor,
        left: earlierLines ?? 0,
        droppedBytes: droppedBytes ?? 0,
      });
    }
  }

  async #sendTranscript(to: readonly SessionWatcher[]): Promise<void> {
    for (const one of to) {
      const data = await this.#ask("transcript", { since: one.deed, tail: 500 }, this.#name);
      const entries = rowsIn(data, "entries") as unknown as TranscriptEntry[];
      one.deed = entries.at(-1)?.number ?? one.deed;
      if (entries.length > 0) one.send({ kind: "transcript", entries });
    }
  }
}

const GONE: SessionEvent = { kind: "gone" };

export type { Row };
