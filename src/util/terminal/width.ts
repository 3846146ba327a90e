/** Text in the width of a terminal. */
import stringWidth from "string-width";

/** At most so wide; a wide character is never halved. */
export function inWidth(text: string, columns: number): string {
  if (text.length <= columns && isPlain(text)) return text;
  if (stringWidth(text) <= columns) return text;
  let used = 0;
  let out = "";
  for (const { segment } of SEGMENTS.segment(text.slice(0, columns * 8))) {
    const width = stringWidth(segment);
    if (used + width > columns - 1) break;
    used += width;
    out += segment;
  }
  return `${out}…`;
}

export function padded(text: string, columns: number): string {
  const short = inWidth(text, columns);
  return short + " ".repeat(Math.max(0, columns - (isPlain(short) ? short.length : stringWidth(short))));
}

const SEGMENTS = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** As many lines as it takes. */
export function wrap(text: string, columns: number): string[] {
  return text
    .split("\n")
    .flatMap((line) => (isPlain(line) ? wrapPlain(line, columns) : wrapWide(line, columns)));
}

function wrapPlain(line: string, columns: number): string[] {
  const parts: string[] = [];
  for (let at = 0; at === 0 || at < line.length; at += columns) parts.push(line.slice(at, at + columns));
  return parts;
}

function wrapWide(line: string, columns: number): string[] {
  const parts: string[] = [];
  let [part, used] = ["", 0];
  for (const { segment } of SEGMENTS.segment(line)) {
    const width = stringWidth(segment);
    if (used + width > columns && part !== "") {
      parts.push(part);
      [part, used] = ["", 0];
    }
    part += segment;
    used += width;
  }
  return [...parts, part];
}
