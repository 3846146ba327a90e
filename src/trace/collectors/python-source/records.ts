/** What the recorder in one process of the program wrote, handed on to the sink. */
import type { CodePlace } from "../../call-counts.ts";
import type { Sink } from "../../collector.ts";
import type { TraceFrame } from "../../record.ts";

type PointLine = [point: number, thread: string, us: number, values: string[], frames: number[]];
type LineLine = [
  kind: "call" | "line" | "return" | "throw",
  thread: string,
  us: number,
  call: number,
  parent: number | null,
  name: string,
  path: string,
  line: number,
  changes: [name: string, value: string][],
  gone: string[],
  value: string | null,
];
type Other =
  | ["p", pid: number, file: string]
  | ["f", number: number, name: string, path: string, line: number]
  | ["l", points: number[]]
  | ["w", why: string]
  /** A function of the program's that was called, and is not recorded. */
  | ["s", name: string]
  /** A file that was loaded and is not recorded. */
  | ["L", path: string]
  /** A function whose calls are counted. */
  | ["K", number: number, name: string, path: string, line: number]
  /** So many more calls of it by that one (0: by no function of the program's), and what they took. */
  | ["k", number: number, caller: number, count: number, ownUs: number, wholeUs: number]
  /** It has told all its calls. */
  | ["e"]
  /** The process came close to the end of its stack. */
  | ["d", what: string]
  /** From here on not all that happens is recorded. */
  | ["g"]
  | ["n", note: string];

/** A program that recurses has many. */
const MOST_STACKS = 10_000;

/** Common to the processes of one run. */
export class Whole {
  readonly sink: Sink;
  /** Of the program itself, the first that is heard of unless said; other processes' threads are told apart by theirs. */
  mainPid = 0;
  /** Points whose file was loaded. */
  readonly loaded = new Set<number>();
  /** What the program died of. */
  why: string | undefined;
  /** Other processes that counted calls and ended before they had told the last of them. */
  cutShort = 0;
  #calls = 0;

  constructor(sink: Sink) {
    this.sink = sink;
  }

  /** A number for an activation, over all processes. */
  nextCall(): number {
    return ++this.#calls;
  }
}

export class ProcessRecords {
  readonly #whole: Whole;
  readonly #frames = new Map<number, TraceFrame>();
  /** Most hits come from few places: their frames are one list. */
  readonly #stacks = new Map<string, TraceFrame[]>();
  readonly #calls = new Map<number, number>();
  readonly #functions = new Map<number, CodePlace>();
  #hasEnded = false;
  pid = 0;
  /** Where it leaves what it has not sent. */
  file: string | undefined;

  constructor(whole: Whole) {
    this.#whole = whole;
  }

  /** Whole lines. */
  take(bytes: Buffer): void {
    for (const line of bytes.toString("latin1").split("\n"))
      if (line !== "") this.#one(JSON.parse(line) as PointLine | LineLine | Other);
  }

  /** Nothing more comes. */
  end(): void {
    if (this.#functions.size > 0 && !this.#hasEnded && this.pid !== this.#whole.mainPid)
      this.#whole.cutShort++;
  }

  #one(record: PointLine | LineLine | Other): void {
    switch (record[0]) {
      case "p":
        this.pid = record[1];
        this.file = record[2];
        this.#whole.mainPid ||= this.pid;
        return;
      case "f":
        this.#frames.set(record[1], { function: record[2], path: record[3], line: record[4] });
        // A number is given again when the recorder has forgotten what it stood for.
        this.#stacks.clear();
        return;
      case "l":
        for (const point of record[1]) this.#whole.loaded.add(point);
        return;
      case "w":
        if (this.pid === this.#whole.mainPid) this.#whole.why = record[1];
        return;
      case "s":
        this.#whole.sink.passed?.(record[1], "called");
        return;
      case "L":
        this.#whole.sink.loaded?.(record[1]);
        return;
      case "K":
        this.#functions.set(record[1], { function: record[2], path: record[3], line: record[4] });
        return;
      case "k":
        this.#counted(record[1], record[2], record[3], record[4] / 1000, record[5] / 1000);
        return;
      case "e":
        this.#hasEnded = true;
        return;
      case "d":
        this.#whole.sink.note(
          `${this.pid === this.#whole.mainPid ? "the program" : `process ${this.pid}`} ${record[1]}`,
        );
        return;
      case "n":
        this.#whole.sink.note(record[1]);
        return;
      case "g":
        this.#whole.sink.leftOut?.();
        return;
      case "call":
      case "line":
      case "return":
      case "throw":
        this.#line(record);
        return;
      default:
        this.#point(record);
    }
  }

  #point([point, thread, us, values, frames]: PointLine): void {
    this.#whole.sink.hit({
      kind: "point",
      point,
      thread: this.#thread(thread),
      ms: us / 1000,
      values,
      frames: this.#stack(frames),
    });
  }

  #stack(numbers: number[]): TraceFrame[] {
    const key = numbers.join();
    const known = this.#stacks.get(key);
    if (known !== undefined) return known;
    const frames = numbers.flatMap((number) => this.#frames.get(number) ?? []);
    if (this.#stacks.size < MOST_STACKS) this.#stacks.set(key, frames);
    return frames;
  }

  #line([kind, thread, us, call, parent, name, path, line, changes, gone, value]: LineLine): void {
    this.#whole.sink.hit({
      kind,
      thread: this.#thread(thread),
      ms: us / 1000,
      call: this.#call(call),
      ...(parent === null ? {} : { parent: this.#call(parent) }),
      function: name,
      path,
      line,
      changes,
      ...(gone.length === 0 ? {} : { gone }),
      ...(value === null ? {} : { value }),
    });
    if (kind === "return" || kind === "throw") this.#calls.delete(call);
  }

  #counted(number: number, caller: number, count: number, ownMs: number, wholeMs: number): void {
    const place = this.#functions.get(number);
    if (place === undefined) return;
    const by = this.#functions.get(caller);
    this.#whole.sink.called?.({ ...place, count, ownMs, wholeMs, ...(by === undefined ? {} : { by }) });
  }

  #call(number: number): number {
    const known = this.#calls.get(number);
    if (known !== undefined) return known;
    const fresh = this.#whole.nextCall();
    this.#calls.set(number, fresh);
    return fresh;
  }

  #thread(name: string): string {
    return this.pid === this.#whole.mainPid ? name : `${this.pid} ${name}`;
  }
}
