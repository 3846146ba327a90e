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
  return text.split("\n").flatMap((line) => {
    const parts: string[] = [];
    let rest = line;
    while (rest.length > columns) {
      parts.push(rest.slice(0, columns));
      rest = rest.slice(columns);
    }
    return [...parts, rest];
  });
}
