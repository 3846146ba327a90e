/**
 * What to record of a run. A plan names places and expressions (`points`), whole functions and files line by line (`lines`),
 * or which functions run at all (`calls`).
 * It says nothing about how: that is a collector's business, and the record must be the same whoever collected it.
 */
import type { PathMap } from "../util/path-map.ts";

/** One line at which expressions are read, each time it is about to run. */
export interface Point {
  /** As the caller wrote it; the key of every answer. */
  key: string;
  /** Absolute. */
  path: string;
  line: number;
  expressions: readonly string[];
  /** Only hits where this is true are recorded, and counted. */
  condition?: string;
}

/** Every line that runs, with the local variables that changed. */
export interface Lines {
  /** Calls of these functions only, by name as the language writes it (`work`, `Cart.total`, `main.work`); none: every function. */
  functions: readonly string[];
  /** Only code in these files or below these folders, absolute. Never libraries. */
  under: readonly string[];
  /**
   * Installed code that is recorded too: folders and files of packages, absolute, or packages' names. Where there is such a list, even
   * an empty one, collectors tell of what else was loaded.
   */
  packages?: readonly string[];
  /** Calls made by such a function that are recorded too: 0 for none. Without `functions` there is no limit. */
  depth: number;
  /** Where the rest of the run is too much: the recorders of Python and Node keep to what is near this place. */
  toward?: Toward;
}

/** A statement, with the variables that were seen there, as texts; a text that was cut ends in `…`. */
export interface Moment {
  path: string;
  first: number;
  last: number;
  values: readonly { name: string; value: string }[];
}

/**
 * A statement that the recording is about. What runs before its function is recorded for so many events or so long, and so is
 * what that function calls before the statement; what runs from the statement on always.
 */
export interface Toward extends Moment {
  /** Lines above the statement that lead to it: what they call is recorded for longer. */
  before: readonly number[];
  events: number;
  /** Of the processor's time. */
  ms: number;
}

/** Every function that runs: how often, called by whom, how long. */
export interface Calls {
  /** As of `Lines`. */
  under: readonly string[];
}

export interface Plan {
  points: readonly Point[];
  lines?: Lines;
  calls?: Calls;
  /** Frames kept of each hit's backtrace, from the innermost. 0: none. */
  frames: number;
  /** Characters kept of a value. */
  valueChars: number;
  /** When so many hits are recorded the newest push out the oldest but the first half; the count goes on. */
  maxHits: number;
  /** The recording ends after so many. */
  hits?: number;
  /** Where sources are that were elsewhere when the program was built; paths of points are of this machine. */
  pathMap?: PathMap;
}

/** What a value is when it cannot be had. */
export const UNAVAILABLE = "<unavailable>";

/** Debuggers have words of their own for that; no value looks like them. */
const UNREAD =
  /^(?:<(?:optimized out|not available|no location|unreadable|read error|variable not available|error[: ][^>]*)>|\(?unreadable\b.*|Summary Unavailable)$/is;

export const readValue = (text: string): string => (UNREAD.test(text.trim()) ? UNAVAILABLE : text);
