/** The stack of a stopped thread, asked for once per stop, in our own words. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Debuggee } from "./debuggee.ts";

export interface Frame {
  /** 0 is where the thread stands. This, never the adapter's id, is what users see and type. */
  index: number;
  adapterId: number;
  name: string;
  path?: string;
  sourceReference?: number;
  sourceName?: string;
  line: number;
  column: number;
  /** The user's own code, as against libraries and the runtime. */
  user: boolean;
  /** Not a frame but a divider, such as an `await` between two parts of an async stack. */
  label: boolean;
  instructionPointer?: string;
}

export interface Stack {
  frames: Frame[];
  total: number;
}

interface Cached extends Stack {
  epoch: number;
}

export class Frames {
  #cache = new Map<string, Cached>();
  readonly #asked: (debuggee: Debuggee) => void;

  /** @param asked is called when a stack has been asked for and is not there yet. */
  constructor(asked: (debuggee: Debuggee) => void) {
    this.#asked = asked;
  }

  /** At least `levels` frames, or all there are. */
  async get(debuggee: Debuggee, threadId: number, levels: number): Promise<Stack> {
    const epoch = debuggee.stop?.epoch ?? 0;
    const key = `${debuggee.id}:${threadId}`;
    const cached = this.#cache.get(key);
    if (cached?.epoch === epoch && (cached.frames.length >= levels || cached.frames.length >= cached.total))
      return cached;
    const asked = debuggee.client.request("stackTrace", { threadId, startFrame: 0, levels });
    this.#asked(debuggee);
    const body = await asked;
    const frames = body.stackFrames.map(toFrame);
    const whole = frames.length < levels;
    const stack: Cached = {
      epoch,
      frames,
      total: whole ? frames.length : Math.max(body.totalFrames ?? 0, frames.length),
    };
    this.#cache.set(key, stack);
    return stack;
  }

  drop(debuggee: Debuggee): void {
    const prefix = `${debuggee.id}:`;
    for (const key of this.#cache.keys()) if (key.startsWith(prefix)) this.#cache.delete(key);
  }
}

function toFrame(frame: DebugProtocol.StackFrame, index: number): Frame {
  const { source } = frame;
  const label = frame.presentationHint === "label";
  const dim = frame.presentationHint === "subtle" || source?.presentationHint === "deemphasize";
  return {
    index,
    adapterId: frame.id,
    name: frame.name,
    line: frame.line,
    column: frame.column,
    user: !label && !dim && (source?.path !== undefined || (source?.sourceReference ?? 0) > 0),
    label,
    ...(source?.path === undefined ? {} : { path: source.path }),
    ...(source?.sourceReference ? { sourceReference: source.sourceReference } : {}),
    ...(source?.name === undefined ? {} : { sourceName: source.name }),
    ...(frame.instructionPointerReference === undefined
      ? {}
      : { instructionPointer: frame.instructionPointerReference }),
  };
}
