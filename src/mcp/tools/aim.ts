/** Another frame or thread, for one call: the session looks on where it did. */
import type { Arguments } from "../arguments.ts";

export function aim({ frame_id, thread_id }: Arguments): { frame?: number; thread?: number } {
  return {
    ...(frame_id === undefined ? {} : { frame: frame_id }),
    ...(thread_id === undefined ? {} : { thread: thread_id }),
  };
}

/** The same, read back. */
export const spokenAim = { frame: "frame_id", thread: "thread_id" } as const;
