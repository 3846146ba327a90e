/** What hang answers. */
import * as z from "zod";
import { callLine, outputTail, told, valueLine } from "../answers/shapes.ts";
import { threadGroup } from "./crash-shape.ts";
import { ending } from "./probe-shape.ts";

/** A thread that waits, for what, and who has it. */
export const waitingThread = z.object({
  number: z.number(),
  name: z.string(),
  what: z.string().exactOptional(),
  on: z.string().exactOptional(),
  identity: z.string().exactOptional(),
  heldBy: z.array(z.number()),
});

const place = z.object({
  function: z.string(),
  path: z.string().exactOptional(),
  line: z.number(),
  times: z.number(),
});

/** What an event loop still has to do. */
const task = z.object({
  name: z.string(),
  thread: z.number(),
  /** The user's own calls, from the `await` outward. */
  frames: z.array(z.object({ function: z.string(), path: z.string(), line: z.number() })),
  source: z.string().exactOptional(),
  awaits: z.string().exactOptional(),
});
export type HangTask = z.infer<typeof task>;

/** Threads at the same place in the last sample that did the same in all of them. */
export const hangGroup = threadGroup.extend({
  moved: z.boolean(),
  /** Where the first of them was seen, if it moved. */
  places: z.array(place),
  /** The function it never left. */
  within: z.object({ function: z.string(), path: z.string().exactOptional() }).exactOptional(),
  values: z.array(valueLine),
  waits: z.array(waitingThread),
  refused: z.string().exactOptional(),
});
export type HangGroup = z.infer<typeof hangGroup>;

export const hangResult = z.object({
  /**
   * `deadlock`: threads wait for each other, or the runtime says so; `waiting`: none runs; `idle`: nothing is on any stack;
   * `busy`: it runs; `stopped`: an exception stopped it; `ended`: it ended before it was looked at.
   */
  verdict: z.enum(["deadlock", "waiting", "idle", "busy", "stopped", "ended"]),
  /** Numbers of threads each of which waits for the next. */
  cycle: z.array(z.number()),
  exception: z.object({ type: z.string().exactOptional(), message: z.string() }).exactOptional(),
  ended: ending.exactOptional(),
  samples: z.number(),
  /** How long it ran between the first sample and the last, and how much of a processor it used then. */
  overSecs: z.number(),
  processor: z.number().exactOptional(),
  /** Before the first. */
  afterSecs: z.number().exactOptional(),
  pid: z.number().exactOptional(),
  /** It was attached to, and runs on. */
  left: z.boolean(),
  groups: z.array(hangGroup),
  moreThreads: z.number(),
  tasks: z.array(task),
  /** What may still happen, where nothing is on the stack. */
  pending: z.string().exactOptional(),
  output: outputTail,
  notes: z.array(told()),
  again: callLine(),
});
export type HangResult = z.infer<typeof hangResult>;
