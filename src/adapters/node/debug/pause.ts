/** One pause the user knows of: V8's frames with numbers of our own. Gone as soon as the program moves. */
import type { Protocol } from "devtools-protocol";

/** A frame with a live context: it can be evaluated in. */
export interface LiveFrame {
  kind: "live";
  index: number;
  call: Protocol.Debugger.CallFrame;
}

/** A frame of the past, below an `await` or a timer. */
export interface PastFrame {
  kind: "past";
  call: Protocol.Runtime.CallFrame;
}

/** Not a frame: where an asynchronous call was made. */
export interface Divider {
  kind: "divider";
  text: string;
}

export type AnyFrame = LiveFrame | PastFrame | Divider;

export interface Pause {
  readonly reason: Protocol.Debugger.PausedEvent["reason"];
  readonly data: unknown;
  /** DAP frame ids in stack order. */
  readonly frames: { id: number; frame: AnyFrame }[];
  readonly top: Protocol.Debugger.CallFrame | undefined;
  /** Something ran in this pause that may have changed variables: V8's scope objects are copies from before. */
  dirty: boolean;
}

export function framesOf(event: Protocol.Debugger.PausedEvent): AnyFrame[] {
  const frames: AnyFrame[] = event.callFrames.map((call, index) => ({ kind: "live", index, call }));
  for (let at = event.asyncStackTrace; at !== undefined; at = at.parent) {
    if (at.callFrames.length === 0) continue;
    frames.push({ kind: "divider", text: at.description ?? "async" });
    for (const call of at.callFrames) frames.push({ kind: "past", call });
  }
  return frames;
}
