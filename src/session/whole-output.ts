/** The end of all that the program printed, whoever has looked at it before. */
import { cut } from "../util/text.ts";
import type { Output, OutputEvent } from "./output.ts";
import { type OutputTail, toLines } from "./output-tail.ts";

const READ_EVENTS = 2000;
const LINE_CHARS = 400;
/** What one answer holds of it, where no session remains to ask for more. */
const KEPT_BYTES = 24 * 1024;

export function wholeTail(output: Output, maxLines: number): OutputTail {
  return tailOf(output.read().events, maxLines);
}

/** As much of the end as an answer may hold: whoever renders it shows the last of these lines and names the rest. */
export function keptOutput(
  output: Output,
  isWanted: (event: OutputEvent) => boolean = () => true,
): OutputTail {
  const { lines, moreLines } = tailOf(output.read().events.filter(isWanted), READ_EVENTS);
  let bytes = 0;
  let first = lines.length;
  while (first > 0) {
    bytes += Buffer.byteLength(lines[first - 1]?.text ?? "") + 1;
    if (bytes > KEPT_BYTES) break;
    first--;
  }
  return { lines: lines.slice(first), moreLines: moreLines + first };
}

function tailOf(events: readonly OutputEvent[], maxLines: number): OutputTail {
  const program = events.filter((event) => event.category !== "important");
  const all = toLines(program.slice(-READ_EVENTS));
  const lines = all.slice(-maxLines).map((line) => ({ ...line, text: cut(line.text, LINE_CHARS) }));
  const unread = program.slice(0, -READ_EVENTS).length;
  return { lines, moreLines: all.length - lines.length + unread };
}

/** What Sonde or the debugger had to say. */
export function warnings(output: Output): string[] {
  const { events } = output.read(0, new Set(["important"]));
  return [...new Set(events.map(({ text }) => text.trim()))];
}
