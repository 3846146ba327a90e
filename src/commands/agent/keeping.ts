/** agent gc: removing old recordings. */
import * as z from "zod";
import { advice, call, named } from "../../advice/advice.ts";
import { gc as removeOld } from "../../agent/store/gc.ts";
import { SondeError } from "../../errors.ts";
import { oneLine, plural } from "../../util/text.ts";
import { ageMs } from "../age.ts";
import { told } from "../answers/shapes.ts";
import { lines } from "../answers/text.ts";
import { command } from "../define.ts";
import { agentsRoot } from "./choosing.ts";
import { dir } from "./shapes.ts";

const SIZES: Record<string, number> = { "": 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

/** `5GB` */
function sizeBytes(text: string): number {
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?$/i.exec(text.trim()) ?? [];
  const size = Number(count) * (SIZES[unit.toLowerCase()] ?? Number.NaN);
  if (!Number.isNaN(size)) return Math.floor(size);
  throw new SondeError("BAD_ARGUMENT", advice`${named("maxSize")}: \`${text}\` is not a size`, {
    hint: "a number with KB, MB or GB: 5GB",
  });
}

const MOST_ROWS = 40;

export const gc = command({
  name: "agent gc",
  summary:
    "remove recordings of runs that have ended: first those over an age limit, then the oldest until the rest fits a size limit",
  group: "agents",
  needs: "nothing",
  effect: "changes",
  args: z.object({
    olderThan: z.string().default("30d").describe("an age: 12h, 30d, 8w"),
    maxSize: z.string().default("5GB").describe("total size to keep: 500MB, 5GB"),
    yes: z.boolean().optional().describe("remove them; without this, only list what would be removed"),
    dir,
  }),
  result: z.object({
    removed: z.array(
      z.object({
        id: z.string(),
        bytes: z.number(),
        startTime: z.string(),
        endTime: z.string().exactOptional(),
        why: z.enum(["age", "size"]),
      }),
    ),
    bytes: z.number(),
    kept: z.object({ sessions: z.number(), alive: z.number(), bytes: z.number() }),
    done: z.boolean().describe("whether they were removed"),
    next: z.array(told()),
  }),
  mcp: { tool: "agent", action: "gc", takes: ["olderThan", "maxSize", "yes"] },
  examples: ["sonde agent gc", "sonde agent gc --older-than 7d --max-size 1GB --yes"],
  run: async (context, args) => {
    const { yes: done = false, olderThan, maxSize, dir: of } = args;
    const options = { olderThanMs: ageMs(olderThan), maxBytes: sizeBytes(maxSize), dryRun: !done };
    const found = await removeOld(agentsRoot(context, of), options);
    const again = call("agent gc", { olderThan, maxSize, dir: of, yes: true });
    return {
      ...found,
      done,
      next: done || found.removed.length === 0 ? [] : [advice`${again} removes them`],
    };
  },
  text: ({ removed, bytes, kept, done, next }, { say }) =>
    lines(
      removed
        .slice(0, MOST_ROWS)
        .map(({ id, bytes: size, why }) => `${oneLine(id)}  ${sizeText(size)}  ${WHY[why]}`),
      removed.length > MOST_ROWS && `and ${removed.length - MOST_ROWS} more`,
      `${done ? "removed" : "would remove"} ${plural(removed.length, "recording")}, ${sizeText(bytes)}; ${
        done ? "kept" : "would keep"
      } ${plural(kept.sessions, "recording")} (${kept.alive} running), ${sizeText(kept.bytes)}`,
      next.map(say),
    ),
});

const WHY = { age: "too old", size: "beyond the size" };

function sizeText(bytes: number): string {
  if (bytes < 1e6) return `${Math.round(bytes / 100) / 10} KB`;
  return bytes < 1e9 ? `${Math.round(bytes / 1e5) / 10} MB` : `${Math.round(bytes / 1e8) / 10} GB`;
}
