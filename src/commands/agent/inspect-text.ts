/** What `agent inspect` shows, as text. Pure; takes any object, because agents of other makes answer too. */
import { advice, WHOLE } from "../../advice/advice.ts";
import { cut, oneLine, visible } from "../../util/text.ts";
import { lines, type TextOptions } from "../answers/text.ts";
import { heldStop } from "./shapes.ts";
import { stateText } from "./stop-text.ts";

type Fields = Readonly<Record<string, unknown>>;

const MOST_LINES = 60;
const LONGEST_LINE = 400;

export function inspectionText(data: Fields, options: TextOptions): string {
  return lines(
    head(data),
    ...Object.entries(PARTS).map(([key, part]) => (data[key] === undefined ? [] : part(data[key], options))),
    stops(data, options),
    files(data.workingSet),
  );
}

function head(data: Fields): string {
  const { agent, turn, iteration, totalIterations, req, paused, provider } = data;
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
    `session ${String(data.session)}`,
  ];
  return oneLine(parts.flatMap((one) => one ?? []).join(" · "));
}

const PARTS: Record<string, (value: unknown, options: TextOptions) => string[]> = {
  messages,
  context: (value) => ["context", ...pairs(record(value))],
  tools: (value) => {
    const { enabled, count } = record(value);
    const names = Array.isArray(enabled) ? enabled.map(String) : [];
    return [`tools (${String(count ?? names.length)}): ${cut(oneLine(names.join(", ")), 2000)}`];
  },
  system: (value, options) => ["system prompt", ...fencedText(String(value), options)],
  request: (value, options) => [
    "request",
    ...fencedText(typeof value === "string" ? value : (JSON.stringify(value, null, 1) ?? ""), options),
  ],
  diff: difference,
};

function messages(value: unknown): string[] {
  const { count, roles, recent } = record(value);
  const by = Object.entries(record(roles)).map(([role, number]) => `${String(number)} ${role}`);
  const last = Array.isArray(recent) ? recent.map(record) : [];
  return [
    oneLine(
      `messages: ${String(count ?? "?")}${by.length > 0 ? ` (${by.join(", ")})` : ""}; the last of them:`,
    ),
    ...last.map(messageLine),
  ];
}

function messageLine({ role, preview }: Fields): string {
  return `  | ${oneLine(String(role))}: ${cut(oneLine(String(preview)), LONGEST_LINE)}`;
}

function difference(value: unknown): string[] {
  if (value === null) return ["diff: there was no request before"];
  const { sameMessages, removed, added, systemChanged, toolsAdded, toolsRemoved, params } = record(value);
  const listed = (title: string, from: unknown) =>
    Array.isArray(from) && from.length > 0 ? [title, ...from.map((one) => messageLine(record(one)))] : [];
  const names = (title: string, from: unknown) =>
    Array.isArray(from) && from.length > 0 ? [oneLine(`${title}: ${from.join(", ")}`)] : [];
  return [
    `diff to the request before: the first ${String(sameMessages)} messages are the same`,
    ...listed("no longer there", removed),
    ...listed("new", added),
    ...(systemChanged === true ? ["the system prompt is another"] : []),
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

function pairs(from: Fields): string[] {
  return Object.entries(from).map(
    ([key, value]) =>
      `  ${oneLine(key)}: ${cut(oneLine(typeof value === "string" ? value : (JSON.stringify(value) ?? "")), LONGEST_LINE)}`,
  );
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
