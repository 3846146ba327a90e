/** The end of what the program printed since a reader last looked. */
import { cut } from "../../util/text.ts";
import type { Output, OutputEvent } from "./output.ts";

export interface OutputLine {
  /** stdout, stderr, or `log` for what a log breakpoint printed. */
  stream: "stdout" | "stderr" | "log";
  text: string;
  /** Which worker or child process printed it, when it is not the main program. */
  from?: string;
  /** Of a piece: which run of the program, from 2 (it was restarted). */
  run?: number;
}

export interface OutputTail {
  lines: OutputLine[];
  moreLines: number;
}

/** More than this is never shown in a snapshot, so more is never split into lines. */
const READ_EVENTS = 500;
const READ_CHARS = 64_000;
/** `sonde output` shows more of a line. */
const LINE_CHARS = 400;

/** Advances the reader's mark, unless it is only looked at. */
export function takeTail(output: Output, maxLines: number, peek = false): OutputTail {
  const { events } = output.read(output.shown);
  const total = output.linesSinceShown + unfinishedIn(events);
  if (!peek) output.markShown();
  const lines = toLines(events.slice(-READ_EVENTS), { chars: READ_CHARS })
    .slice(-maxLines)
    .map((line) => ({ ...line, text: cut(line.text, LINE_CHARS) }));
  return { lines, moreLines: Math.max(0, total - lines.length) };
}

/**
 * A chunk may end in the middle of a line, and one of the other stream come before the rest: each stream's line is joined, and stands
 * where it began.
 */
export function toLines(events: readonly OutputEvent[], last?: { chars: number }): OutputLine[] {
  const lines: OutputLine[] = [];
  const unfinished = new Map<string, OutputLine>();
  for (const event of events) {
    const { from, text } = event;
    const stream = streamOf(event);
    const key = keyOf(event);
    const parts = (last === undefined ? text : text.slice(-last.chars)).split("\n");
    const first = unfinished.get(key);
    if (first) first.text += parts.shift() ?? "";
    const begun = parts.map(
      (part): OutputLine => ({ stream, text: part, ...(from === undefined ? {} : { from }) }),
    );
    if (begun.length > 0) unfinished.delete(key);
    const rest = begun.at(-1);
    if (rest?.text === "") begun.pop();
    else if (rest) unfinished.set(key, rest);
    for (const line of begun) lines.push(line);
  }
  return lines;
}

/** A chunk as it came. */
export function toPiece(event: OutputEvent): OutputLine {
  const { from, run, text } = event;
  const of = { ...(from === undefined ? {} : { from }), ...(run === undefined ? {} : { run }) };
  return { stream: streamOf(event), text, ...of };
}

function streamOf({ category }: OutputEvent): OutputLine["stream"] {
  return category === "stderr" ? "stderr" : category === "console" ? "log" : "stdout";
}

function keyOf(event: OutputEvent): string {
  return `${event.run ?? 1} ${streamOf(event)} ${event.from ?? ""}`;
}

/** Lines that have no line feed yet. */
function unfinishedIn(events: readonly OutputEvent[]): number {
  const ends = new Map(events.map((event) => [keyOf(event), event.text.endsWith("\n")]));
  return [...ends.values()].filter((whole) => !whole).length;
}

/** Of an uncaught error, as runtimes print it: ten frames of theirs below a few of the program's. */
const FRAME = /^\s+at \S|^\s+from \S.*:\d+:in |^\s+\d+: \S|^#\d+ \S/;
/** May stand between the message and the frames. */
const HEADING = /^\s*stack (?:back)?trace:$/i;
/** Places of the runtime's own code in such a frame. */
const INTERNAL = /[( ]node:[\w/]+(?::\d+)*\)?$|\(<anonymous>\)$/;
/** So few lines are shorter than a reader's question after them. */
const FEW = 5;

export interface OutputEnd {
  lines: OutputLine[];
  /** Lines before these. */
  earlier: number;
  /** Lines between these: frames of the runtime and of the debugger, or the outer ones of a long stack. */
  frames: number;
}

/** Where to begin to keep at least the last `most` lines, and no stack without its message. */
export function keptFrom(lines: readonly OutputLine[], most: number): number {
  const first = Math.max(0, lines.length - most);
  return first < lines.length && isFrame(lines[first]) ? messageBefore(lines, first) : first;
}

/** The last lines, without the frames nobody asks for if not all can be shown; of a cut stack its message and its first frames. */
export function outputEnd(
  { lines, moreLines }: OutputTail,
  most: number,
  isOurs: (text: string) => boolean,
): OutputEnd {
  if (moreLines === 0 && lines.length - most <= FEW) return { lines, earlier: 0, frames: 0 };
  const near = lines.filter((line) => !isFrame(line) || !(INTERNAL.test(line.text) || isOurs(line.text)));
  const dropped = lines.length - near.length;
  const first = Math.max(0, near.length - most);
  if (first <= FEW && moreLines === 0) return { lines: near, earlier: 0, frames: dropped };
  if (first === near.length || !isFrame(near[first]))
    return { lines: near.slice(first), earlier: moreLines + first, frames: dropped };
  const message = messageBefore(near, first);
  const inner = near.findIndex((line, at) => at > message && isFrame(line));
  const after = near.findIndex((line, at) => at > inner && !isFrame(line));
  const rest = after < 0 ? [] : near.slice(after);
  const stack = near.slice(inner, near.length - rest.length);
  const head = near.slice(message, inner);
  const shown = stack.slice(0, Math.max(1, most - head.length - rest.length));
  return {
    lines: [...head, ...shown, ...rest],
    earlier: moreLines + message,
    frames: dropped + stack.length - shown.length,
  };
}

function isFrame(line: OutputLine | undefined): boolean {
  return line !== undefined && FRAME.test(line.text);
}

/** The line above the first frame of the stack that this frame is in. */
function messageBefore(lines: readonly OutputLine[], frame: number): number {
  let at = frame;
  while (at > 0 && (isFrame(lines[at]) || HEADING.test(lines[at]?.text ?? ""))) at--;
  return at;
}
