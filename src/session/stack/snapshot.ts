/**
 * The stop snapshot: everything a reader needs after a stop, asked for in as few requests as will do and cut to the limits.
 * Plain data; commands/answers/snapshot-text.ts renders it.
 */

import { advice, call, inSession, type Told } from "../../advice/advice.ts";
import { DapRequestError } from "../../dap/request-error.ts";
import { type Hit, type NotBound, notBound } from "../breakpoints/breakpoint.ts";
import { type WatchChange, watchesAt } from "../breakpoints/watched-values.ts";
import type { Debuggee } from "../debuggee.ts";
import { instructionHere } from "../machine/instruction-here.ts";
import { type OutputTail, takeTail } from "../output/tail.ts";
import type { Session } from "../session.ts";
import { threadName } from "../threads/threads.ts";
import { shownBefore } from "../values/activation.ts";
import { shownValues } from "../values/shown-values.ts";
import type { ValueLine } from "../values/value-line.ts";
import type { Aim, Place } from "./focus.ts";
import type { Frame, Stack } from "./frames.ts";
import { type SourceLine, slice, sourceLines } from "./source.ts";
import { madeAt, staleNote } from "./stale-source.ts";

export interface Limits {
  snapshotBytes: number;
  valueChars: number;
  variables: number;
  frames: number;
  outputLines: number;
}

export interface FrameLine {
  index: number;
  function: string;
  path?: string;
  line: number;
  user: boolean;
  label?: true;
}

export interface ExceptionLine {
  type?: string;
  message: string;
  uncaught?: boolean;
  /** Messages of the chain of causes, nearest first. */
  causes: string[];
}

export interface Snapshot {
  session: string;
  /** The agent's run that started it. */
  agent?: string;
  /** A person has taken it over. */
  owner?: "person";
  reason: string;
  description?: string;
  breakpoints: Hit[];
  /** Those of `breakpoints` that watch an expression, with its value before and now. */
  watches?: WatchChange[];
  exception?: ExceptionLine;
  thread: { id: number; name: string };
  /** The thread that the reason is about, where that is another one. */
  stoppedThread?: number;
  frame?: FrameLine;
  /** Frames between the top of the stack and `frame`: library code that was passed over. */
  above: number;
  /** Address and text, where the line does not tell that a step was made. */
  instruction?: string;
  source: SourceLine[];
  values: ValueLine[];
  moreValues: number;
  stack: FrameLine[];
  /** Frames not shown; and, where all of them were read, how many are the user's own. */
  moreFrames: number;
  moreOwnFrames?: number;
  /** There are more than `moreFrames`: nobody has counted them. */
  uncounted?: true;
  output: OutputTail;
  notes: Told[];
  unbound: NotBound[];
}

export interface SnapshotOptions {
  limits: Limits;
  before: number;
  after: number;
  aim?: Aim;
  /** Breakpoints that the reader is told of anyway. */
  known?: readonly number[];
  /** For somebody who looks on: what is told once is left for the one who debugs. */
  peek?: boolean;
}

const last = new WeakMap<Session, Snapshot>();

/** Where a program was seen to stand. */
const places = new WeakMap<Session, { debuggee: Debuggee; epoch: number; frame: FrameLine }>();

/** Where it stands, if somebody has looked since it stopped. */
export function knownPlace(session: Session): FrameLine | undefined {
  const known = places.get(session);
  return known?.debuggee.stop?.epoch === known?.epoch ? known?.frame : undefined;
}

/** As it was shown: looking at it again asks nothing of the debugger. */
export function lastSnapshot(session: Session): Snapshot | undefined {
  return last.get(session);
}

/** Of the stop in focus, or aimed at. */
export async function snapshot(session: Session, options: SnapshotOptions): Promise<Snapshot> {
  const taken = await take(session, options);
  if (!options.peek) last.set(session, taken);
  return taken;
}

