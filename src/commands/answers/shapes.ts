/** The shapes of answers, as zod schemas: what `--json` promises. Kept equal to the session layer's types by the compiler. */
import * as z from "zod";
import type { Call, Told } from "../../advice/advice.ts";
import type { OutputLine } from "../../session/output/tail.ts";
import type { Snapshot } from "../../session/stack/snapshot.ts";
import type { ValueLine } from "../../session/values/value-line.ts";

/** Lets an optional key be absent but not `undefined`, as the session layer's types do. */
type Shape<T> = z.ZodType<T, T>;

/** A sentence of ours: a text, once its calls are in the caller's words. */
export const told = (): Shape<Told> => z.string() as unknown as Shape<Told>;

/** A call that stands alone: a line, in the caller's words. */
export const callLine = (): Shape<Call> => z.string() as unknown as Shape<Call>;

/** Whose hands are on a session. */
export const owner = z.object({
  who: z.enum(["agent", "person"]),
  since: z.number().describe("milliseconds since 1970"),
  asked: z
    .object({ at: z.number(), why: z.string().exactOptional() })
    .exactOptional()
    .describe("the agent wants it back"),
});

export const valueLine: Shape<ValueLine> = z.lazy(() =>
  z.object({
    name: z.string(),
    value: z.string(),
    type: z.string().exactOptional(),
    handle: z.string().exactOptional(),
    change: z.enum(["new", "changed"]).exactOptional(),
    was: z.string().exactOptional(),
    scope: z.string().exactOptional(),
    children: z.array(valueLine).exactOptional(),
    moreChildren: z.number().exactOptional(),
  }),
);

export const frameLine = z.object({
  index: z.number(),
  function: z.string(),
  path: z.string().exactOptional(),
  line: z.number(),
  user: z.boolean(),
  label: z.literal(true).exactOptional(),
});

export const sourceLine = z.object({ line: z.number(), text: z.string() });

export const outputLine: Shape<OutputLine> = z.object({
  stream: z.enum(["stdout", "stderr", "log"]),
  text: z.string(),
  from: z.string().exactOptional(),
  run: z.number().exactOptional().describe("of a piece: which run of the program, from 2 (it was restarted)"),
});

export const outputTail = z.object({ lines: z.array(outputLine), moreLines: z.number() });

/** What a breakpoint is, where its number and place do not show it. */
const special = z.enum(["instruction", "data"]).exactOptional();
const notBound = z.object({ id: z.number(), at: z.string(), why: told(), kind: special });
const access = z.enum(["write", "read", "readWrite"]);

export const snapshotShape: Shape<Snapshot> = z.object({
  session: z.string(),
  agent: z.string().exactOptional(),
  owner: z.literal("person").exactOptional(),
  reason: z.string(),
  description: z.string().exactOptional(),
  breakpoints: z.array(z.object({ id: z.number(), hit: z.number(), at: z.string(), kind: special })),
  watches: z
    .array(
      z.object({
        id: z.number(),
        expression: z.string(),
        access,
        old: z.string().exactOptional(),
        new: z.string().exactOptional(),
        gone: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
  exception: z
    .object({
      type: z.string().exactOptional(),
      message: z.string(),
      uncaught: z.boolean().exactOptional(),
      causes: z.array(z.string()),
    })
    .exactOptional(),
  thread: z.object({ id: z.number(), name: z.string() }),
  stoppedThread: z.number().exactOptional(),
  frame: frameLine.exactOptional(),
  above: z.number(),
  instruction: z.string().exactOptional(),
  source: z.array(sourceLine),
  values: z.array(valueLine),
  moreValues: z.number(),
  stack: z.array(frameLine),
  moreFrames: z.number(),
  moreOwnFrames: z.number().exactOptional(),
  uncounted: z.literal(true).exactOptional(),
  output: outputTail,
  notes: z.array(told()),
  unbound: z.array(notBound),
});

export const evaluation = z.object({
  expression: z.string(),
  value: valueLine.optional(),
  error: told().optional(),
});

export const breakpointRow = z.object({
  id: z.number(),
  kind: z.enum(["line", "function", "instruction", "data"]),
  at: z.string(),
  path: z.string().optional(),
  line: z.number().optional(),
  /** Where the adapter put it, when that is another line. */
  boundLine: z.number().optional(),
  state: z.enum(["bound", "not bound", "disabled", "waiting"]),
  message: told().optional(),
  /** What of it the debugger does not understand or cannot do. */
  refused: z.enum(["condition", "hitCondition", "logMessage"]).optional(),
  hits: z.number(),
  condition: z.string().optional(),
  hitCondition: z.string().optional(),
  logMessage: z.string().optional(),
  once: z.boolean().optional(),
  /** Of an instruction breakpoint. */
  address: z.string().optional(),
  /** Of a watch: what stops the program, and the value last seen. */
  access: access.optional(),
  value: z.string().optional(),
});

/** One that is gone: which it was, and nothing of a state that it no longer has. */
export const removedRow = breakpointRow.pick({ id: true, kind: true, at: true });

/** What every moving command answers. */
export const moveResult = z.discriminatedUnion("state", [
  z.object({
    state: z.literal("stopped"),
    snapshot: snapshotShape,
    evaluations: z.array(evaluation),
    added: z.array(breakpointRow),
  }),
  z.object({
    state: z.literal("running"),
    session: z.string(),
    waitedSecs: z.number(),
    output: outputTail,
    notes: z.array(told()),
    added: z.array(breakpointRow),
    unbound: z.array(notBound),
  }),
  z.object({
    state: z.literal("exited"),
    session: z.string(),
    how: z.enum(["exited", "terminated", "detached", "failed"]),
    exitCode: z.number().optional(),
    signal: z.string().optional(),
    why: z.string().optional(),
    output: outputTail,
    notes: z.array(told()),
    neverHit: z.array(breakpointRow),
  }),
]);

export type Evaluation = z.infer<typeof evaluation>;
export type BreakpointRow = z.infer<typeof breakpointRow>;
export type MoveResult = z.infer<typeof moveResult>;
