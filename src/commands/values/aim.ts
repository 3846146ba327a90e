/** Looking at another frame or thread for one command; what other commands look at stays as it is. */
import * as z from "zod";
import type { Aim } from "../../session/stack/focus.ts";

export const aimedThread = {
  thread: z
    .number()
    .int()
    .positive()
    .optional()
    .describe("use this thread, for this command only (see `threads`)")
    .meta({ mcp: "thread_id" }),
};

export const aimed = {
  frame: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe("use this frame, for this command only (0 is innermost)")
    .meta({ mcp: "frame_id", brief: "stack index" }),
  ...aimedThread,
};

export function aimOf({ frame, thread }: Aim): Aim {
  return { frame, thread };
}
