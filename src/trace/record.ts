/** What a run left behind: the same shape whatever collected it. Plain data, one JSON object a line on disk (store.ts). */
import type { CalledFunction } from "./call-counts.ts";
import type { Plan } from "./plan.ts";
import type { Statistics } from "./statistics.ts";

export interface TraceFrame {
  function: string;
  /** Absolute; left out where there is no source. */
  path?: string;
  line: number;
}

interface Event {
  /** Order over the whole run, from 1, counting also what was not kept. */
  seq: number;
  /** Milliseconds since the program was started. */
  ms: number;
  /** The thread's name or number, as the debugger or runtime gives it; with the process where there are several. */
  thread: string;
}

/** A point was reached. */
export interface PointHit extends Event {
  kind: "point";
  /** Index into the plan's points. */
  point: number;
  /** Of this point, from 1. */
  hit: number;
  /** By the point's expressions; UNAVAILABLE where one has no value. */
  values: string[];
  /** Innermost first, the user's and the runtime's alike, at most the plan's number. */
  frames: TraceFrame[];
}

/** Something happened in a recorded function. */
export interface LineEvent extends Event {
  /**
   * `call`: entered, `changes` are its arguments. `line`: this line is about to run, `changes` are the variables that differ from
   * the activation's last event. `return`: `value` is what it returns. `throw`: `value` is what is thrown, which leaves the function.
   */
  kind: "call" | "line" | "return" | "throw";
  /** Number of the activation, from 1: tells calls of one function apart, recursive or in threads. */
  call: number;
  /** Of the activation that called it, if that is recorded. */
  parent?: number;
  function: string;
  path: string;
  line: number;
  changes: [name: string, value: string][];
  /** Variables that are no longer there. */
  gone?: string[];
  value?: string;
}

export type Hit = PointHit | LineEvent;

/** Whether a point's place was found in the program. */
export type Binding =
  /** From a collector with `nearest` where the line asked for has no code; in a record without. */
  | { state: "bound"; line: number; nearest?: number[] }
  /** No code there; `nearest` are lines that have some. */
  | { state: "unbound"; reason: string; nearest?: number[] }
  /** Its file was never loaded, or the run ended before it was known. */
  | { state: "unknown" };

export interface RunEnd {
  /** `stopped`: we ended it (time limit, cancel, enough hits). `left`: it runs on, we only attached. `failed`: it never ran. */
  how: "exited" | "stopped" | "left" | "failed";
  exitCode?: number;
  signal?: string;
  /** Of an uncaught exception or a crash, in one line, if the collector knows. */
  why?: string;
}

export interface TraceRecord {
  version: 1;
  id: string;
  /** What was run, as typed; or `pid 4242`. */
  title: string;
  /** What runs it again: its process, or the words of its command line. Earlier versions did not record it. */
  ran?: { pid: number } | { command: string[]; build?: boolean };
  /** The trace of which this is another run: the same command, with the same input. */
  repeats?: string;
  cwd: string;
  /** ISO 8601. */
  began: string;
  seconds: number;
  plan: Plan;
  adapter: string;
  collector: string;
  /** By the plan's points. */
  bindings: Binding[];
  /** Hits seen of each point, also those that were not kept. */
  counts: number[];
  /** Of each point's expressions, over all hits. */
  statistics?: Statistics[][];
  /** Of a plan that counts calls: the user's functions that ran, most time first. */
  calls?: CalledFunction[];
  /** Events seen in all, and those that were not kept. */
  seen: number;
  dropped: number;
  end: RunEnd;
  /** Why the record does not cover the whole run. */
  partial?: string;
  /** Why faster collectors were not taken. */
  passedOver?: string[];
  /** For the reader: what an expression lacked, what may be wrong. */
  notes: string[];
  hits: Hit[];
}
