/** trace columns: a part of a saved trace, in the form that plots and long tables need. */
import * as z from "zod";
import { columnsOf } from "../../trace/columns/read.ts";
import { plural } from "../../util/text.ts";
import { lines } from "../answers/text.ts";
import { command } from "../define.ts";
import { headShape, hitShape } from "./shapes.ts";

const column = z.object({
  min: z.array(z.number().nullable()).describe("by bucket; null where no value is a number"),
  max: z.array(z.number().nullable()),
  text: z
    .array(z.number().nullable())
    .describe("by bucket: which of `texts`; -1 several, -2 another one; null where all are numbers"),
  texts: z.array(z.string()),
});

export const traceColumns = command({
  name: "trace columns",
  summary:
    "print part of a saved trace, for plots and long tables: the minimum and maximum of each value by parts of the run, or a range of rows",
  group: "runs",
  needs: "nothing",
  effect: "reads",
  args: z.object({
    id: z.string().optional().describe("which trace (default: the newest)"),
    at: z.string().optional().describe("which location (default: the first)"),
    from: z
      .number()
      .int()
      .nonnegative()
      .optional()
      .describe("the first hit to read, of those that were kept, counted from 0"),
    to: z.number().int().nonnegative().optional().describe("read up to this hit, not including it"),
    buckets: z
      .number()
      .int()
      .nonnegative()
      .max(10_000)
      .default(0)
      .describe("divide the hits into at most this many parts, and give the minimum and maximum of each"),
    rows: z.number().int().nonnegative().max(10_000).default(0).describe("how many hits to show one by one"),
    where: z.string().optional().describe("only hits where this is true"),
  }),
  result: z.object({
    head: headShape,
    kept: z.array(z.number()).describe("by place: hits in the file"),
    point: z.number(),
    from: z.number(),
    to: z.number(),
    buckets: z
      .object({
        from: z.array(z.number()).describe("number of the first hit in each"),
        to: z.array(z.number()),
        columns: z.array(column).describe("by expression"),
      })
      .exactOptional(),
    rows: z.array(hitShape).exactOptional(),
    found: z.number().exactOptional().describe("how many hits the condition holds for"),
  }),
  cli: { positionals: ["id"] },
  examples: ["sonde trace columns t3 --buckets 500 --json", "sonde trace columns t3 --from 1000 --rows 50"],
  run: async (context, { id, at, from, to, buckets, rows, where }) => {
    const found = await columnsOf(context.traces, id, {
      buckets,
      rows,
      ...(at === undefined ? {} : { at }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(where === undefined ? {} : { where }),
    });
    return { ...found, head: found.head as z.infer<typeof headShape> };
  },
  text: ({ head, point, from, to, buckets, rows = [], found }) => {
    const { key, expressions } = head.plan.points[point] ?? { key: "", expressions: [] };
    return lines(
      `trace ${head.id}  ${key}  ${found === undefined ? `hits ${from}..${to} of ${plural(head.counts[point] ?? 0, "hit")}` : plural(found, "hit")}`,
      buckets?.from.map((start, at) =>
        [
          `  ${start}..${buckets.to[at] ?? start}`,
          ...expressions.map((name, index) => {
            const { min, max, text, texts } = buckets.columns[index] ?? {
              min: [],
              max: [],
              text: [],
              texts: [],
            };
            const [low, high, which] = [min[at] ?? null, max[at] ?? null, text[at] ?? null];
            const range = low === null ? "" : low === high ? String(low) : `${low}..${high}`;
            const other = which === null ? "" : (texts[which] ?? "several");
            return `${name} ${[range, other].filter(Boolean).join(" or ")}`;
          }),
        ].join("  "),
      ),
      rows.map((row) =>
        row.kind === "point"
          ? `  ${row.hit}  ${expressions.map((name, at) => `${name}=${row.values[at] ?? ""}`).join("  ")}`
          : "",
      ),
    );
  },
});