async function take(session: Session, options: SnapshotOptions): Promise<Snapshot> {
  const { limits, aim = {}, peek = false } = options;
  const early =
    aim.thread === undefined ? session.focus.debuggee : session.focus.stopped(aim.thread).debuggee;
  const exception = early.stop?.reason === "exception" ? readException(session, aim) : undefined;
  const refused: string[] = [];
  const settled = session.output.settled();
  const place = await unlessRefused(session.focus.ownPlace(aim), refused, async () => ({
    ...(await session.focus.here(aim)),
    stack: { frames: [], total: 0 },
    frame: undefined,
  }));
  const { debuggee, stop, threadId, frame, stack } = place;
  if (!peek) session.stops.markSeen(debuggee);
  if (frame && aim.frame === undefined && aim.thread === undefined)
    places.set(session, { debuggee, epoch: stop.epoch, frame: toFrameLine(frame) });
  const [source, thrown, name, watches, instruction, length] = await Promise.all([
    readSource(session, debuggee, frame, options),
    exception,
    threadName(session, debuggee, threadId),
    unlessRefused(watchesAt(session, place, limits.valueChars), refused, async () => []),
    unlessRefused(instructionHere(place), refused, async () => undefined),
    stack.onlyForeignLeft
      ? { total: stack.total, isLonger: false }
      : session.frames.length(debuggee, threadId, stack),
  ]);
  const { values, more } = await unlessRefused(
    readValues(session, place, limits, peek),
    refused,
    async () => ({
      values: [],
      more: 0,
    }),
  );
  await settled;
  const output = takeTail(session.output, limits.outputLines, peek);
  const stale = staleNote(session, frame?.path);
  const advised = thrown && session.adapter.advise?.(thrown.message);
  return {
    session: session.name,
    ...(session.launch.agentRun === undefined ? {} : { agent: session.launch.agentRun }),
    reason: stop.reason,
    ...(stop.description === undefined ? {} : { description: stop.description }),
    breakpoints: hitBreakpoints(session, debuggee, place),
    ...(watches.length === 0 ? {} : { watches }),
    ...(thrown === undefined ? {} : { exception: thrown }),
    thread: {
      id: session.focus.threadNumber(debuggee, threadId),
      name,
    },
    ...(stop.threadId === undefined || stop.threadId === threadId
      ? {}
      : { stoppedThread: session.focus.threadNumber(debuggee, stop.threadId) }),
    ...(frame === undefined ? {} : { frame: toFrameLine(frame) }),
    above: frame?.index ?? 0,
    ...(instruction === undefined ? {} : { instruction: `${instruction.address}  ${instruction.text}` }),
    source,
    values,
    moreValues: more,
    ...foldStack({ ...stack, total: length.total }, limits.frames),
    ...(length.isLonger ? { uncounted: true as const } : {}),
    output,
    notes: [
      ...(peek ? session.launch.notes.untold : session.launch.notes.take()),
      ...refused,
      ...session.breakpoints.takeNews(options.known, peek),
      ...alsoStopped(session, debuggee),
      ...(advised === undefined ? [] : [advised]),
      ...(stale === undefined ? [] : [stale]),
    ],
    unbound: session.breakpoints.unbound().map(notBound),
  };
}

/** An adapter that refuses one part (delve has no stack before `main`) does not cost the others; what it said is noted. */
async function unlessRefused<T>(
  asked: Promise<T>,
  refused: string[],
  otherwise: () => Promise<T>,
): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof DapRequestError)) throw error;
    refused.push(error.message);
    return otherwise();
  }
}

async function readException(session: Session, aim: Aim): Promise<ExceptionLine | undefined> {
  const { debuggee, stop, threadId } = await session.focus.here(aim);
  const fallback: ExceptionLine = { message: stop.text ?? stop.description ?? "exception", causes: [] };
  if (!debuggee.capabilities.supportsExceptionInfoRequest) return fallback;
  const info = await debuggee.client.request("exceptionInfo", { threadId }).catch(() => undefined);
  if (!info) return fallback;
  const causes: string[] = [];
  for (
    let inner = info.details?.innerException?.[0];
    inner && causes.length < 5;
    inner = inner.innerException?.[0]
  ) {
    causes.push([inner.typeName, inner.message].filter(Boolean).join(": "));
  }
  return {
    type: info.details?.typeName ?? info.exceptionId,
    message: info.description ?? info.details?.message ?? fallback.message,
    // Some debuggers stop at the throw, and nobody knows yet who will catch it.
    ...(info.breakMode === "never"
      ? {}
      : { uncaught: info.breakMode === "unhandled" || info.breakMode === "userUnhandled" }),
    causes,
  };
}

