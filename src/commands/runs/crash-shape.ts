/** What crash answers; hang shares the groups of threads. */
import * as z from "zod";
import { callLine, frameLine, outputTail, sourceLine, told, valueLine } from "../answers/shapes.ts";
import { ending } from "./probe-shape.ts";

export const threadName = z.object({ id: z.number(), name: z.string() });

export const threadGroup = z.object({
  /** All at the same place by the same way. */
  threads: z.array(threadName),
  /** The user's frames, or the top ones if there are none. */
  frames: z.array(frameLine),
  moreFrames: z.number(),
  /** The line the first of them stands on. */
  source: z.string().exactOptional(),
});
export type ThreadGroup = z.infer<typeof threadGroup>;

const exception = z.object({
  type: z.string().exactOptional(),
  message: z.string(),
  uncaught: z.boolean().exactOptional(),
  causes: z.array(z.string()),
});

export const crashFrame = frameLine.extend({
  source: z.string().exactOptional(),
  values: z.array(valueLine),
});
export type CrashFrame = z.infer<typeof crashFrame>;

/** What was found where it died. */
export const death = z.object({
  exception: exception.exactOptional(),
  /** As the debugger calls it, where there is no exception. */
  reason: z.string(),
  thread: threadName,
  frame: frameLine.exactOptional(),
  source: z.array(sourceLine),
  /** The user's own, all with their values. */
  frames: z.array(crashFrame),
  moreFrames: z.number(),
  moreOwnFrames: z
    .number()
    .exactOptional()
    .describe("how many of those are the user's, if the whole stack was read"),
  uncounted: z
    .literal(true)
    .exactOptional()
    .describe("there are more frames than those: nobody has counted them"),
  /** Where the exceptions it came of were raised, as far as the debugger still shows it. */
  causes: z.array(z.object({ what: z.string(), frames: z.array(crashFrame) })),
  others: z.array(threadGroup),
  moreThreads: z.number(),
});
export type Death = z.infer<typeof death>;

export const crashResult = z.object({
  crashed: z.boolean(),
  /** Of a crash that the debugger saw nothing of: the adapter for machine code, if there is one. */
  native: z.string().exactOptional(),
  /** Missing for a core file, and for a program that was still running at the end of the time. */
  ended: ending.exactOptional(),
  /** Set when it was. */
  ranSecs: z.number().exactOptional(),
  core: z.string().exactOptional(),
  /** The last thing thrown that nothing caught, or the signal; also of a program that went on after it. */
  death: death.exactOptional(),
  /** Earlier ones that it survived. */
  survived: z.array(z.object({ what: z.string(), at: z.string() })),
  output: outputTail,
  notes: z.array(told()),
  again: callLine().describe("the same as a session, which stops there by itself"),
  heap: z
    .object({ tool: z.enum(["valgrind", "sanitizer", "flags"]), command: z.string() })
    .exactOptional()
    .describe(
      "the heap was damaged before it died: a command line of the shell that names the line that did it; flags: the compiler's",
    ),
  next: callLine().exactOptional().describe("a trace that shows how it came about"),
});
export type CrashResult = z.infer<typeof crashResult>;

export type Exception = z.infer<typeof exception>;
