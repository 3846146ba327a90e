/** Everything there is to see where a program died: its frames with their values, and what the other threads were doing. */
import { DapRequestError } from "../../dap/request-error.ts";
import type { Debuggee } from "../debuggee.ts";
import type { Session } from "../session.ts";
import { groupStacks, readStacks, type ThreadStack } from "../threads/thread-stacks.ts";
import { shownValues } from "../values/shown-values.ts";
import type { ValueLine } from "../values/value-line.ts";
import type { Frame } from "./frames.ts";
import { type FrameLine, type Limits, type Snapshot, snapshot, toFrameLine } from "./snapshot.ts";
import { fileLines } from "./source.ts";

export interface FrameValues extends FrameLine {
  source?: string;
  values: ValueLine[];
}

export interface Group {
  threads: { id: number; name: string }[];
  frames: FrameLine[];
  moreFrames: number;
  source?: string;
}

/** Where an exception was raised that the last one came of. */
export interface Cause {
  what: string;
  /** Outward from where it was raised. */
  frames: FrameValues[];
}

export interface Autopsy {
  snapshot: Snapshot;
  /** Functions of libraries between where it died and the user's code, from the inside. */
  above: string[];
  frames: FrameValues[];
  moreFrames: number;
  /** How many of them are the user's, if the stack was read to its end. */
  moreOwnFrames?: number;
  /** There are more than those: nobody has counted them. */
  uncounted?: true;
  causes: Cause[];
  others: Group[];
  moreThreads: number;
}

/** A runaway recursion has a hundred thousand frames. */
const MOST_FRAMES = 24;
const LEVELS = 200;
const GROUP_FRAMES = 8;
const CAUSE_FRAMES = 8;

export async function autopsy(session: Session, limits: Limits): Promise<Autopsy> {
  const shot = await snapshot(session, { limits, before: 2, after: 2 });
  const place = await session.focus.place(LEVELS).catch(() => undefined);
  const { stack: all, chained } = partedStack(place?.stack.frames.filter((frame) => !frame.label) ?? []);
  const own = all.filter((frame) => frame.user);
  const shown = (own.length > 0 ? own : all).slice(0, MOST_FRAMES);
  const read = async (frame: Frame): Promise<FrameValues> => {
    const here = frame.index === shot.frame?.index;
    const values = here || !place ? shot.values : await ownValues(session, place.debuggee, frame, limits);
    return { ...toFrameLine(frame), ...sourceOf(frame), values };
  };
  const frames: FrameValues[] = [];
  for (const frame of shown) frames.push(await read(frame));
  const causes: Cause[] = [];
  for (const one of chained) {
    const cause: Cause = { what: causeNamed(one.remark, shot.exception?.causes ?? []), frames: [] };
    for (const frame of one.frames.filter(({ user }) => user).slice(0, CAUSE_FRAMES))
      cause.frames.push(await read(frame));
    causes.push(cause);
  }
  const { stacks, more } = await readStacks(session);
  const others = stacks.filter(
    ({ thread }) => thread.debuggee !== place?.debuggee || thread.threadId !== place.threadId,
  );
  const allRead = !place || place.stack.frames.length >= place.stack.total;
  const length = place && (await session.frames.length(place.debuggee, place.threadId, place.stack));
  const below = chained.reduce((sum, one) => sum + one.frames.length, 0);
  const outside =
    own.length === 0
      ? []
      : all.slice(
          0,
          all.findIndex((frame) => frame.user),
        );
  return {
    snapshot: shot,
    above: outside.map(({ name }) => name),
    frames,
    moreFrames: Math.max(0, (length?.total ?? 0) - shown.length - below),
    ...(allRead ? { moreOwnFrames: Math.max(0, own.length - shown.length) } : {}),
    ...(length?.isLonger ? { uncounted: true as const } : {}),
    causes,
    others: groupStacks(others).map(toGroup),
    moreThreads: more,
  };
}

/** `[Chained Exc: too many values] parse` */
const REMARKED = /^\[(.+)\] (\S+)$/s;

interface Chained {
  remark: string;
  frames: Frame[];
}

/**
 * A debugger may put the frames of what an exception came of below the outermost one, with a remark before each name, and from
 * the outside in. They have called nothing of what stands above them.
 */
export function partedStack(frames: readonly Frame[]): { stack: Frame[]; chained: Chained[] } {
  const stack: Frame[] = [];
  const chained: Chained[] = [];
  for (const frame of frames) {
    const [, remark, name] = REMARKED.exec(frame.name) ?? [];
    if (remark === undefined || name === undefined || stack.length === 0) {
      stack.push(frame);
      continue;
    }
    const last = chained.at(-1);
    const clean = { ...frame, name };
    if (last?.remark === remark) last.frames.unshift(clean);
    else chained.push({ remark, frames: [clean] });
  }
  return { stack, chained };
}

/** The exception's own word for it has the type too. */
function causeNamed(remark: string, causes: readonly string[]): string {
  const message = remark.slice(remark.indexOf(": ") + 2);
  return causes.find((one) => one.endsWith(message)) ?? message;
}

/** Arguments and locals; what an import brought in, or a function, is no value worth a line. */
export async function ownValues(
  session: Session,
  debuggee: Debuggee,
  frame: Frame,
  limits: Limits,
): Promise<ValueLine[]> {
  try {
    const lines = frame.path === undefined ? undefined : fileLines(frame.path);
    const { values } = await shownValues(session, debuggee, frame, { lines, wider: "none", limits });
    return values.map(({ line }) => line);
  } catch (error) {
    // A frame that cannot be read (of an await that was left, without debug information) does not cost the others.
    if (error instanceof DapRequestError) return [];
    throw error;
  }
}

export function toGroup(stacks: readonly ThreadStack[]): Group {
  const [first] = stacks;
  const all = first?.frames.filter((frame) => !frame.label) ?? [];
  const own = all.filter((frame) => frame.user);
  const shown = (own.length > 0 ? own : all).slice(0, GROUP_FRAMES);
  return {
    threads: stacks.map(({ thread }) => ({ id: thread.number, name: thread.name })),
    frames: shown.map(toFrameLine),
    moreFrames: Math.max(0, (first?.total ?? 0) - shown.length),
    ...(shown[0] ? sourceOf(shown[0]) : {}),
  };
}

/** The text of a frame's line, if there is one. */
export function sourceOf({ path, line }: Pick<Frame, "path" | "line">): { source?: string } {
  const source = path === undefined ? undefined : fileLines(path)?.[line - 1]?.trim();
  return source === undefined || source === "" ? {} : { source };
}
