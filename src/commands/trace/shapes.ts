/** What the trace commands answer. */
import * as z from "zod";
import { FORMATS } from "../../trace/export.ts";
import { callLine, outputTail } from "../answers/shapes.ts";
import { ranShape } from "../runs/trigger.ts";

const frame = z.object({ function: z.string(), path: z.string().exactOptional(), line: z.number() });
const moment = { seq: z.number(), ms: z.number(), thread: z.string() };
const changes = z.array(z.tuple([z.string(), z.string()]));

export const hitShape = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("point"),
    ...moment,
    point: z.number(),
    hit: z.number(),
    values: z.array(z.string()),
    frames: z.array(frame),
  }),
  ...(["call", "line", "return", "throw"] as const).map((kind) =>
    z.object({
      kind: z.literal(kind),
      ...moment,
      call: z.number(),
      parent: z.number().exactOptional(),
      function: z.string(),
      path: z.string(),
      line: z.number(),
      changes,
      gone: z.array(z.string()).exactOptional(),
      value: z.string().exactOptional(),
    }),
  ),
]);

const binding = z.discriminatedUnion("state", [
  z.object({ state: z.literal("bound"), line: z.number() }),
  z.object({ state: z.literal("unbound"), reason: z.string(), nearest: z.array(z.number()).exactOptional() }),
  z.object({ state: z.literal("unknown") }),
]);

const point = z.object({
  key: z.string(),
  path: z.string(),
  line: z.number(),
  expressions: z.array(z.string()),
  condition: z.string().exactOptional(),
});

const plan = z.object({
  points: z.array(point),
  lines: z
    .object({
      functions: z.array(z.string()),
      under: z.array(z.string()),
      packages: z.array(z.string()).exactOptional(),
      depth: z.number(),
    })
    .exactOptional(),
  calls: z.object({ under: z.array(z.string()) }).exactOptional(),
  frames: z.number(),
  valueChars: z.number(),
  maxHits: z.number(),
  hits: z.number().exactOptional(),
});

export const runEnd = z.object({
  how: z.enum(["exited", "stopped", "left", "failed"]),
  exitCode: z.number().exactOptional(),
  signal: z.string().exactOptional(),
  why: z.string().exactOptional(),
});

const extreme = z.object({ value: z.string(), hit: z.number() });

const statistics = z.object({
  first: z.string(),
  last: z.string(),
  changes: z.number(),
  unavailable: z.number(),
  min: extreme.exactOptional(),
  max: extreme.exactOptional(),
});

export const headShape = z.object({
  version: z.literal(1),
  id: z.string(),
  title: z.string(),
  ran: z
    .union([
      z.object({ pid: z.number() }),
      z.object({ command: z.array(z.string()), build: z.boolean().exactOptional() }),
    ])
    .exactOptional()
    .describe("what runs it again"),
  cwd: z.string(),
  began: z.string(),
  seconds: z.number(),
  plan,
  adapter: z.string(),
  collector: z.string(),
  bindings: z.array(binding),
  counts: z.array(z.number()),
  statistics: z.array(z.array(statistics)).exactOptional(),
  calls: z
    .array(
      z.object({
        function: z.string(),
        path: z.string(),
        line: z.number(),
        count: z.number(),
        ownMs: z.number().describe("in itself, and in what it calls outside your code"),
        wholeMs: z.number().describe("with the functions that it calls"),
        callers: z.array(
          z.object({
            function: z.string().exactOptional(),
            path: z.string().exactOptional(),
            line: z.number().exactOptional(),
            count: z.number(),
          }),
        ),
      }),
    )
    .exactOptional()
    .describe("of a trace that counts calls: your functions that ran, most time first"),
  seen: z.number(),
  dropped: z.number(),
  end: runEnd,
  partial: z.string().exactOptional(),
  passedOver: z.array(z.string()).exactOptional().describe("why faster ways to record were not taken"),
  notes: z.array(z.string()),
});

export const feedbackShape = z.object({
  watchpoints: z.record(z.string(), z.array(z.object({ var: z.string(), value: z.string() }))),
  breakpoints: z.record(z.string(), z.array(z.string())),
});

/** `hits` are those of the query, all of them; the text shows a choice. */
export const traceResult = z.object({
  trace: headShape,
  file: z.string(),
  hits: z.array(hitShape),
  triggered: ranShape.exactOptional().describe("the command that `run` gave"),
  output: outputTail.exactOptional(),
  feedback: feedbackShape.exactOptional(),
  /** Written to a file instead of shown. */
  written: z
    .object({ file: z.string(), bytes: z.number(), format: z.enum([...FORMATS, "feedback"]) })
    .exactOptional(),
  /** Where all that the program printed is, if there is more than the answer shows. */
  outputFile: z.string().exactOptional(),
  runnerLines: z
    .number()
    .exactOptional()
    .describe("lines of a test runner's own that `output` leaves out: the file has them"),
  timeline: z
    .boolean()
    .exactOptional()
    .describe("the text is one timeline over threads, processes and places"),
  /** Rows asked for by the caller: shown, not condensed. */
  all: z.boolean().exactOptional(),
  next: callLine()
    .exactOptional()
    .describe(
      "a command that leads on: into functions that the recorded calls made, or through the function that the place stands in",
    ),
  /** Of a filter: how many hits, or calls, it was asked of. */
  outOf: z.number().exactOptional(),
});

export type TraceResult = z.infer<typeof traceResult>;
