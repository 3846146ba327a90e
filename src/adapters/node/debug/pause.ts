/** One pause the user knows of: V8's frames with numbers of our own. Gone as soon as the program moves. */
import type { Protocol } from "devtools-protocol";
import type { Scripts } from "./scripts.ts";

/** A frame with a live context: it can be evaluated in. */
export interface LiveFrame {
  kind: "live";
  index: number;
  call: Protocol.Debugger.CallFrame;
  /** The body of a module, as called by Node's loader. */
  isModule: boolean;
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

export function framesOf(event: Protocol.Debugger.PausedEvent, scripts: Scripts): AnyFrame[] {
  const frames: AnyFrame[] = [];
  // From the outside in: whether a function is a module's body depends on who called it.
  for (let index = event.callFrames.length - 1; index >= 0; index--) {
    const call = event.callFrames[index];
    const caller = frames[0];
    if (call === undefined) continue;
    const isModule = isModuleBody(call, caller?.kind === "live" ? caller : undefined, scripts);
    frames.unshift({ kind: "live", index, call, isModule });
  }
  for (let at = event.asyncStackTrace; at !== undefined; at = at.parent) {
    if (at.callFrames.length === 0) continue;
    frames.push({ kind: "divider", text: at.description ?? "async" });
    for (const call of at.callFrames) frames.push({ kind: "past", call });
  }
  return frames;
}

function isModuleBody(
  call: Protocol.Debugger.CallFrame,
  caller: LiveFrame | undefined,
  scripts: Scripts,
): boolean {
  if (call.functionName !== "") return false;
  if (call.scopeChain.every(({ type }) => type !== "local" && type !== "closure")) return true;
  if (caller === undefined) return false;
  const { scriptId } = caller.call.location;
  // V8 leaves the frames' own `url` empty in Node 20.
  if (scripts.get(scriptId)?.url.startsWith("node:internal/modules/") === true) return true;
  // tsx puts a whole CommonJS module into a function of its own, opened on the first line.
  const isWrapper = call.functionLocation?.lineNumber === 0 && scriptId === call.location.scriptId;
  return isWrapper && caller.isModule && scripts.get(scriptId)?.sourceMapUrl !== undefined;
}
