/**
 * What `perf record -o -` writes, taken apart: samples with what the probe fetched, registers and stack; and what is mapped where.
 * Each processor has a buffer of its own, so records come in rounds and are put in order by their times.
 */

/** Of the fields that perf asks the kernel for (PERF_SAMPLE_*). */
const FIELD = {
  ip: 1 << 0,
  tid: 1 << 1,
  time: 1 << 2,
  addr: 1 << 3,
  callchain: 1 << 5,
  id: 1 << 6,
  cpu: 1 << 7,
  period: 1 << 8,
  stream: 1 << 9,
  raw: 1 << 10,
  registers: 1 << 12,
  stack: 1 << 13,
  identifier: 1 << 16,
} as const;

const RECORD = { comm: 3, exit: 4, fork: 7, sample: 9, mmap2: 10, lost: 2, lostSamples: 13 } as const;
const MADE_BY_PERF = { attr: 64, tracingData: 66, round: 68 } as const;
const COMM_OF_EXEC = 1 << 13;

/** Of x86-64's registers, by perf's numbers: ax bx cx dx si di bp sp ip, flags and segments, r8 to r15. */
const DWARF_NUMBERS: Record<number, number> = {
  ...{ 0: 0, 1: 3, 2: 2, 3: 1, 4: 4, 5: 5, 6: 6, 7: 7, 8: 16 },
  ...{ 16: 8, 17: 9, 18: 10, 19: 11, 20: 12, 21: 13, 22: 14, 23: 15 },
};
const UNUSED = 17;

export interface Sample {
  kind: "sample";
  time: number;
  pid: number;
  tid: number;
  raw: Buffer;
  /** By DWARF's numbers, with the instruction's address as the return address; nothing without a stack. */
  registers?: number[];
  stack?: Buffer;
}

export type Entry =
  | Sample
  | { kind: "map"; time: number; pid: number; from: number; size: number; offset: number; path: string }
  | { kind: "name"; time: number; pid: number; tid: number; name: string; exec: boolean }
  | { kind: "thread"; time: number; pid: number; tid: number; parent: number }
  | { kind: "lost"; time: number; count: number }
  /** Told at the end by newer kernels, of one event's alone; by the kernel's number for it, where that is told. */
  | { kind: "lostInAll"; time: number; count: number; event: number | undefined };

export class PerfStream {
  readonly #ready: (entries: Entry[]) => void;
  #left: Buffer = Buffer.alloc(0);
  #begun = false;
  #skip = 0;
  #fields = 0;
  /** What each of perf's counters counts: the kernel's number for the event, and its fields. */
  readonly #counters = new Map<number, { event: number; fields: number }>();
  /** In the order of the samples: DWARF's numbers. */
  #registers: number[] = [];
  #queue: Entry[] = [];
  /** Everything up to the newest time of the round before is complete. */
  #complete = 0;
  #newest = 0;

  constructor(ready: (entries: Entry[]) => void) {
    this.#ready = ready;
  }

  push(chunk: Buffer): void {
    const data = this.#left.length > 0 ? Buffer.concat([this.#left, chunk]) : chunk;
    let at = 0;
    if (!this.#begun) {
      if (data.length < 16) {
        this.#left = data;
        return;
      }
      at = Number(data.readBigUInt64LE(8));
      this.#begun = true;
    }
    for (;;) {
      const passed = Math.min(this.#skip, data.length - at);
      this.#skip -= passed;
      at += passed;
      if (this.#skip > 0 || at + 8 > data.length) break;
      const size = data.readUInt16LE(at + 6);
      if (at + size > data.length) break;
      this.#record(data.readUInt32LE(at), data.readUInt16LE(at + 4), data.subarray(at + 8, at + size));
      at += size;
    }
    this.#left = data.subarray(at);
  }

  /** No more will come. */
  end(): void {
    this.#flush(Number.POSITIVE_INFINITY);
  }

  #record(type: number, misc: number, body: Buffer): void {
    if (type === MADE_BY_PERF.attr) this.#attributes(body);
    // Followed by as many bytes as it says, to a multiple of eight.
    else if (type === MADE_BY_PERF.tracingData) this.#skip = (body.readUInt32LE(0) + 7) & ~7;
    else if (type === MADE_BY_PERF.round) {
      this.#flush(this.#complete);
      this.#complete = this.#newest;
    } else {
      const entry = type === RECORD.sample ? this.#sample(body) : this.#other(type, misc, body);
      if (entry === undefined) return;
      this.#newest = Math.max(this.#newest, entry.time);
      this.#queue.push(entry);
    }
  }

  #flush(until: number): void {
    const due = this.#queue.filter(({ time }) => time <= until);
    if (due.length === 0) return;
    this.#queue = due.length === this.#queue.length ? [] : this.#queue.filter(({ time }) => time > until);
    this.#ready(due.sort((a, b) => a.time - b.time));
  }

