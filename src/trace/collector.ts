/**
 * A collector runs one program and reports what its plan asks for. Each knows one way: code rewritten as it loads, a callback inside
 * a debugger, a kernel probe, or plain stops. An adapter names those that fit it, best first (`Adapter.collectors`).
 */
import type { Launch } from "../session/launch.ts";
import type { SeenCalls } from "./call-counts.ts";
import type { Plan } from "./plan.ts";
import type { Binding, LineEvent, PointHit, RunEnd } from "./record.ts";

/** What a collector says of a hit; numbers and times are given by the sink. */
export type SeenPoint = Omit<PointHit, "seq" | "ms" | "hit"> & { ms?: number };
export type SeenLine = Omit<LineEvent, "seq" | "ms"> & { ms?: number };

export interface Sink {
  /** In the order of the run. */
  hit(seen: SeenPoint | SeenLine): void;
  /** Hits that the collector had to leave out, of a point or of lines. */
  lost(count: number, point?: number): void;
  /** From here on the recorder leaves out calls and lines, as the plan says (`toward`). */
  leftOut?(): void;
  /** As many of those were no hits, as it turns out. */
  notLost(count: number, point?: number): void;
  bind(point: number, binding: Binding): void;
  /** For the reader, once each. */
  note(text: string): void;
  /** A function of the user's: called and not named by the plan, or only known to be in a file that was loaded. */
  passed?(name: string, how: "called" | "declared"): void;
  /** A file with code that was loaded and is not recorded: a library's, or one elsewhere. Of plans with `packages`. */
  loaded?(path: string): void;
  /** More calls of a function of the user's, and what they took. */
  called?(seen: SeenCalls): void;
}

export interface Run {
  /**
   * What to run: `launch.opening` says it, `launch.processes` owns whatever is started (own every process, run with
   * `processes.marked(env)`), `launch.output` takes what the program prints. A collector that works over the debugger makes a session
   * of it (collectors/stops/program.ts), the others have none. The caller ends it.
   */
  launch: Launch;
  /** The program's whole standard input. None: an empty one. */
  stdin: Buffer | undefined;
  sink: Sink;
  /** Cancel or time limit: end the program (or let go of it, if attached), report what is known, and return. */
  signal: AbortSignal;
  /** To be called when a process that was attached to is being looked at: the time limits run from there. */
  begun?: () => void;
  /** For files of the run; removed afterwards. */
  folder: string;
}

export interface Collector {
  name: string;
  /** How long it holds the program at each hit, where that is long enough to be told before it begins: `about 2 ms`. */
  price?: string;
  /** It can count calls (`plan.calls`). */
  counts?: true;
  /**
   * Nothing if it can do this here; otherwise why not, in a few words, or an empty text where that is no news to the reader. Starts
   * nothing that outlives the call.
   */
  unfit(plan: Plan, launch: Launch): Promise<string | undefined>;
  /**
   * Runs the program to its end. Throws SondeError only for what the caller must mend (program not found, an expression that is no
   * code: BAD_ARGUMENT with the language's words); whatever happens to the program itself is an end.
   */
  collect(plan: Plan, run: Run): Promise<RunEnd>;
}
