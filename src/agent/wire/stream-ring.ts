/** The last events of streams as they came, for looking at: bounded by count and by characters; what was dropped is counted. */

export interface RingEntry {
  /** 1, 2, 3 … of all events seen. */
  n: number;
  /** Milliseconds since the ring was made. */
  at: number;
  /** The model call it belongs to. */
  req: number;
  event?: string;
  data: string;
  /** Characters that were cut off. */
  cut?: number;
}

export interface RingTotals {
  events: number;
  characters: number;
  keptEvents: number;
  keptCharacters: number;
  /** Events that were kept shortened. */
  truncated: number;
}

export interface RingLimits {
  events: number;
  characters: number;
  eventCharacters: number;
}

const LIMITS: RingLimits = { events: 1000, characters: 512_000, eventCharacters: 64_000 };

export class StreamRing {
  readonly #limits: RingLimits;
  readonly #entries: (RingEntry | undefined)[];
  readonly #began = performance.now();
  #first = 0;
  #kept = 0;
  #keptCharacters = 0;
  #events = 0;
  #characters = 0;
  #truncated = 0;
  /** What comes after a long event may be a piece of the same text, which it would keep in memory. */
  #copyNext = 0;

  constructor(limits: Partial<RingLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
    this.#entries = new Array(this.#limits.events);
  }

  add(req: number, { event, data }: { event?: string | undefined; data: string }): void {
    const { events, characters, eventCharacters } = this.#limits;
    this.#events++;
    this.#characters += data.length;
    const cut = data.length - eventCharacters;
    if (cut > 0) {
      this.#truncated++;
      this.#copyNext = events;
    }
    const entry: RingEntry = {
      n: this.#events,
      at: Math.round(performance.now() - this.#began),
      req,
      ...(event !== undefined && { event }),
      data: this.#own(data, cut),
      ...(cut > 0 && { cut }),
    };
    if (this.#kept === events) this.#drop();
    this.#entries[(this.#first + this.#kept) % events] = entry;
    this.#kept++;
    this.#keptCharacters += entry.data.length;
    while (this.#keptCharacters > characters && this.#kept > 1) this.#drop();
  }

  /** The oldest first. */
  entries(): RingEntry[] {
    const found: RingEntry[] = [];
    for (let index = 0; index < this.#kept; index++) {
      const entry = this.#entries[(this.#first + index) % this.#limits.events];
      // A piece of a text keeps the whole of it in memory: who keeps entries gets texts of their own.
      if (entry) found.push({ ...entry, data: copied(entry.data) });
    }
    return found;
  }

  get totals(): RingTotals {
    return {
      events: this.#events,
      characters: this.#characters,
      keptEvents: this.#kept,
      keptCharacters: this.#keptCharacters,
      truncated: this.#truncated,
    };
  }

  #own(data: string, cut: number): string {
    if (cut > 0) return `${copied(data.slice(0, this.#limits.eventCharacters))}… (${cut} more characters)`;
    if (this.#copyNext === 0) return data;
    this.#copyNext--;
    return copied(data);
  }

  #drop(): void {
    const entry = this.#entries[this.#first];
    this.#entries[this.#first] = undefined;
    this.#first = (this.#first + 1) % this.#limits.events;
    this.#kept--;
    this.#keptCharacters -= entry?.data.length ?? 0;
  }
}

/** A text of its own, not a view into the one it was cut from. */
function copied(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
