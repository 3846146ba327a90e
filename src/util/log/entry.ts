/** An entry of the log, as a line of JSON and as text. */
import { cut, visible } from "../text.ts";

export const LEVELS = ["debug", "info", "warn", "error"] as const;
export type Level = (typeof LEVELS)[number];

export interface Entry {
  /** Missing in what a process printed while it died: such lines are no entries of ours. */
  time?: string;
  level: Level;
  pid?: number;
  /** Which kind of process wrote it: `daemon`, `mcp`, `agent run`. */
  kind: string;
  session?: string;
  message: string;
}

/** What a process of ours did not log but print: a crash of the runtime. */
export const PRINTED = "printed";

export function isLevel(text: unknown): text is Level {
  return LEVELS.some((level) => level === text);
}

export function entryLine(entry: Entry): string {
  const { time, level, pid, kind, session, message } = entry;
  return `${JSON.stringify({ time, level, pid, kind, session, message })}\n`;
}

/** Never fails: what is no entry was printed. */
export function parseEntry(line: string): Entry {
  const found = line.startsWith("{") ? fieldsOf(line) : undefined;
  if (found === undefined) return { level: "error", kind: PRINTED, message: line };
  const { time, level, pid, kind, session, message } = found;
  return {
    ...(typeof time === "string" && { time }),
    level: isLevel(level) ? level : "info",
    ...(Number.isInteger(pid) && { pid: pid as number }),
    kind: typeof kind === "string" ? kind : "",
    ...(typeof session === "string" && { session }),
    message: String(message),
  };
}

function fieldsOf(line: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(line) as Record<string, unknown>;
    return typeof value.message === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Its first line without the message, and what follows: for a terminal and for a model. */
export function entryHead({ time, level, pid, kind, session }: Entry): string {
  const who = [kind, pid, session && `[${session}]`].filter((one) => one !== undefined && one !== "");
  return visible(`${time === undefined ? "" : `${time} `}${level.padEnd(5)} ${who.join(" ")}`)
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t");
}

/** Further lines are indented. */
export function entryText(entry: Entry, longest = Number.POSITIVE_INFINITY): string {
  const message = visible(cut(entry.message, longest)).replaceAll("\n", "\n  ");
  const left = entry.message.length - longest;
  return `${entryHead(entry)}: ${message}${left > 0 ? ` (+${left} characters)` : ""}`;
}
