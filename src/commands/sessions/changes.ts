/** changes: what is different since, for those who look on. */
import * as z from "zod";
import { plural } from "../../util/text.ts";
import { lines } from "../answers/text.ts";
import type { Change, Context } from "../context.ts";
import { command } from "../define.ts";

const kinds = z.enum([
  "added",
  "removed",
  "running",
  "stopped",
  "ended",
  "breakpoints",
  "output",
  "notes",
  "owner",
  "transcript",
]);

const change = z.object({
  seq: z.number(),
  at: z.number().describe("milliseconds since 1970"),
  kind: kinds,
  session: z.string(),
  cursor: z.number().exactOptional().describe("of its output"),
});

export const changes = command({
  name: "changes",
  summary:
    "list what changed in sessions since a given change (--since <number>); with --follow, print each new change as a line of JSON",
  group: "session",
  needs: "nothing",
  effect: "reads",
  args: z.object({
    since: z
      .number()
      .int()
      .nonnegative()
      .optional()
      .describe("only changes after this number; every answer ends with the current one"),
    follow: z
      .boolean()
      .optional()
      .describe("keep printing until you interrupt it; the first line has the current number"),
    kind: z.array(kinds).optional().describe("only these"),
  }),
  result: z.object({
    seq: z.number().describe("what --since takes next time"),
    lost: z.boolean().describe("some changes were lost: read everything again"),
    changes: z.array(change),
  }),
  examples: ["sonde changes --since 12", "sonde changes --follow"],
  run: async (context, { since, follow, kind }) => {
    const { feed } = context;
    const isWanted = (one: Change) => kind?.includes(one.kind) ?? true;
    const { lost, changes: all } = since === undefined ? NONE : feed.since(since);
    const known = { seq: feed.seq, lost, changes: all.filter(isWanted) };
    if (!follow) return known;
    await followed(context, known, isWanted);
    return { seq: feed.seq, lost: false, changes: [] };
  },
  text: ({ seq, lost, changes: all }) =>
    lines(
      lost && "some changes were lost",
      all.map(
        ({ seq: number, at, kind, session }) =>
          `${number}  ${new Date(at).toTimeString().slice(0, 8)}  ${session}  ${kind}`,
      ),
      `${all.length === 0 ? "" : `${plural(all.length, "change")}  · `}number ${seq}`,
    ),
});

const NONE: { lost: boolean; changes: Change[] } = { lost: false, changes: [] };

/** At the pace of nobody: what is not read in time is lost, and said to be, by the numbers. */
async function followed(
  context: Context,
  first: object,
  isWanted: (change: Change) => boolean,
): Promise<void> {
  const leave = context.rests();
  const send = (one: object) => context.chunk(`${JSON.stringify(one)}\n`);
  const off = context.feed.follow((one) => isWanted(one) && send(one));
  send(first);
  try {
    await new Promise<void>((done) => {
      context.signal.addEventListener("abort", () => done(), { once: true });
      context.closing.addEventListener("abort", () => done(), { once: true });
      if (context.signal.aborted || context.closing.aborted) done();
    });
  } finally {
    off();
    leave();
  }
}
