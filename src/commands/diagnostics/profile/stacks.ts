/** profile stacks: the stacks of a profile that is kept, for flame graphs. */
import { readFileSync } from "node:fs";
import * as z from "zod";
import { advice, WHOLE } from "../../../advice/advice.ts";
import { plural } from "../../../util/text.ts";
import { lines } from "../../answers/text.ts";
import { command } from "../../define.ts";

const tree = {
  frames: z.array(
    z.object({
      name: z.string(),
      file: z.string().optional(),
      line: z.number().optional(),
      kind: z.string().optional(),
    }),
  ),
  parent: z.array(z.number()).describe("by node: the one that calls it, -1 for the outermost"),
  frame: z.array(z.number()).describe("by node: which of `frames`"),
  self: z.array(z.number()).describe("by node: in itself, ns or bytes"),
};

export const profileStacks = command({
  name: "profile stacks",
  summary:
    "show the stacks of a saved profile as a tree for flame graphs, with --time also in the order they happened",
  group: "diagnostics",
  needs: "nothing",
  effect: "reads",
  args: z.object({
    id: z.string().optional().describe("which profile (default: the newest)"),
    time: z.boolean().optional().describe("also in the order they happened, if the profiler recorded it"),
  }),
  result: z.object({
    id: z.string(),
    unit: z.enum(["ns", "bytes", "samples"]),
    hasTime: z.boolean().describe("whether the order of time is known"),
    ...tree,
    timeline: z
      .object({
        ...tree,
        node: z.array(z.number()).describe("one after the other; -1 while nothing ran"),
        weight: z.array(z.number()),
      })
      .exactOptional(),
  }),
  cli: { positionals: ["id"] },
  run: async ({ places }, { id, time }) => {
    const { stored } = await import("../../../diagnostics/profile/store.ts");
    const { stackTree, timelineOf } = await import("../../../diagnostics/profile/stacks.ts");
    const { isCpuProfile } = await import("../../../diagnostics/profile/formats/v8.ts");
    const kept = stored(places.profiles, id);
    // Of several processes each has its own.
    const [file, ...others] = kept.files.filter(({ kind }) => kind === "cpuprofile");
    const hasTime = file !== undefined && others.length === 0;
    const result = { id: kept.id, unit: kept.profile.unit, hasTime, ...stackTree(kept.profile) };
    if (!time || !hasTime) return result;
    const data: unknown = JSON.parse(readFileSync(file.path, "utf8"));
    return isCpuProfile(data) ? { ...result, timeline: timelineOf(data) } : { ...result, hasTime: false };
  },
  text: ({ id, parent, frames, hasTime }, { say }) =>
    lines(
      `profile ${id}: ${plural(parent.length, "node")} of ${plural(frames.length, "function")}${hasTime ? ", order of time known" : ""}`,
      say(advice`${WHOLE} has them`),
    ),
});
