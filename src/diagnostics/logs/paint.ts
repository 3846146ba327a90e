/** The log viewer as lines of text. Pure; only what is seen is made into text. */
import { type Entry, entryHead } from "../../util/log/entry.ts";
import { inWidth, padded, wrap } from "../../util/terminal/width.ts";
import { oneLine, plural, visible } from "../../util/text.ts";
import { selection, type View } from "./view.ts";

export interface Size {
  columns: number;
  rows: number;
}

const INVERSE = "\x1b[7m";
const BOLD = "\x1b[1m";
const DIM = "\x1b[2m";
const RESET = "\x1b[0m";
const COLOURS: Partial<Record<Entry["level"], string>> = { error: "\x1b[31m", warn: "\x1b[33m", debug: DIM };

const KEYS =
  "? keys · q leave · ↑↓ move · o older · v select · y copy · / text · l level · p process · f follow";

/** How many lines the entries have. */
export function bodyRows({ rows }: Size): number {
  return Math.max(1, rows - 3);
}

export function paint(view: View, size: Size): string[] {
  const room = bodyRows(size);
  const body = view.panel ? panelLines(view.panel, size.columns, room) : entryLines(view, size.columns, room);
  return [
    `${INVERSE}${padded(` ${headLine(view)}`, size.columns)}${RESET}`,
    ...body,
    ...Array<string>(room - body.length).fill(""),
    inWidth(oneLine(view.message), size.columns),
    footLine(view, size.columns),
  ];
}

export function headLine({ entries, older, mark, news, filter, anchor, dropped }: View): string {
  const { level, pid, grep, session } = filter;
  const range = anchor === undefined || mark === undefined ? undefined : Math.abs(mark - anchor) + 1;
  return [
    "sonde logs",
    `${entries.length}${older === undefined && dropped === 0 ? "" : "+"} entries`,
    mark === undefined ? "following" : `not following${news > 0 ? `, ${news} new` : ""} (f follows)`,
    range !== undefined && `${range} selected`,
    level !== undefined && `level ${level}`,
    pid !== undefined && `pid ${pid}`,
    session !== undefined && `session ${oneLine(session)}`,
    grep !== undefined && `with "${oneLine(grep)}"`,
  ]
    .filter((one) => one !== false)
    .join(" · ");
}

function entryLines(view: View, columns: number, room: number): string[] {
  const { entries, mark } = view;
  const last = entries.length - 1;
  const end = mark === undefined ? last : Math.min(last, Math.max(room - 1, mark + Math.floor(room / 2)));
  const from = Math.max(0, end - room + 1);
  const range = view.anchor === undefined ? undefined : selection(view);
  return entries.slice(from, end + 1).map((entry, at) => {
    const index = from + at;
    const isChosen = range !== undefined && index >= range.first && index <= range.last;
    const sign = index === mark ? ">" : isChosen ? "*" : " ";
    const line = inWidth(`${sign}${lineOf(entry, columns)}`, columns);
    if (index === mark || isChosen) return `${INVERSE}${padded(line, columns)}${RESET}`;
    const colour = COLOURS[entry.level];
    return colour === undefined ? line : `${colour}${line}${RESET}`;
  });
}

/** Without the year, in one line: what is longer is to be opened. */
export function lineOf(entry: Entry, columns: number): string {
  const { time, message } = entry;
  const head = entryHead(
    time === undefined ? entry : { ...entry, time: `${time.slice(5, 10)} ${time.slice(11, 23)}` },
  );
  const newline = message.indexOf("\n");
  const first = newline === -1 ? message : message.slice(0, newline);
  const more = newline === -1 ? "" : " ⏎";
  // No more than can be seen is looked at.
  return `${head}: ${oneLine(first.slice(0, columns * 2))}${more}`;
}

function panelLines(
  { title, text, top }: NonNullable<View["panel"]>,
  columns: number,
  room: number,
): string[] {
  const lines = wrap(visible(text).replaceAll("\t", "  "), columns);
  const under = Math.max(1, room - 1);
  const from = Math.min(top, Math.max(0, lines.length - under));
  const left = lines.length - from - under;
  const more = left > 0 ? `${plural(left, "line")} below (↓) · ` : "";
  return [
    `${BOLD}${inWidth(`${more}q closes, y copies · ${oneLine(title)}`, columns)}${RESET}`,
    ...lines.slice(from, from + under).map((one) => inWidth(one, columns)),
  ];
}

function footLine({ typing }: View, columns: number): string {
  if (!typing) return `${DIM}${inWidth(KEYS, columns)}${RESET}`;
  const from = Math.max(0, typing.at - columns + 3);
  const shown = `${typing.text} `.slice(from, from + columns - 2);
  const at = typing.at - from;
  return `/${oneLine(shown.slice(0, at))}${INVERSE}${oneLine(shown.slice(at, at + 1)) || " "}${RESET}${oneLine(shown.slice(at + 1))}`;
}
