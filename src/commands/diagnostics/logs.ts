/** logs: what Sonde's own processes have to tell a maintainer. */
import * as z from "zod";
import { advice, call, named, type Told } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { type Entry, entryText, LEVELS } from "../../util/log/entry.ts";
import { followLog } from "../../util/log/follow.ts";
import {
  type LogFilter,
  type LogPage,
  MOST_LINES,
  matcher,
  PAGE_ENTRIES,
  parseCursor,
  readLog,
} from "../../util/log/reader.ts";
import { parseSince } from "../../util/log/since.ts";
import { cut, plural } from "../../util/text.ts";
import { told } from "../answers/shapes.ts";
import { lines } from "../answers/text.ts";
import type { Context } from "../context.ts";
import { command } from "../define.ts";
import { olderProtocol, protocolLines, protocolShape, readProtocol } from "./protocol.ts";

/** Of all messages of an answer, and of one of them unless all of it is asked for. */
const MOST_CHARS = 40_000;
const LONGEST_MESSAGE = 4_000;

export const logArguments = z.object({
  tail: z.number().int().positive().max(MOST_LINES).default(PAGE_ENTRIES).describe("how many entries").meta({
    mcp: "count",
  }),
  before: z.string().optional().describe("only entries older than this cursor, which an earlier answer gave"),
  level: z.enum(LEVELS).optional().describe("this level and above"),
  pid: z.number().int().positive().optional().describe("only of this process"),
  grep: z.string().optional().describe("only entries that contain this text (case is ignored)"),
  since: z
    .string()
    .optional()
    .describe("only entries since then: 10m, 2h, 3d, or a time as 2026-11-17T09:30Z"),
  follow: z.boolean().optional().describe("keep printing new entries until you interrupt it"),
  protocol: z
    .boolean()
    .optional()
    .describe("the messages between Sonde and the session's debug adapter instead"),
  full: z.boolean().optional().describe("show messages in full, however long"),
  plain: z.boolean().optional().describe("in a terminal: lines and typed commands instead of a full screen"),
});

const entry = z.object({
  time: z.string().exactOptional(),
  level: z.enum(LEVELS),
  pid: z.number().exactOptional(),
  kind: z.string().describe("of the process: daemon, mcp, agent run; printed: what one printed when it died"),
  session: z.string().exactOptional(),
  message: z.string(),
});

export const logs = command({
  name: "logs",
  summary: "show what Sonde's own processes logged, the newest last",
  group: "diagnostics",
  needs: "nothing",
  effect: "reads",
  interactive: true,
  args: logArguments,
  result: z.object({
    entries: z.array(entry),
    protocol: protocolShape.exactOptional(),
    cursor: z.string().exactOptional().describe("of what is older, if there is more"),
    tooLong: z.number().describe("lines that were too long to be read"),
    followed: z.number().exactOptional().describe("entries that came while it was followed"),
    nothing: z.string().exactOptional(),
    next: z.array(told()),
  }),
  mcp: {
    tool: "diagnose",
    action: "logs",
    takes: ["protocol", "tail", "before", "level", "pid", "grep", "since", "full"],
    ofSession: true,
    brief: "what Sonde's own processes logged.",
  },
  examples: [
    "sonde logs",
    "sonde logs --level warn --since 2h",
    "sonde logs --follow",
    "sonde logs --protocol --tail 10",
  ],
  run: async (context, given) => {
    const filter = filterOf(given, context.agents.named);
    if (given.protocol) return protocolOf(context, given, filter);
    if (given.follow) return follow(context, given.tail, filter);
    const page = readLog(context.places.logs, {
      ...filter,
      before: checkedCursor(given.before),
      most: given.tail,
      mostChars: MOST_CHARS,
    });
    const { entries, older, tooLong } = page;
    return {
      entries: entries.map((one) => (given.full ? one : shortened(one))),
      ...(older !== undefined && { cursor: older }),
      tooLong,
      ...(entries.length === 0 && { nothing: whyNothing(page, given) }),
      next: older === undefined ? [] : [olderAdvice(older, given, page)],
    };
  },
  text: ({ entries, protocol, tooLong, followed, nothing, next }, { say }) =>
    lines(
      protocol && protocolLines(protocol),
      entries.map((one) => entryText(one)),
      tooLong > 0 && `(${plural(tooLong, "line")} too long to be read)`,
      followed !== undefined && `(${plural(followed, "entry", "entries")} while following)`,
      nothing,
      next.map((one) => say(one)),
    ),
});

