/** The stack of a stopped thread, asked for once per stop, in our own words. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Debuggee } from "../debuggee.ts";
import type { Stop } from "../state.ts";

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
  /** Frames were left out, none of them the user's own. */
  onlyForeignLeft?: true;
  /** It goes on, and the debugger has no more of it. */
  isCut?: true;
}

interface Cached extends Stack {
  epoch: number;
}

/** What a whole stack had under the outermost frame of the user's own, at one stop. */
interface Foundation {
  epoch: number;
  outermost: Frame;
  total: number;
}

export class Frames {
  #cache = new Map<string, Cached>();
  #asking = new Map<string, { epoch: number; levels: number; answer: Promise<Cached> }>();
  #foundations = new WeakMap<Debuggee, Map<number, Foundation>>();
  readonly #asked: (debuggee: Debuggee, stack: Promise<unknown>) => void;

  /** @param asked is called when a stack has been asked for and is not there yet. */
  constructor(asked: (debuggee: Debuggee, stack: Promise<unknown>) => void) {
    this.#asked = asked;
  }

  /** At least `levels` frames, or all there are. */
  async get(debuggee: Debuggee, threadId: number, levels: number): Promise<Stack> {
    return this.#known(debuggee, threadId, levels) ?? this.#ask(debuggee, threadId, levels);
  }

  /**
   * The same for a caller that shows only the user's own frames. Below them, at every stop, are the frames that start a program, and
   * they are expensive to ask for: LLDB disassembles them. A step over ends where it began or in a caller; so if the outermost frame of
   * the user's own is the same and as deep as before, the frames below it are the same too.
   */
  async own(debuggee: Debuggee, threadId: number, levels: number): Promise<Stack> {
    const cached = this.#cache.get(keyOf(debuggee, threadId));
    // What was answered before at this stop contains all of the user's own frames.
    const answered = cached?.onlyForeignLeft && cached.epoch === epochOf(debuggee) ? cached : undefined;
    const known = answered ?? this.#known(debuggee, threadId, levels);
    if (known) return known;
    const foundations = this.#foundations.get(debuggee) ?? new Map<number, Foundation>();
    this.#foundations.set(debuggee, foundations);
    const before = this.#under(debuggee, threadId);
    if (before && before.outermost.index < levels) {
      const { outermost, total } = before;
      const top = await this.#ask(debuggee, threadId, outermost.index + 1);
      const now = top.frames[outermost.index];
      if (now && isSame(now, outermost)) {
        foundations.set(threadId, { epoch: top.epoch, outermost: now, total });
        return this.#keep(keyOf(debuggee, threadId), { ...top, total, onlyForeignLeft: true });
      }
    }
    const stack = await this.#ask(debuggee, threadId, levels);
    const foundation = foundationOf(stack);
    if (foundation) foundations.set(threadId, foundation);
    else foundations.delete(threadId);
    return stack;
  }

  /**
   * How long a stack is, of which only a part was read: LLDB and delve say a little more than they were asked for, whatever it is.
   * `isLonger`: it has more frames than `total`.
   */
  async length(
    debuggee: Debuggee,
    threadId: number,
    { frames, total, isCut }: Stack,
  ): Promise<{ total: number; isLonger: boolean }> {
    if (isCut) return { total, isLonger: true };
    if (frames.length >= total) return { total, isLonger: false };
    const from = async (startFrame: number, levels: number) => {
      const args = { threadId, startFrame, levels };
      const body = await debuggee.client.request("stackTrace", args).catch(() => undefined);
      // Some adapters give the first frames, whichever they were asked for.
      const isFirst = body?.stackFrames[0]?.id === frames[0]?.adapterId;
      return body === undefined || isFirst ? undefined : body.stackFrames.length;
    };
    const last = await from(total - 1, 2);
    if (last !== 0) return { total, isLonger: last !== undefined && last > 1 };
    const rest = await from(frames.length, total - frames.length);
    return { total: rest === undefined ? total : frames.length + rest, isLonger: false };
  }

  /** In the moment a stop is told of, for one who waits for it and will ask for `own` as soon as it is woken. */
  foresee(debuggee: Debuggee, { threadId }: Stop): void {
    const before = threadId === undefined ? undefined : this.#under(debuggee, threadId);
    if (threadId === undefined || before === undefined) return;
    this.#ask(debuggee, threadId, before.outermost.index + 1).catch(() => {}); // asked again by whoever needs it
  }

  /** What was under the user's frames when a step over began that has just ended. */
  #under(debuggee: Debuggee, threadId: number): Foundation | undefined {
    if (!debuggee.steppedOver || debuggee.stop?.reason !== "step") return undefined;
    const before = this.#foundations.get(debuggee)?.get(threadId);
    return before?.epoch === epochOf(debuggee) - 1 ? before : undefined;
  }

  #known(debuggee: Debuggee, threadId: number, levels: number): Stack | undefined {
    const cached = this.#cache.get(keyOf(debuggee, threadId));
    const enough = cached && (cached.frames.length >= levels || cached.frames.length >= cached.total);
    return enough && cached.epoch === epochOf(debuggee) ? cached : undefined;
  }

  #ask(debuggee: Debuggee, threadId: number, levels: number): Promise<Cached> {
    const epoch = epochOf(debuggee);
    const key = keyOf(debuggee, threadId);
    const underway = this.#asking.get(key);
    if (underway?.epoch === epoch && underway.levels === levels) return underway.answer;
    const answer = this.#fetch(debuggee, threadId, levels).finally(() => {
      if (this.#asking.get(key)?.answer === answer) this.#asking.delete(key);
    });
    this.#asking.set(key, { epoch, levels, answer });
    return answer;
  }

  async #fetch(debuggee: Debuggee, threadId: number, levels: number): Promise<Cached> {
    const epoch = epochOf(debuggee);
    const asked = debuggee.client.request("stackTrace", { threadId, startFrame: 0, levels });
    this.#asked(debuggee, asked);
    const body = await asked;
    const frames = body.stackFrames.map(toFrame);
    const whole = frames.length < levels;
    const total = whole ? frames.length : Math.max(body.totalFrames ?? 0, frames.length);
    const cut = "isCut" in body && body.isCut === true ? { isCut: true as const } : {};
    return this.#keep(keyOf(debuggee, threadId), { epoch, frames, total, ...cut });
  }

  #keep(key: string, stack: Cached): Cached {
    this.#cache.set(key, stack);
    return stack;
  }

  drop(debuggee: Debuggee): void {
    const prefix = `${debuggee.id}:`;
    for (const key of this.#cache.keys()) if (key.startsWith(prefix)) this.#cache.delete(key);
  }
}

function keyOf(debuggee: Debuggee, threadId: number): string {
  return `${debuggee.id}:${threadId}`;
}

function epochOf({ stop }: Debuggee): number {
  return stop?.epoch ?? 0;
}

function foundationOf({ epoch, frames, total }: Cached): Foundation | undefined {
  const outermost = frames.findLast(({ user }) => user);
  if (outermost === undefined || frames.length < total) return undefined;
  return frames.slice(outermost.index).some(({ label }) => label) ? undefined : { epoch, outermost, total };
}

/** A caller stands where it stood; only the innermost frame moves. */
function isSame(now: Frame, before: Frame): boolean {
  const stands = now.line === before.line && now.instructionPointer === before.instructionPointer;
  return now.user && now.name === before.name && now.path === before.path && (now.index === 0 || stands);
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
