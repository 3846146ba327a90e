/** What `agent inspect` shows, as text. Pure; takes any object, because agents of other makes answer too. */
import { isDeepStrictEqual } from "node:util";
import { advice, type Told, WHOLE } from "../../advice/advice.ts";
import { size } from "../../agent/explain/fields.ts";
import { cut, oneLine, plural, visible } from "../../util/text.ts";
import { lines, type TextOptions } from "../answers/text.ts";
import { contextRows } from "./context-text.ts";
import { changes, heldStop } from "./shapes.ts";
import { changesLines, nextLine, stateText } from "./stop-text.ts";

type Fields = Readonly<Record<string, unknown>>;

const MOST_LINES = 60;
const LONGEST_LINE = 400;

export function inspectionText(data: Fields, options: TextOptions): string {
  return lines(
    head(data),
    changesLines(changes.safeParse(data.changes).data),
    data.held === true && data.own !== undefined && "this is how it will be sent",
    data.edited === true && "this request was changed before it was sent; this is what was sent",
    data.file !== undefined &&
      oneLine(`wrote ${size(Number(data.bytes ?? 0))} bytes to ${String(data.file)}`),
    ...Object.entries(PARTS).map(([key, part]) => (data[key] === undefined ? [] : part(data[key], options))),
    data.own !== undefined && data.file === undefined && ownLine(record(data.request), record(data.own)),
    stops(data, options),
    files(data.workingSet),
    nextLine(Array.isArray(data.next) ? (data.next as Told[]) : [], options),
  );
}

function head(data: Fields): string {
  const { agent, turn, iteration, totalIterations, req, paused, provider, recorded } = data;
  const { name, model } = record(provider);
  const parts = [
    agent === undefined ? undefined : `agent ${String(agent)}`,
    turn === undefined ? undefined : `turn ${String(turn)}`,
    iteration === undefined
      ? undefined
      : `iteration ${String(iteration)}${totalIterations === undefined ? "" : ` (${String(totalIterations)} in all)`}`,
    req === undefined ? undefined : `call ${String(req)}`,
    [name, model].filter(Boolean).join("/") || undefined,
    paused === undefined ? undefined : paused === true ? "paused" : "running",
    recorded === true ? "from the recording" : undefined,
    `session ${String(data.session)}`,
  ];
  return oneLine(parts.flatMap((one) => one ?? []).join(" · "));
}

const PARTS: Record<string, (value: unknown, options: TextOptions) => string[]> = {
  messages,
  context: (value) => ["context", ...contextRows(record(value))],
  tools: (value) => {
    const { enabled, count } = record(value);
    const names = Array.isArray(enabled) ? enabled.map(String) : [];
    return [`tools (${String(count ?? names.length)}): ${cut(oneLine(names.join(", ")), 2000)}`];
  },
  system: (value, options) => ["system prompt", ...fencedText(String(value), options)],
  exact: () => ["it has numbers that are not shown to the last digit here; written to a file they are"],
  request: (value) => (value === null ? ["request: none yet"] : ["request", ...requestLines(value)]),
  diff: difference,
};

function messages(value: unknown): string[] {
  const { count, roles, recent, whole } = record(value);
  const by = Object.entries(record(roles)).map(([role, number]) => `${String(number)} ${role}`);
  const last = Array.isArray(recent) ? recent.map(record) : [];
  const shown = last.length === count ? "" : "; the last of them";
  return [
    oneLine(`messages: ${String(count ?? "?")}${by.length > 0 ? ` (${by.join(", ")})` : ""}${shown}:`),
    ...(whole === true ? last.flatMap(wholeMessage) : last.map(messageLine)),
  ];
}

function messageLine({ role, preview }: Fields): string {
  return `  | ${oneLine(String(role))}: ${cut(oneLine(String(preview)), LONGEST_LINE)}`;
}

function wholeMessage({ role, preview }: Fields): string[] {
  return [
    `  ${oneLine(String(role))}`,
    ...visible(String(preview))
      .split("\n")
      .map((line) => `  | ${line}`),
  ];
}

