/** changes: what is different since, for those who look on. */
import * as z from "zod";
import { plural } from "../../util/text.ts";
import { lines } from "../answers/text.ts";
import type { Change, Context } from "../context.ts";
import { command } from "../define.ts";

const change = z.object({
  seq: z.number(),
  at: z.number().describe("milliseconds since 1970"),
  kind: z.enum([
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
  ]),
  session: z.string(),
  cursor: z.number().exactOptional().describe("of its output"),
});

export const changes = command({
  name: "changes",
  summary:
    "list what changed in sessions, from a change's number on; with --follow, as it happens, one line of JSON each",
  group: "session",
  needs: "nothing",
  effect: "reads",
  args: z.object({
    since: z.number().int().nonnegative().optional().describe("only what came after this number"),
    follow: z.boolean().optional().describe("go on until you interrupt; the first line has the number"),
  }),
  result: z.object({
    seq: z.number().describe("what --since takes next time"),
    lost: z.boolean().describe("some are no longer known: look at everything again"),
    changes: z.array(change),
  }),
  examples: ["sonde changes --since 12", "sonde changes --follow"],
  run: async (context, { since, follow }) => {
    const { feed } = context;
    const known = since === undefined ? { changes: [], lost: false } : feed.since(since);
    if (!follow) return { seq: feed.seq, ...known };
    await followed(context, { seq: feed.seq, ...known });
    return { seq: feed.seq, lost: false, changes: [] };
  },
  text: ({ seq, lost, changes: all }) =>
    lines(
      lost && "some are no longer known",
      all.map(
        ({ seq: number, at, kind, session }) =>
          `${number}  ${new Date(at).toTimeString().slice(0, 8)}  ${session}  ${kind}`,
      ),
      `${all.length === 0 ? "" : `${plural(all.length, "change")}  · `}number ${seq}`,
    ),
});

/** At the pace of nobody: what is not read in time is lost, and said to be, by the numbers. */
async function followed(context: Context, first: object): Promise<void> {
  const leave = context.rests();
  const send = (one: object) => context.chunk(`${JSON.stringify(one)}\n`);
  const off = context.feed.follow((one: Change) => send(one));
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
