/** clear-cache: removing what is kept and old. */
import * as z from "zod";
import { advice, call } from "../../advice/advice.ts";
import { gc } from "../../agent/store/gc.ts";
import { type Artifact, oldArtifacts, removeArtifacts } from "../../diagnostics/cache/artifacts.ts";
import { oneLine, plural, sizeText } from "../../util/text.ts";
import { ageMs } from "../age.ts";
import { told } from "../answers/shapes.ts";
import { lines } from "../answers/text.ts";
import { command } from "../define.ts";

const KINDS = ["trace", "report", "profile", "run", "log"] as const;

interface Row {
  kind: (typeof KINDS)[number];
  bytes: number;
  at: number;
}

export const clearCache = command({
  name: "clear-cache",
  summary:
    "remove traces, reports, profiles, logs and recordings of ended agents that are older than 30 days",
  group: "diagnostics",
  needs: "nothing",
  effect: "changes",
  reads: ({ yes }) => yes !== true,
  interactive: true,
  args: z.object({
    olderThan: z
      .string()
      .default("30d")
      .describe("older than this age: 12h, 30d, 8w; anything less than an hour old is kept"),
    yes: z.boolean().optional().describe("remove it; without this, only list what would be removed"),
  }),
  result: z.object({
    count: z.number(),
    bytes: z.number(),
    oldest: z.string().exactOptional(),
    kinds: z.array(
      z.object({ kind: z.enum(KINDS), count: z.number(), bytes: z.number(), oldest: z.string() }),
    ),
    olderThan: z.string(),
    removed: z.boolean(),
    skipped: z
      .array(z.object({ path: z.string(), why: z.string() }))
      .describe("what could not be looked into, or not be removed"),
    next: z.array(told()),
  }),
  mcp: {
    tool: "diagnose",
    action: "clear_cache",
    takes: ["olderThan", "yes"],
    brief: "old artifacts of Sonde's; without yes only what would go.",
  },
  examples: ["sonde clear-cache", "sonde clear-cache --older-than 7d --yes"],
  run: async ({ places }, { olderThan, yes = false }) => {
    const olderThanMs = ageMs(olderThan);
    const found = oldArtifacts(places, olderThanMs);
    const { removed, skipped } = yes
      ? removeArtifacts(found.artifacts)
      : { removed: found.artifacts, skipped: [] };
    const runs = await oldRuns(places.agents, olderThanMs, !yes);
    const rows = [
      ...removed.map(({ kind, bytes, at }: Artifact): Row => ({ kind, bytes, at })),
      ...runs.rows,
    ];
    return {
      ...totals(rows),
      kinds: KINDS.flatMap((kind) => {
        const own = rows.filter((row) => row.kind === kind);
        return own.length === 0 ? [] : [{ kind, oldest: "", ...totals(own) }];
      }),
      olderThan,
      removed: yes,
      skipped: [...found.skipped, ...skipped, ...runs.skipped],
      next:
        yes || rows.length === 0 ? [] : [advice`${call("clear-cache", { olderThan, yes: true })} removes it`],
    };
  },
  text: ({ count, bytes, kinds, olderThan, removed, skipped, next }, { say }) =>
    lines(
      count === 0
        ? `nothing to remove: no trace, report, profile, run or log is older than ${olderThan}${ageMs(olderThan) < HOUR_MS ? " (nothing younger than an hour is removed)" : ""}`
        : `${removed ? "removed" : "would remove"} ${plural(count, "artifact")}, ${sizeText(bytes)}, older than ${olderThan}:`,
      kinds.map(
        (row) =>
          `  ${plural(row.count, row.kind)}, ${sizeText(row.bytes)}, the oldest of ${row.oldest.slice(0, 10)}`,
      ),
      skipped.map(({ path, why }) => oneLine(`left alone: ${path}: ${why}`)),
      next.map(say),
    ),
});

function totals(rows: readonly Row[]): { count: number; bytes: number; oldest?: string } {
  const oldest = Math.min(...rows.map(({ at }) => at));
  return {
    count: rows.length,
    bytes: rows.reduce((sum, row) => sum + row.bytes, 0),
    ...(rows.length === 0 ? {} : { oldest: new Date(oldest).toISOString() }),
  };
}

const HOUR_MS = 3_600_000;

/** Those that have ended. */
async function oldRuns(root: string, olderThanMs: number, dryRun: boolean) {
  try {
    const { removed } = await gc(root, { olderThanMs: Math.max(olderThanMs, HOUR_MS), dryRun });
    const rows = removed.map(
      ({ bytes, startTime, endTime }): Row => ({ kind: "run", bytes, at: Date.parse(endTime ?? startTime) }),
    );
    return { rows, skipped: [] };
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    return { rows: [], skipped: [{ path: root, why: code ?? message }] };
  }
}