async function readSource(
  session: Session,
  debuggee: Debuggee,
  frame: Frame | undefined,
  options: SnapshotOptions,
): Promise<SourceLine[]> {
  if (!frame || frame.line < 1) return [];
  const lines = await sourceLines(debuggee, frame, madeAt(session).time);
  return lines ? slice(lines, frame.line - options.before, frame.line + options.after) : [];
}

async function readValues(
  session: Session,
  place: Place,
  limits: Limits,
  peek: boolean,
): Promise<{ values: ValueLine[]; more: number }> {
  const { debuggee, frame } = place;
  if (!frame) return { values: [], more: 0 };
  const lines = frame.line > 0 ? await sourceLines(debuggee, frame, madeAt(session).time) : undefined;
  const wanted = { lines, wider: "around", limits, again: true } as const;
  const { values, more } = await shownValues(session, debuggee, frame, wanted);
  const before = peek ? shownBefore(session.peeked, place, true) : shownBefore(session.seen, place);
  for (const { line, whole, own } of values) {
    mark(line, whole, before.old, own);
    before.now.set(line.name, whole);
  }
  return { values: values.map(({ line }) => line), more };
}

/** Marks a value that differs from the one last shown in this call. */
function mark(line: ValueLine, value: string, old: Map<string, string> | undefined, own: boolean): void {
  if (!old) return;
  const was = old.get(line.name);
  // Of wider scopes a name is shown when the source shown mentions it, which says nothing of the name.
  if (was === undefined) {
    if (own) line.change = "new";
  } else if (was !== value) {
    line.change = "changed";
    line.was = was.length > 40 ? `${was.slice(0, 39)}…` : was;
  }
}

/** An adapter that names no breakpoint leaves it to us to find the one at this place. */
function hitBreakpoints(session: Session, debuggee: Debuggee, place: Place): Snapshot["breakpoints"] {
  const { stop, frame } = place;
  if (
    stop.hits.length === 0 &&
    stop.hitBreakpointIds.length === 0 &&
    stop.reason === "breakpoint" &&
    frame?.path !== undefined
  ) {
    session.breakpoints.countAt(stop, session.breakpoints.hitAt(debuggee, frame.path, frame.line));
  }
  return stop.hits;
}

/** Other debuggees that stand still as well: a reader who steps one must know. */
function alsoStopped(session: Session, here: Debuggee): Told[] {
  return session.live
    .filter((one) => one !== here && one.stop)
    .map((one) => {
      const number = session.focus.threadNumber(one, one.stop?.threadId ?? 1);
      const look = advice`: ${call("thread", { number })} shows it`;
      return inSession(`thread ${number} ${one.label} is stopped too`, look);
    });
}

export function toFrameLine(frame: Frame): FrameLine {
  const path = frame.path ?? frame.sourceName;
  return {
    index: frame.index,
    function: frame.name,
    ...(path === undefined ? {} : { path }),
    line: frame.line,
    user: frame.user,
    ...(frame.label ? { label: true as const } : {}),
  };
}

/** The user's frames, in order, up to the limit; the rest is counted. With no user frame at all, the top ones. */
function foldStack(stack: Stack, limit: number): Pick<Snapshot, "stack" | "moreFrames" | "moreOwnFrames"> {
  const own = withoutLastLabels(stack.frames.filter((frame) => frame.user || frame.label));
  const candidates = own.some((frame) => frame.user) ? own : stack.frames;
  const shown = withoutLastLabels(candidates.slice(0, limit));
  const real = shown.filter((frame) => !frame.label).length;
  const total = stack.total - stack.frames.filter((frame) => frame.label).length;
  const ownTotal = own.filter((frame) => frame.user).length;
  const moreOwnFrames = Math.max(0, ownTotal - shown.filter((frame) => frame.user).length);
  const allRead = stack.frames.length >= stack.total || stack.onlyForeignLeft === true;
  return {
    stack: shown.map(toFrameLine),
    moreFrames: Math.max(0, total - real),
    ...(allRead ? { moreOwnFrames } : {}),
  };
}

/** A divider with nothing under it says nothing. */
export function withoutLastLabels(frames: readonly Frame[]): Frame[] {
  const kept = [...frames];
  while (kept.at(-1)?.label) kept.pop();
  return kept;
}
