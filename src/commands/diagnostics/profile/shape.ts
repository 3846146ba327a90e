/** What a profile's answer holds. */
import * as z from "zod";
import { outputTail, told } from "../../answers/shapes.ts";

export const fileShape = z.object({
  kind: z.enum(["cpuprofile", "heapprofile", "heapsnapshot", "speedscope", "folded", "pprof", "svg", "perf"]),
  path: z.string(),
});

export const endShape = z
  .object({
    how: z
      .enum(["time", "early", "program"])
      .describe("the time was over, it was ended early, or the program ended first"),
    exitCode: z.number().optional(),
    signal: z.string().optional(),
  })
  .describe("why it ended");

export const rowShape = z.object({
  name: z.string(),
  file: z.string().optional(),
  line: z.number().optional(),
  mark: z
    .string()
    .optional()
    .describe("what it is besides a function of the program: native, kernel, garbage collection"),
  self: z.number().describe("in the function itself: ns, or bytes"),
  selfShare: z.number().describe("of all that is not idle, 0 to 1"),
  total: z.number().describe("with what it called"),
  totalShare: z.number(),
});

export const profileShape = z.object({
  id: z.string(),
  kind: z.enum(["cpu", "heap"]),
  title: z.string(),
  seconds: z.number(),
  means: z.string().describe("by what it was taken"),
  period: z.number().describe("between two samples: ns, or bytes"),
  unit: z.enum(["ns", "bytes", "samples"]),
  samples: z.number(),
  idleSamples: z.number(),
  busy: z.number().describe("in all: ns, or bytes"),
  idle: z.number(),
  end: endShape,
  top: z.array(rowShape).describe("the 30 functions with the most of their own"),
  functions: z.number().describe("how many were seen in all"),
  folder: z.string(),
  files: z.array(fileShape),
  notes: z.array(told()),
  output: outputTail.exactOptional().describe("what the program printed last, if it failed"),
});
export type ProfileResult = z.infer<typeof profileShape>;
export type ProfileRow = z.infer<typeof rowShape>;