function difference(value: unknown): string[] {
  if (value === null) return ["diff: there is no earlier request"];
  const { sameMessages, removed, added, systemChanged, toolsAdded, toolsRemoved, params } = record(value);
  const listed = (title: string, from: unknown) =>
    Array.isArray(from) && from.length > 0 ? [title, ...from.map((one) => messageLine(record(one)))] : [];
  const names = (title: string, from: unknown) =>
    Array.isArray(from) && from.length > 0 ? [oneLine(`${title}: ${from.join(", ")}`)] : [];
  return [
    `compared with the previous request: the first ${plural(Number(sameMessages), "message is", "messages are")} the same`,
    ...listed("no longer there", removed),
    ...listed("new", added),
    ...(systemChanged === true ? ["the system prompt is different"] : []),
    ...names("tools added", toolsAdded),
    ...names("tools removed", toolsRemoved),
    ...Object.entries(record(params)).map(([key, change]) => {
      const { before, after } = record(change);
      return cut(oneLine(`${key}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`), LONGEST_LINE);
    }),
  ];
}

function stops(data: Fields, options: TextOptions): string[] {
  const held = Array.isArray(data.stops)
    ? data.stops.flatMap((one) => heldStop.safeParse(one).data ?? [])
    : [];
  if (held.length === 0) return [];
  return stateText({ session: String(data.session), state: "held", held }, options);
}

function files(value: unknown): string[] {
  if (!Array.isArray(value) || value.length === 0) return [];
  return [cut(oneLine(`files it has touched: ${value.join(", ")}`), 1000)];
}

/** A body that is too long is shown by its values, and its conversation from the end: what is new stands there. */
function requestLines(value: unknown): string[] {
  const all = (typeof value === "string" ? value : (JSON.stringify(value, null, 1) ?? "")).split("\n");
  if (all.length <= MOST_LINES) return all.map(barred);
  if (typeof value !== "object" || value === null)
    return [`  (${all.length - MOST_LINES} lines before these)`, ...all.slice(-MOST_LINES).map(barred)];
  const entries = Object.entries(value);
  const newest = ["messages", "input"].find((key) => Array.isArray((value as Fields)[key]));
  const short = entries
    .filter(([key]) => key !== newest)
    .map(([key, one]) => barred(`${key}: ${brief(one)}`));
  if (newest === undefined) return short;
  const list = (value as Fields)[newest] as unknown[];
  const end = list.slice(-LAST_SHOWN).flatMap((one) => (JSON.stringify(one, null, 1) ?? "").split("\n"));
  const room = Math.max(20, MOST_LINES - short.length);
  const left = end.length - room;
  return [
    ...short,
    `  ${newest} (${size(list.length)}), the end:`,
    ...(left > 0 ? [`  (${plural(left, "line")} before these)`] : []),
    ...end.slice(-room).map(barred),
  ];
}

/** `the agent itself wrote: max_tokens = 100; messages (1, not 2)`: only what differs. */
function ownLine(sent: Fields, own: Fields): string {
  const keys = [...new Set([...Object.keys(own), ...Object.keys(sent)])];
  const differing = keys.filter((key) => !isDeepStrictEqual(own[key], sent[key]));
  const said = differing.map((key) => {
    const [a, b] = [own[key], sent[key]];
    if (Array.isArray(a) && Array.isArray(b))
      return `${key} (${size(a.length)}${a.length === b.length ? ", another text" : `, not ${size(b.length)}`})`;
    return a === undefined ? `no ${key}` : `${key} = ${brief(a)}`;
  });
  return cut(
    oneLine(`the agent itself wrote: ${said.join("; ") || "the same in other words"}`),
    LONGEST_LINE,
  );
}

const LAST_SHOWN = 2;

function brief(value: unknown): string {
  const json = JSON.stringify(value) ?? "";
  if (json.length <= 160) return json;
  return Array.isArray(value)
    ? `${plural(value.length, "entry", "entries")}, ${size(json.length)} characters`
    : `${json.slice(0, 100)} … (${size(json.length)} characters)`;
}

function barred(line: string): string {
  return `  | ${cut(visible(line), LONGEST_LINE)}`;
}

/** The agent's words behind bars, the first of them. */
function fencedText(text: string, { say }: TextOptions): string[] {
  const all = visible(text).split("\n");
  const left = all.length - MOST_LINES;
  return [
    ...all.slice(0, MOST_LINES).map((line) => `  | ${cut(line, LONGEST_LINE)}`),
    ...(left > 0 ? [`  (${left} more lines: ${say(advice`${WHOLE}`)})`] : []),
  ];
}

function record(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
