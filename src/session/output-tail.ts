/** The end of what the program printed since a reader last looked. */
import { cut } from "../util/text.ts";
import type { Output, OutputEvent } from "./output.ts";

export interface OutputLine {
  /** stdout, stderr, or `log` for what a log breakpoint printed. */
  stream: "stdout" | "stderr" | "log";
  text: string;
  /** Which worker or child process printed it, when it is not the main program. */
  from?: string;
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

/** Advances the reader's mark. Warnings of the debugger itself (`important`) are not the program's and go into `warnings`. */
export function takeTail(output: Output, maxLines: number): { tail: OutputTail; warnings: string[] } {
  const { events } = output.read(output.shown);
  const unfinished = events.length > 0 && !events.at(-1)?.text.endsWith("\n") ? 1 : 0;
  const total = output.linesSinceShown + unfinished;
  output.markShown();
  const warnings = events.filter((event) => event.category === "important").map((event) => event.text.trim());
  const program = events.filter((event) => event.category !== "important");
  const lines = toLines(program.slice(-READ_EVENTS), { chars: READ_CHARS })
    .slice(-maxLines)
    .map((line) => ({ ...line, text: cut(line.text, LINE_CHARS) }));
  return { tail: { lines, moreLines: Math.max(0, total - warnings.length - lines.length) }, warnings };
}

/** Text of one stream is joined before it is split: a chunk may end in the middle of a line. */
export function toLines(events: readonly OutputEvent[], last?: { chars: number }): OutputLine[] {
  const runs: { stream: OutputLine["stream"]; from: string | undefined; text: string }[] = [];
  for (const { category, text, from } of events) {
    const stream = category === "stderr" ? "stderr" : category === "console" ? "log" : "stdout";
    const previous = runs.at(-1);
    if (previous && previous.stream === stream && previous.from === from) previous.text += text;
    else runs.push({ stream, from, text });
  }
  return runs.flatMap(({ stream, from, text }) => {
    const all = (last === undefined ? text : text.slice(-last.chars)).split("\n");
    if (all.at(-1) === "") all.pop();
    return all.map((line): OutputLine => ({ stream, text: line, ...(from === undefined ? {} : { from }) }));
  });
}