type Given = z.infer<typeof logArguments>;

function protocolOf(context: Context, given: Given, { since }: LogFilter) {
  for (const key of ["follow", "level", "pid"] as const)
    if (given[key] !== undefined)
      throw new SondeError("BAD_ARGUMENT", advice`${named(key)} cannot be used for protocol messages`);
  const wanted = { ...given, since };
  const { protocol, cursor } = readProtocol(context.session, wanted);
  return {
    entries: [],
    protocol,
    ...(cursor !== undefined && { cursor }),
    tooLong: 0,
    next: cursor === undefined ? [] : [olderProtocol(cursor, wanted, protocol.session)],
  };
}

/** Also for the viewer, which is given the same words. */
export function filterOf(
  { level, pid, grep, since }: Pick<Given, "level" | "pid" | "grep" | "since">,
  session: string | undefined,
): LogFilter {
  return { level, pid, grep, session, since: since === undefined ? undefined : timeOf(since) };
}

function timeOf(since: string): number {
  const time = parseSince(since);
  if (time !== undefined) return time;
  throw new SondeError("BAD_ARGUMENT", advice`${named("since")}: \`${cut(since, 60)}\` is not a time`, {
    hint: "10m, 2h, 3d, or a time as 2026-11-17T09:30Z",
  });
}

function checkedCursor(before: string | undefined): string | undefined {
  if (before === undefined || parseCursor(before)) return before;
  throw new SondeError("BAD_ARGUMENT", advice`${named("before")}: \`${cut(before, 60)}\` is not a cursor`, {
    hint: advice`${call("logs")} gives one where there is more`,
  });
}

function shortened(one: Entry): Entry {
  const { length } = one.message;
  if (length <= LONGEST_MESSAGE) return one;
  return { ...one, message: `${cut(one.message, LONGEST_MESSAGE)} (${length} characters)` };
}

function whyNothing({ older, lines: read }: LogPage, { before }: Given): string {
  if (older !== undefined) return `none of the last ${plural(read, "line")} matches`;
  if (read > 0) return "no entry matches";
  return before === undefined ? "the log is empty" : "there is nothing older";
}

function olderAdvice(
  cursor: string,
  { tail, level, pid, grep, since }: Given,
  { lines: read }: LogPage,
): Told {
  const again = {
    before: cursor,
    ...(tail !== PAGE_ENTRIES && { tail }),
    ...(level !== undefined && { level }),
    ...(pid !== undefined && { pid }),
    ...(grep !== undefined && { grep }),
    ...(since !== undefined && { since }),
  };
  const far = read >= MOST_LINES ? ` (${plural(read, "line")} were read)` : "";
  return advice`older${far}: ${call("logs", again)}`;
}

async function follow(context: Context, tail: number, filter: LogFilter) {
  const isWanted = matcher(filter);
  const write = (entries: readonly Entry[]) => {
    const shown = entries.map((one) => (context.quiet ? JSON.stringify(one) : entryText(one)));
    return shown.length === 0 ? undefined : context.write(`${shown.join("\n")}\n`);
  };
  const following = followLog(context.places.logs, context.signal);
  await write(readLog(context.places.logs, { ...filter, most: tail, ends: following.ends }).entries);
  let followed = 0;
  for await (const entries of following.entries()) {
    const wanted = entries.filter(isWanted);
    followed += wanted.length;
    await write(wanted);
  }
  return { entries: [], tooLong: 0, followed, next: [] };
}
