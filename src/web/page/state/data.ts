/** The parts of commands' answers that the page draws, as `--json` has them. */
import type { PageTold } from "../../protocol.ts";

export interface ValueLine {
  name: string;
  value: string;
  type?: string;
  handle?: string;
  change?: "new" | "changed";
  was?: string;
  scope?: string;
  children?: ValueLine[];
  moreChildren?: number;
}

export interface FrameLine {
  index: number;
  function: string;
  path?: string;
  line: number;
  user: boolean;
  /** It is no frame but a heading between frames. */
  label?: true;
}

export interface SourceLine {
  line: number;
  text: string;
}

export interface OutputLine {
  /** `mark`: between two runs of the program; it printed nothing of that. */
  stream: "stdout" | "stderr" | "log" | "mark";
  text: string;
  from?: string;
  /** Which run of the program printed it, from 2. */
  run?: number;
  /** Its end has not come yet. */
  open?: boolean;
}

export interface Snapshot {
  session: string;
  agent?: string;
  reason: string;
  description?: string;
  breakpoints: { id: number; hit: number; at: string; kind?: "instruction" | "data" }[];
  watches?: { id: number; expression: string; access: string; old?: string; new?: string; gone?: string }[];
  exception?: { type?: string; message: string; uncaught?: boolean; causes: string[] };
  thread: { id: number; name: string };
  stoppedThread?: number;
  frame?: FrameLine;
  above: number;
  instruction?: string;
  source: SourceLine[];
  values: ValueLine[];
  moreValues: number;
  stack: FrameLine[];
  moreFrames: number;
  moreOwnFrames?: number;
  uncounted?: true;
  output: { lines: OutputLine[]; moreLines: number };
  notes: PageTold[];
  unbound: { id: number; at: string; why: PageTold }[];
}

export interface BreakpointRow {
  id: number;
  kind: "line" | "function" | "instruction" | "data";
  at: string;
  path?: string;
  line?: number;
  boundLine?: number;
  state: "bound" | "not bound" | "disabled" | "waiting";
  message?: PageTold;
  hits: number;
  condition?: string;
  hitCondition?: string;
  logMessage?: string;
  once?: boolean;
}

export interface ThreadRow {
  number: number;
  name: string;
  pid?: number;
  state: string;
  current?: boolean;
  path?: string;
  line?: number;
  function?: string;
}

export interface SourceAnswer {
  path: string;
  current?: number;
  lines: SourceLine[];
  total: number;
  note?: string;
}
