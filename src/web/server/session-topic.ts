/**
 * One session, as the tabs that look at it are sent it: all of it first, then what is different. A name may be used again, so what a tab has
 * of the output and the transcript counts only for the launch that it had it of.
 */
import { OneAtATime } from "../../util/one-at-a-time.ts";
import type { OutputPiece, SessionEvent, SessionRow, TranscriptEntry } from "../protocol.ts";
import { type Ask, type Row, rowsIn, Unanswered } from "./asking.ts";
import { Soon } from "./soon.ts";

/** Lines of source around the stop: enough to draw before the file is there. */
const AROUND = 12;
/** As many as the page keeps. */
const MOST_ENTRIES = 500;

/** How far it has been sent something, and of which launch. */
interface Mark {
  launch: string | undefined;
  at: number;
}

export interface SessionWatcher {
  send(event: SessionEvent): void;
  output: Mark;
  transcript: Mark;
  /** The state that it was sent last. */
  last?: string | undefined;
}

/** What came after a mark, of whichever launch has the name now. */
interface Part {
  launch: string;
  at: number;
  event: SessionEvent;
}

export class SessionTopic {
  readonly #name: string;
  readonly #ask: Ask;
  readonly watchers = new Set<SessionWatcher>();
  readonly #all = new Soon(0, () => this.#sendAll([...this.watchers]));
  readonly #state = new Soon(0, async () => void (await this.#sendState()));
  readonly #breakpoints = new Soon(5, () => this.#sendBreakpoints([...this.watchers]));
  readonly #output = new Soon(0, () => this.#sendOutput());
  readonly #transcript = new Soon(5, () => this.#sendTranscript());
  /** An older state must not come after a newer one, and nothing twice. */
  readonly #states = new OneAtATime();
  readonly #outputs = new OneAtATime();
  readonly #transcripts = new OneAtATime();

  constructor(name: string, ask: Ask) {
    this.#name = name;
    this.#ask = ask;
  }

  add(watcher: SessionWatcher): () => void {
    this.watchers.add(watcher);
    this.#begin([watcher]);
    return () => this.watchers.delete(watcher);
  }

  /** Something is different. */
  changed(kind: string): void {
    if (kind === "breakpoints") this.#breakpoints.want();
    else if (kind === "output") this.#output.want();
    else if (kind === "transcript") {
      this.#transcript.want();
      // Somebody did something: it may have changed values without moving the program. What is as it was is not sent again.
      this.#state.want();
    } else this.#state.want();
    if (kind === "added") {
      // Another launch: what was sent was of the one before, also if this one has nothing yet.
      this.#output.want();
      this.#transcript.want();
    }
  }

  /** There is another daemon, or one again. */
  renew(): void {
    this.#begin([...this.watchers]);
  }

  gone(): void {
    for (const one of this.watchers) {
      one.last = undefined;
      one.send(GONE);
    }
  }

  #begin(to: readonly SessionWatcher[]): void {
    void this.#sendAll(to).catch((thrown: unknown) => {
      if (!(thrown instanceof Unanswered)) throw thrown;
      this.#all.later();
    });
  }

  async #sendAll(to: readonly SessionWatcher[]): Promise<void> {
    const isThere = await this.#sendState();
    if (isThere) await Promise.all([this.#sendBreakpoints(to), this.#sendOutput(), this.#sendTranscript()]);
  }

  /** To those who have not been sent it. */
  #sendState(): Promise<boolean> {
    return this.#states.do(async () => {
      if (this.watchers.size === 0) return false;
      const row = await this.#rowNow();
      const event = row === undefined ? GONE : await this.#event(row);
      const text = JSON.stringify(event);
      for (const one of this.watchers) {
        if (one.last === text) continue;
        one.last = text;
        one.send(event);
      }
      return row !== undefined;
    });
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

  #sendOutput(): Promise<void> {
    return this.#outputs.do(() => this.#sendSince("output", (since) => this.#outputSince(since)));
  }

  #sendTranscript(): Promise<void> {
    return this.#transcripts.do(() => this.#sendSince("transcript", (since) => this.#transcriptSince(since)));
  }

  /** Those who have the same are sent the same, and it is asked for once. */
  async #sendSince(which: "output" | "transcript", read: (since: number) => Promise<Part | undefined>) {
    const left = [...this.watchers];
    for (let first = left[0]; first !== undefined; first = left[0]) {
      const { at: since } = first[which];
      const part = await read(since);
      if (part === undefined) return;
      const { launch, at, event } = part;
      for (const one of left.splice(0)) {
        const mark = one[which];
        if (!this.watchers.has(one)) continue;
        if (mark.at !== since) left.push(one);
        else if (mark.launch !== launch && since !== 0) {
          one[which] = { launch: undefined, at: 0 };
          left.push(one); // of another: all of this one
        } else if (mark.launch !== launch || at !== since) {
          one[which] = { launch, at };
          one.send(event);
        }
      }
    }
  }

  async #outputSince(since: number): Promise<Part | undefined> {
    const data = await this.#ask("output", { since, pieces: true }, this.#name);
    if (data === undefined) return undefined;
    const { cursor = 0, droppedBytes = 0, earlierLines = 0 } = data as Record<string, number>;
    const pieces = rowsIn(data, "lines") as unknown as OutputPiece[];
    const launch = String(data.launch);
    const event = {
      kind: "output" as const,
      pieces,
      since,
      cursor,
      launch,
      left: earlierLines,
      droppedBytes,
    };
    return { launch, at: cursor, event };
  }

  async #transcriptSince(since: number): Promise<Part | undefined> {
    const data = await this.#ask("transcript", { since, tail: MOST_ENTRIES }, this.#name);
    if (data === undefined) return undefined;
    const entries = rowsIn(data, "entries") as unknown as TranscriptEntry[];
    const launch = String(data.launch);
    // A value that was set makes no other sound: whoever did it, the stop is looked at again, and sent if it is different.
    if (entries.some(({ effect }) => effect === "changes")) this.#state.want();
    return {
      launch,
      at: entries.at(-1)?.number ?? since,
      event: { kind: "transcript", entries, since, launch },
    };
  }
}

const GONE: SessionEvent = { kind: "gone" };

export type { Row };
