/** What a script inside a debugger tells, taken into the words of a record. */
import { readable } from "../../adapters/lldb/values.ts";
import { readableName } from "../../adapters/native/frames.ts";
import { cut } from "../../util/text.ts";
import type { Sink } from "../collector.ts";
import { type Plan, UNAVAILABLE } from "../plan.ts";
import type { LineEvent, TraceFrame } from "../record.ts";

interface Happened {
  ms: number;
  thread: number;
  /** The thread's, if it has one. */
  name: string | null;
}

/** A place, told once; hits name it by its number. */
interface ToldFrame {
  frame: number;
  name: string;
  path: string | null;
  line: number;
}

interface ToldPoint extends Happened {
  point: number;
  /** Null where there is none. */
  values: (string | null)[];
  frames: number[];
}

interface ToldLine extends Happened {
  kind: LineEvent["kind"];
  call: number;
  parent: number | null;
  function: string;
  path: string | null;
  line: number;
  changes: [string, string][];
  gone: string[];
  value?: string;
}

interface ToldNote {
  note: string;
  /** Points that were reached and could not be recorded. */
  lost?: number[];
}

/** Lines with code near one that has none. */
export interface ToldNear {
  near: number[];
  path: string;
  line: number;
}

/** What is about to run; the script waits for the guide to it. */
export interface ToldProgram {
  program: string;
}

/** A hit may be one that was told before. */
export interface ToldUnsure {
  unsure: true;
}

/** An expression that is no code; the program has not been started. */
export interface ToldWrong {
  expression: string;
  wrong: string;
}

/** The script is in place. */
interface ToldBeginning {
  began: true;
}

export type Told = ToldFrame | ToldPoint | ToldLine | ToldNote | ToldBeginning;

/** What the script keeps of a value: more than is shown, so that what is shown is cut by one rule. */
export function charsToTell(plan: Plan): number {
  return Math.max(plan.valueChars + 1, 64);
}

export class Records {
  readonly #chars: number;
  readonly #sink: Sink;
  readonly #frames = new Map<number, TraceFrame>();
  readonly #onBegin: () => void;
  /** What the debugger says of a value, as it is to be read. */
  readonly #words: (told: string) => string;

  constructor(plan: Plan, sink: Sink, onBegin: () => void, words = readable) {
    this.#words = words;
    this.#chars = plan.valueChars;
    this.#sink = sink;
    this.#onBegin = onBegin;
  }

  told(one: Told): void {
    if ("frame" in one) this.#frames.set(one.frame, frameOf(one));
    else if ("point" in one) this.#point(one);
    else if ("kind" in one) this.#line(one);
    else if ("note" in one) {
      this.#sink.note(one.note);
      for (const point of one.lost ?? []) this.#sink.lost(1, point);
    } else this.#onBegin();
  }

  #point({ point, ms, values, frames, ...who }: ToldPoint): void {
    this.#sink.hit({
      kind: "point",
      point,
      ms,
      thread: threadOf(who),
      values: values.map((value) => (value === null ? UNAVAILABLE : this.#shown(value))),
      frames: frames.flatMap((number) => this.#frames.get(number) ?? []),
    });
  }

  #line(one: ToldLine): void {
    const { kind, ms, call, parent, line, gone, value } = one;
    this.#sink.hit({
      kind,
      ms,
      thread: threadOf(one),
      call,
      ...(parent === null ? {} : { parent }),
      function: readableName(one.function),
      path: one.path ?? "",
      line,
      changes: one.changes.map(([name, text]) => [name, this.#shown(text)]),
      ...(gone.length > 0 ? { gone } : {}),
      ...(value === undefined ? {} : { value: this.#shown(value) }),
    });
  }

  #shown(value: string): string {
    return cut(this.#words(value), this.#chars);
  }
}

function frameOf({ name, path, line }: ToldFrame): TraceFrame {
  return { function: readableName(name), line, ...(path === null ? {} : { path }) };
}

function threadOf({ name, thread }: Omit<Happened, "ms">): string {
  return name ?? String(thread);
}
