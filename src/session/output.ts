/**
 * What the program printed, kept within limits. The head and the tail survive; what fell out of the middle is counted.
 * Every event has an absolute cursor, so a reader can ask for "what came since".
 */

export interface OutputEvent {
  cursor: number;
  category: string;
  text: string;
  /** Label of the debuggee that wrote it, when it is not the main one. */
  from?: string;
}

export interface OutputLimits {
  maxEvents: number;
  maxBytes: number;
}

export interface OutputSlice {
  events: OutputEvent[];
  /** Pass as `since` to get only what comes after this slice. */
  cursor: number;
  droppedEvents: number;
  droppedBytes: number;
}

/** The share of the budget kept from the beginning of the run: errors at start-up matter most. */
const HEAD_SHARE = 0.1;

export class Output {
  #limits: OutputLimits;
  #head: OutputEvent[] = [];
  #headBytes = 0;
  /** Oldest first; `#start` is the index of the first live entry, so that dropping is cheap. */
  #tail: OutputEvent[] = [];
  #start = 0;
  #tailBytes = 0;
  #next = 1;
  #cleared = 0;
  #droppedEvents = 0;
  #droppedBytes = 0;
  #waiters = new Set<() => void>();
  /** Everything up to here has been shown in a stop snapshot. */
  shown = 0;

  constructor(limits: OutputLimits) {
    this.#limits = limits;
  }

  get cursor(): number {
    return this.#next - 1;
  }

  append(category: string, text: string, from?: string): void {
    if (text === "") return;
    const event: OutputEvent = {
      cursor: this.#next++,
      category,
      text,
      ...(from === undefined ? {} : { from }),
    };
    const bytes = text.length;
    const headRoom = this.#limits.maxBytes * HEAD_SHARE - this.#headBytes;
    if (
      this.#tail.length === this.#start &&
      bytes <= headRoom &&
      this.#head.length < this.#limits.maxEvents * HEAD_SHARE
    ) {
      this.#head.push(event);
      this.#headBytes += bytes;
    } else {
      this.#tail.push(event);
      this.#tailBytes += bytes;
      this.#trim();
    }
    for (const wake of [...this.#waiters]) wake();
  }

  #trim(): void {
    const { maxEvents, maxBytes } = this.#limits;
    const eventRoom = Math.max(1, maxEvents - this.#head.length);
    const byteRoom = maxBytes - this.#headBytes;
    while (
      this.#tail.length - this.#start > 1 &&
      (this.#tail.length - this.#start > eventRoom || this.#tailBytes > byteRoom)
    ) {
      const gone = this.#tail[this.#start++];
      if (!gone) break;
      this.#tailBytes -= gone.text.length;
      this.#droppedBytes += gone.text.length;
      this.#droppedEvents += 1;
    }
    if (this.#start > 1024) {
      this.#tail = this.#tail.slice(this.#start);
      this.#start = 0;
    }
  }

  /** Events after `since`, of the given categories. */
  read(since = 0, categories?: ReadonlySet<string>): OutputSlice {
    const from = Math.max(since, this.#cleared);
    const keep = (event: OutputEvent) =>
      event.cursor > from && (categories === undefined || categories.has(event.category));
    const tail = this.#start === 0 ? this.#tail : this.#tail.slice(this.#start);
    const firstKept = tail[0]?.cursor ?? this.#next;
    const lastHead = this.#head.at(-1)?.cursor ?? 0;
    const lostFrom = Math.max(from, lastHead);
    const dropped = this.#droppedEvents > 0 && firstKept - 1 > lostFrom;
    return {
      events: [...this.#head, ...tail].filter(keep),
      cursor: this.cursor,
      droppedEvents: dropped ? firstKept - 1 - lostFrom : 0,
      droppedBytes: dropped ? this.#droppedBytes : 0,
    };
  }

  clear(): void {
    this.#cleared = this.cursor;
    this.#head = [];
    this.#tail = [];
    this.#headBytes = this.#tailBytes = this.#start = this.#droppedBytes = this.#droppedEvents = 0;
  }

  /** Calls back at every append until the returned function is called. */
  onAppend(wake: () => void): () => void {
    this.#waiters.add(wake);
    return () => this.#waiters.delete(wake);
  }
}
