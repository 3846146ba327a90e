/** The end of all that the program printed, whoever has looked at it before. */
import { cut } from "../util/text.ts";
import type { Output } from "./output.ts";
import { type OutputTail, toLines } from "./output-tail.ts";

const READ_EVENTS = 2000;
const LINE_CHARS = 400;

export function wholeTail(output: Output, maxLines: number): OutputTail {
  const { events } = output.read();
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
