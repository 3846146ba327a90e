/**
 * Text of programs and models, made safe to look at: control characters, marks that turn the direction of writing and characters that
 * cannot be seen are shown as what they are, and it is cut to a bound. It is only ever put into text nodes.
 */

/** What of one text is drawn at most; the rest is named, not drawn. */
export const MOST_CHARACTERS = 4000;

const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\u034f|\udb40[\udc00-\udc7f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Tabs and line feeds stay; everything else that cannot be seen is written out. */
export function plain(text: string, most = MOST_CHARACTERS): string {
  const cut = text.length > most ? text.slice(0, most) : text;
  const shown = cut.replace(UNSEEN, (one) => {
    if (one === "\u001b") return "\\e";
    const code = one.charCodeAt(0);
    return code < 256
      ? `\\x${code.toString(16).padStart(2, "0")}`
      : `\\u${code.toString(16).padStart(4, "0")}`;
  });
  return cut === text ? shown : `${shown}… (${count(text.length - most)} more characters)`;
}

/** In one line: line feeds and tabs are written out too. */
export function oneLine(text: string, most = 400): string {
  return plain(text, most).replace(/\n/g, "\\n").replace(/\t/g, "\\t");
}

export function count(number: number): string {
  // The first use of the browser's own takes longer than anything else that opens a view.
  if (Number.isInteger(number)) return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
  return number.toLocaleString("en-US");
}

/** `1 hit`, `2 hits`. */
export function many(number: number, one: string, more = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : more}`;
}

/** The end of a path, as short as one can tell files apart by. */
export function fileName(path: string): string {
  return path.split("/").at(-1) || path;
}

/** Below the folder: relative to it; below home: with a tilde. */
export function shortPath(path: string, cwd = "", home = ""): string {
  if (cwd !== "" && path.startsWith(`${cwd}/`)) return path.slice(cwd.length + 1);
  return home !== "" && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

export function bytes(number: number): string {
  if (number < 1000) return `${number} B`;
  if (number < 1e6) return `${(number / 1000).toFixed(1)} kB`;
  return `${(number / 1e6).toFixed(1)} MB`;
}

/** Of a time span in nanoseconds. */
export function duration(ns: number): string {
  const size = Math.abs(ns);
  if (size >= 1e9) return `${(ns / 1e9).toFixed(2)} s`;
  if (size >= 1e6) return `${(ns / 1e6).toFixed(1)} ms`;
  return `${(ns / 1e3).toFixed(1)} µs`;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** `14:03:22` of today, with the date if it was another day. */
export function clock(time: number | string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "";
  const hours = date.toLocaleTimeString("en-GB");
  return date.toDateString() === new Date().toDateString()
    ? hours
    : `${date.toLocaleDateString("en-CA")} ${hours}`;
}
