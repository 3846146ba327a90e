/** Making strangers' text safe and short. */

const ESCAPES: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\u001b": "\\e" };

/** Control characters, bidi marks, invisible separators and lone surrogates: shown as escapes, never sent to a terminal or a model as they are. */
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Most text: nothing in it is unsafe, and that is found out in half the time. */
const PLAIN = /^[ -~]*$/;

function escapeOne(char: string): string {
  const known = ESCAPES[char];
  if (known !== undefined) return known;
  const code = char.charCodeAt(0);
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, "0")}`
    : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** One line of visible text. */
export function oneLine(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNSAFE, escapeOne);
}

/** Visible text that keeps its line breaks and tabs; used for source and program output. */
export function visible(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(/\r\n/g, "\n")
    .replace(UNSAFE, (char) => (char === "\n" || char === "\t" ? char : escapeOne(char)));
}

/** At most `max` characters, with an ellipsis when cut; never splits a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = Math.max(0, max - 1);
  const code = text.charCodeAt(end - 1);
  if (code >= 0xd800 && code <= 0xdbff) end -= 1;
  return `${text.slice(0, end)}…`;
}

/** At most `maxBytes` of UTF-8, whole lines where possible; says how much was left out. */
export function cutBytes(text: string, maxBytes: number, more: string): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const room = Math.max(0, maxBytes - Buffer.byteLength(more) - 1);
  const head = Buffer.from(text)
    .subarray(0, room)
    .toString("utf8")
    .replace(/\ufffd+$/, "");
  const lineEnd = head.lastIndexOf("\n");
  return `${lineEnd > room / 2 ? head.slice(0, lineEnd) : head}\n${more}`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** For a regular expression that means just this text. */
export function regExpText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** "1.5 MB"; whole numbers up to a kilobyte. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return plural(bytes, "byte");
  const units = ["kB", "MB", "GB", "TB"];
  let size = bytes / 1000;
  let unit = 0;
  while (size >= 999.95 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}
