/** The end of what the program printed since a reader last looked. */
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

/** Advances the reader's mark. Warnings of the debugger itself (`important`) are not the program's and go into `warnings`. */
export function takeTail(output: Output, maxLines: number): { tail: OutputTail; warnings: string[] } {
  const slice = output.read(output.shown);
  output.shown = slice.cursor;
  const warnings = slice.events
    .filter((event) => event.category === "important")
    .map((event) => event.text.trim());
  const program = slice.events.filter((event) => event.category !== "important");
  const total = program.reduce((sum, event) => sum + countLines(event.text), 0);
  const lines = toLines(program.slice(-READ_EVENTS)).slice(-maxLines);
  return { tail: { lines, moreLines: Math.max(0, total + slice.droppedEvents - lines.length) }, warnings };
}

/** Text of one stream is joined before it is split: a chunk may end in the middle of a line. */
export function toLines(events: readonly OutputEvent[]): OutputLine[] {
  const runs: { stream: OutputLine["stream"]; from: string | undefined; text: string }[] = [];
  for (const { category, text, from } of events) {
    const stream = category === "stderr" ? "stderr" : category === "console" ? "log" : "stdout";
    const last = runs.at(-1);
    if (last && last.stream === stream && last.from === from) last.text += text;
    else runs.push({ stream, from, text });
  }
  return runs.flatMap(({ stream, from, text }) => {
    const all = text.slice(-READ_CHARS).split("\n");
    if (all.at(-1) === "") all.pop();
    return all.map((line): OutputLine => ({ stream, text: line, ...(from === undefined ? {} : { from }) }));
  });
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
