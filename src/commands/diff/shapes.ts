/** What `diff` answers. */
import * as z from "zod";
import { callLine, told } from "../answers/shapes.ts";
import { runEnd } from "../trace/shapes.ts";

const side = z.object({
  path: z.string(),
  line: z.number(),
  function: z.string(),
  kind: z.string(),
  ran: z.number().exactOptional(),
  /** The line whose running led here: of a call its caller's. */
  site: z.object({ path: z.string(), line: z.number(), function: z.string() }),
  /** Of the line itself. */
  text: z.string().exactOptional(),
  /** Of a call: what it was given. */
  given: z.array(z.tuple([z.string(), z.string()])).exactOptional(),
  seq: z.number(),
});

const callShape = z.object({
  function: z.string(),
  site: z.object({ path: z.string(), line: z.number(), function: z.string() }),
  given: z.array(z.tuple([z.string(), z.string()])),
  how: z.string().exactOptional(),
  value: z.string().exactOptional(),
});

const changedLines = z.object({ path: z.string(), line: z.number(), texts: z.array(z.string()) });

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

const loaded = z.object({ name: z.string(), folder: z.string(), version: z.string().exactOptional() });

export const diffResult = z.object({
  a: runShape,
  b: runShape,
  /** What each of them recorded, if it is not the same. */
  unlike: z.string().exactOptional(),
  before: z.number(),
  matching: z.number(),
  /** Equal moments with a value of which only the beginning was recorded, and compared. */
  partly: z.number().exactOptional(),
  compared: z.number().exactOptional(),
  first: divergence.exactOptional(),
  /** Of versions with many changes: the call that first gives another result though it is given the same; `first` is in it. */
  call: z.object({ a: callShape, b: callShape }).exactOptional(),
  /** Of two versions: lines that differ and ran before the runs part, the latest first; if there are none, those that ran after it. */
  changed: z
    .array(
      z.object({
        a: changedLines.exactOptional(),
        b: changedLines.exactOptional(),
        ran: z.boolean(),
        /** It ran only after the runs part. */
        after: z.literal(true).exactOptional(),
      }),
    )
    .exactOptional(),
  loading: z.object({ count: z.number(), place: z.string(), what: z.string() }).exactOptional(),
  /** Left out, because it differs between two runs of A too. */
  noise: z.array(z.string()).exactOptional(),
  /** Nothing that was recorded differs, but what was printed, or how they ended. */
  endsDiffer: z.literal(true).exactOptional(),
  /** Of runs in which no difference was found: what was not recorded. */
  unrecorded: told().exactOptional(),
  /** Installed code that differs between the runs, and was recorded too. */
  packages: z.array(z.object({ name: z.string(), a: loaded, b: loaded })).exactOptional(),
  /** …and where that first shows in code that is not installed. */
  shows: z.object({ path: z.string(), line: z.number(), what: z.string() }).exactOptional(),
  /** Names of installed packages that only one run loaded. */
  loadedOnly: z.object({ a: z.array(z.string()), b: z.array(z.string()) }).exactOptional(),
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
  /** The command that looks deeper. */
  next: callLine().exactOptional(),
  notes: z.array(told()),
});

export type DiffResult = z.infer<typeof diffResult>;
