/** The view as lines of text. Pure. */
import { inWidth, padded, wrap } from "../../util/terminal/width.ts";
import { oneLine, plural, visible } from "../../util/text.ts";
import type { Stop } from "../core/model.ts";
import { eventLine } from "../explain/event-line.ts";
import { shownEvents, type ViewState } from "./state.ts";

interface Size {
  columns: number;
  rows: number;
}

const INVERSE = "\x1b[7m";
const BOLD = "\x1b[1m";
const DIM = "\x1b[2m";
const RESET = "\x1b[0m";

export function paint(state: ViewState, { columns, rows }: Size, now: number): string[] {
  const head = headLine(state, columns);
  const held = state.stops
    .flatMap((stop) => stopLines(stop, columns, now))
    .slice(0, Math.max(3, Math.floor(rows / 2)));
  const foot = footLines(state, columns);
  const room = Math.max(1, rows - 1 - held.length - foot.length);
  const body = state.panel
    ? panelLines(state.panel, { columns, rows: room })
    : eventLines(state, { columns, rows: room });
  return [head, ...body, ...Array<string>(Math.max(0, room - body.length)).fill(""), ...held, ...foot];
}

export function standing({ ended, stops, pausing }: ViewState): string {
  if (ended) return "ended";
  if (stops.length > 0) return `${plural(stops.length, "call")} held`;
  return pausing ? "pauses before the next model call" : "running";
}

function headLine(state: ViewState, columns: number): string {
  const following = state.marked === undefined ? "" : " · not following (G follows)";
  const filter = state.filter === "" ? "" : ` · only with "${oneLine(state.filter)}"`;
  return `${INVERSE}${padded(` ${oneLine(state.title)} · ${standing(state)}${following}${filter}`, columns)}${RESET}`;
}

function eventLines(state: ViewState, { columns, rows }: Size): string[] {
  const shown = shownEvents(state);
  if (shown.length === 0) return [`${DIM}${inWidth("no events yet", columns)}${RESET}`];
  const at =
    state.marked === undefined
      ? shown.length - 1
      : shown.findIndex(({ index }) => index >= (state.marked ?? 0));
  const marked = at === -1 ? shown.length - 1 : at;
  const end = Math.min(
    shown.length,
    state.marked === undefined ? shown.length : Math.max(rows, marked + Math.ceil(rows / 2)),
  );
  return shown.slice(Math.max(0, end - rows), end).map(({ event, index }) => {
    const line = inWidth(eventLine(event), columns);
    return index === state.marked ? `${INVERSE}${padded(line, columns)}${RESET}` : line;
  });
}

const MOST_INPUT_LINES = 6;

/** A stop as a bar that stays: why, for how long, what can be done. */
function stopLines(stop: Stop, columns: number, now: number): string[] {
  const seconds = Math.max(0, Math.round((now - Date.parse(stop.since)) / 1000));
  const what = stop.tool ? `before tool ${stop.tool.name}` : "before a model call";
  const agent = stop.agent.id === "main" ? "" : ` · agent ${stop.agent.id}`;
  const gone = stop.orphaned ? " · its client gave up; the retry will be held" : "";
  const head = `HELD ${stop.id} ${what} · ${stop.why}${agent} · ${seconds} s${deadlineText(stop, now)}${gone}`;
  const input = stop.tool ? inputLines(stop.tool, columns) : [];
  const keys = stop.tool
    ? "a let go · e edit · c cancel · s step"
    : "a let go · s step · i inject · m messages";
  return [
    `${BOLD}${inWidth(oneLine(head), columns)}${RESET}`,
    ...input,
    `${DIM}${inWidth(`  ${keys}`, columns)}${RESET}`,
  ];
}

function deadlineText({ deadline }: Stop, now: number): string {
  if (!deadline) return "";
  const left = Math.max(0, Math.round((Date.parse(deadline.at) - now) / 1000));
  return ` · ${deadline.outcome === "release" ? "goes on" : "fails"} in ${left} s`;
}

function inputLines({ input, exact }: NonNullable<Stop["tool"]>, columns: number): string[] {
  const fields =
    exact === undefined && typeof input === "object" && input !== null && !Array.isArray(input)
      ? Object.entries(input).map(
          ([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
        )
      : [exact ?? JSON.stringify(input) ?? ""];
  const lines = fields.flatMap((field) => visible(field).split("\n"));
  const more = lines.length - MOST_INPUT_LINES;
  const kept =
    more > 0
      ? [...lines.slice(0, MOST_INPUT_LINES - 1), `(+${plural(more + 1, "line")}: Enter on the event)`]
      : lines;
  return kept.map((line) => inWidth(`  ${line.replaceAll("\t", "  ")}`, columns));
}

function panelLines(
  { title, text, top }: NonNullable<ViewState["panel"]>,
  { columns, rows }: Size,
): string[] {
  const lines = wrap(visible(text).replaceAll("\t", "  "), columns);
  const room = Math.max(1, rows - 1);
  const from = Math.min(top, Math.max(0, lines.length - room));
  const left = lines.length - from - room;
  const more = left > 0 ? ` · ${plural(left, "line")} below (↓)` : "";
  return [
    `${BOLD}${inWidth(`${oneLine(title)} · q closes${more}`, columns)}${RESET}`,
    ...lines.slice(from, from + room).map((one) => inWidth(one, columns)),
  ];
}

function footLines(state: ViewState, columns: number): string[] {
  const { typing } = state;
  const message = state.message === "" ? [] : [inWidth(oneLine(state.message), columns)];
  if (!typing)
    return [
      ...message,
      `${DIM}${inWidth("p pause · a let go · s step · b break · i inject · : command · ? keys · q leave", columns)}${RESET}`,
    ];
  const sign = typing.purpose === "filter" ? "/" : "sonde agent ";
  const from = Math.max(0, sign.length + typing.at - columns + 2);
  const text = `${sign}${typing.text} `;
  const at = sign.length + typing.at - from;
  const shown = text.slice(from, from + columns - 1);
  return [
    ...message,
    `${oneLine(shown.slice(0, at))}${INVERSE}${shown.slice(at, at + 1) || " "}${RESET}${oneLine(shown.slice(at + 1))}`,
  ];
}
