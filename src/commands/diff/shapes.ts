/** What `diff` answers. */
import * as z from "zod";
import { told } from "../answers/shapes.ts";
import { runEnd } from "../trace/shapes.ts";

const side = z.object({
  path: z.string(),
  line: z.number(),
  function: z.string(),
  kind: z.string(),
  ran: z.number().exactOptional(),
  seq: z.number(),
});

const divergence = z.object({
  kind: z.enum(["values", "path"]),
  a: side.exactOptional(),
  b: side.exactOptional(),
  extra: z.object({ side: z.enum(["a", "b"]), count: z.number() }).exactOptional(),
  differing: z.array(
    z.object({ name: z.string(), a: z.string().exactOptional(), b: z.string().exactOptional() }),
  ),
  equal: z.array(z.object({ name: z.string(), value: z.string() })),
});

const runShape = z.object({
  id: z.string(),
  title: z.string(),
  cwd: z.string(),
  collector: z.string(),
  seen: z.number(),
  dropped: z.number(),
  partial: z.string().exactOptional(),
  end: runEnd,
  output: z.string(),
});

export const diffResult = z.object({
  a: runShape,
  b: runShape,
  /** What each of them recorded, if it is not the same. */
  unlike: z.string().exactOptional(),
  before: z.number(),
  matching: z.number(),
  compared: z.number().exactOptional(),
  first: divergence.exactOptional(),
  split: divergence.exactOptional(),
  more: z.array(
    z.object({
      place: z.string(),
      what: z.string(),
      count: z.number(),
      a: z.string().exactOptional(),
      b: z.string().exactOptional(),
    }),
  ),
  /** Source around the place where they part, by side. */
  source: z.object({
    a: z.array(z.object({ number: z.number(), text: z.string() })),
    b: z.array(z.object({ number: z.number(), text: z.string() })),
  }),
  /** Of runs of one command: how many passed, how many failed. */
  flaky: z.object({ runs: z.number(), passed: z.number(), failed: z.number() }).exactOptional(),
  notes: z.array(told()),
});

export type DiffResult = z.infer<typeof diffResult>;
