/** The end of all that the program printed, whoever has looked at it before. */
import { cut } from "../../util/text.ts";
import { countLines, type Output, type OutputEvent } from "./output.ts";
import { type OutputTail, toLines } from "./tail.ts";

const READ_EVENTS = 2000;
const LINE_CHARS = 400;
/** What one answer holds of it, where no session remains to ask for more. */
const KEPT_BYTES = 24 * 1024;

/** As much of the end as an answer may hold: whoever renders it shows the last of these lines and names the rest. */
export function keptOutput(
  output: Output,
  isWanted: (event: OutputEvent) => boolean = () => true,
): OutputTail {
  const { events, dropped } = output.read();
  const { lines, moreLines } = tailOf(events.filter(isWanted), READ_EVENTS, dropped.events);
  let bytes = 0;
  let first = lines.length;
  while (first > 0) {
    bytes += Buffer.byteLength(JSON.stringify(lines[first - 1])) + 1;
    if (bytes > KEPT_BYTES) break;
    first--;
  }
  return { lines: lines.slice(first), moreLines: moreLines + first };
}

/** `dropped` events are not there to be counted in lines; programs mostly print one at a time. */
function tailOf(events: readonly OutputEvent[], maxLines: number, dropped: number): OutputTail {
  const all = toLines(events.slice(-READ_EVENTS));
  const lines = all.slice(-maxLines).map((line) => ({ ...line, text: cut(line.text, LINE_CHARS) }));
  const unread = events.slice(0, -READ_EVENTS).reduce((sum, { text }) => sum + countLines(text), 0);
  return { lines, moreLines: all.length - lines.length + unread + dropped };
}
