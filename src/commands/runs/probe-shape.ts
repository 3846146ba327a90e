/** What probe answers. */
import * as z from "zod";
import { breakpointRow, callLine, moveResult } from "../answers/shapes.ts";

/** How a program ended. */
export const ending = z.object({
  how: z.enum(["exited", "terminated", "detached", "failed"]),
  exitCode: z.number().exactOptional(),
  signal: z.string().exactOptional(),
  why: z.string().exactOptional(),
});

export const probeResult = z.object({
  /** The stop at the place; how it ended, or that it still ran, if there was none. */
  found: moveResult,
  /** Which hit was asked for, and which one this is. */
  wanted: z.number(),
  hit: z.number(),
  /** Of a program that ended before the wanted hit: `found` is the last one. */
  ended: ending.exactOptional(),
  places: z.array(breakpointRow),
  /** A condition failed: the debugger could not tell whether to stop. */
  conditionFailed: z.literal(true).exactOptional(),
  /** The file that was run, where no command line was given: the place's own. */
  ran: z.string().exactOptional(),
  /** Starts the same as a session that stays. */
  again: callLine(),
});
export type ProbeResult = z.infer<typeof probeResult>;