  /** All events of ours are made alike, so any one's tell; perf's own, which only follows the program, has no raw data. */
  #attributes(body: Buffer): void {
    const fields = Number(body.readBigUInt64LE(24));
    for (let at = body.readUInt32LE(4); at + 8 <= body.length; at += 8)
      this.#counters.set(word(body, at), { event: word(body, 8), fields });
    if (this.#fields & FIELD.raw && !(fields & FIELD.raw)) return;
    this.#fields = fields;
    const mask = body.length >= 88 ? body.readBigUInt64LE(80) : 0n;
    this.#registers = [...Array(64).keys()]
      .filter((one) => (mask >> BigInt(one)) & 1n)
      .map((one) => DWARF_NUMBERS[one] ?? UNUSED);
  }

  #sample(body: Buffer): Sample {
    const fields = this.#fields;
    const cursor = new Words(body);
    if (fields & FIELD.identifier) cursor.skip(8);
    if (fields & FIELD.ip) cursor.skip(8);
    const [pid, tid] = [cursor.half(), cursor.half()];
    const time = cursor.word();
    for (const one of [FIELD.addr, FIELD.id, FIELD.stream, FIELD.cpu, FIELD.period])
      if (fields & one) cursor.skip(8);
    if (fields & FIELD.callchain) cursor.skip(8 * cursor.word());
    const rawSize = cursor.half();
    const raw = cursor.bytes(rawSize);
    const sample: Sample = { kind: "sample", time, pid, tid, raw };
    if (fields & FIELD.registers && cursor.word() !== 0) {
      // Not a typed array: what lies outside V8's heap, a piece for each hit, leaves holes there that never go back.
      const registers = new Array<number>(UNUSED + 1).fill(0);
      for (const one of this.#registers) registers[one] = cursor.word();
      sample.registers = registers;
    }
    if (fields & FIELD.stack) {
      const size = cursor.word();
      if (size > 0) {
        const stack = cursor.bytes(size);
        sample.stack = stack.subarray(0, cursor.word());
      }
    }
    return sample;
  }

  #other(type: number, misc: number, body: Buffer): Entry | undefined {
    const time = this.#timeOf(body);
    switch (type) {
      case RECORD.mmap2:
        return {
          ...{ kind: "map", time, pid: body.readUInt32LE(0), path: text(body, 64) },
          ...{ from: word(body, 8), size: word(body, 16), offset: word(body, 24) },
        };
      case RECORD.comm:
        return {
          ...{ kind: "name", time, pid: body.readUInt32LE(0), tid: body.readUInt32LE(4) },
          ...{ name: text(body, 8), exec: (misc & COMM_OF_EXEC) !== 0 },
        };
      case RECORD.fork:
        return {
          ...{ kind: "thread", time, pid: body.readUInt32LE(0) },
          ...{ tid: body.readUInt32LE(8), parent: body.readUInt32LE(12) },
        };
      case RECORD.lost:
        return { kind: "lost", time, count: word(body, 8) };
      case RECORD.lostSamples:
        return { kind: "lostInAll", time, count: word(body, 0), event: this.#counterOf(body)?.event };
      default:
        return undefined;
    }
  }

  /** Of records that are no samples: where there are several counters the last word says which. */
  #counterOf(body: Buffer): { event: number; fields: number } | undefined {
    if (!(this.#fields & FIELD.identifier) || body.length < 8) return undefined;
    return this.#counters.get(word(body, body.length - 8));
  }

  /** Every record of the kernel's ends with what the sample fields identify; those that perf made up have no time. */
  #timeOf(body: Buffer): number {
    const fields = this.#counterOf(body)?.fields ?? this.#fields;
    const after = [FIELD.id, FIELD.stream, FIELD.cpu, FIELD.identifier].filter((one) => fields & one);
    const at = body.length - 8 * (after.length + 1);
    return fields & FIELD.time && at >= 0 ? word(body, at) : 0;
  }
}

const HIGH = 2 ** 32;

export function word(data: Buffer, at: number): number {
  return data.readUInt32LE(at) + data.readUInt32LE(at + 4) * HIGH;
}

function text(data: Buffer, at: number): string {
  const end = data.indexOf(0, at);
  return data.toString("utf8", at, end < 0 ? data.length : end);
}

class Words {
  readonly #data: Buffer;
  #at = 0;

  constructor(data: Buffer) {
    this.#data = data;
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }

  half(): number {
    this.#at += 4;
    return this.#data.readUInt32LE(this.#at - 4);
  }

  word(): number {
    this.#at += 8;
    return word(this.#data, this.#at - 8);
  }

  bytes(size: number): Buffer {
    this.#at += size;
    return this.#data.subarray(this.#at - size, this.#at);
  }
}
