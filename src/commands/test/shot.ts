/** What `test` reads at a stop: the user's own frames, each with the values in it. */
import { ownWords } from "../../runners/own-words.ts";
import type { Rules } from "../../runners/runner.ts";
import type { Debuggee } from "../../session/debuggee.ts";
import type { Session } from "../../session/session.ts";
import { partedStack } from "../../session/stack/autopsy.ts";
import type { Frame } from "../../session/stack/frames.ts";
import { type ExceptionLine, type Snapshot, snapshot } from "../../session/stack/snapshot.ts";
import { slice, sourceLines } from "../../session/stack/source.ts";
import { shownValues } from "../../session/values/shown-values.ts";
import { moreLines } from "../../trace/whole-statement.ts";
import type { Context } from "../context.ts";
import { sessionless } from "../runs/one-run.ts";
import type { Framed, Shot } from "./shape.ts";

/** Deep enough for a test below a runner and its plug-ins. */
const LEVELS = 200;
const OUTER_FRAMES = 7;

/** A stop, before its values are read. */
export interface Look {
  snapshot: Snapshot;
  debuggee: Debuggee;
  /** Outward from where it stands. */
  frames: Frame[];
  folded: number;
}

export async function lookAt(context: Context, session: Session, rules: Rules): Promise<Look> {
  const shot = await snapshot(session, { limits: context.limits, before: 0, after: 0 });
  const { debuggee, stack } = await session.focus.place(LEVELS);
  // What an exception came of is told below the test, and has not called it.
  const { stack: calling } = partedStack(stack.frames);
  const frames = ownFrames(calling, rules);
  const folded = stack.total - (stack.frames.length - calling.length) - frames.length;
  return { snapshot: shot, debuggee, frames, folded };
}

export async function takeShot(context: Context, session: Session, look: Look, rules: Rules): Promise<Shot> {
  const { exception, output, notes } = look.snapshot;
  const frames: Framed[] = [];
  const framed = (frame: Frame, at: number) =>
    framedOf(context, session, look.debuggee, frame, { rules, first: at === 0 });
  for (const [at, frame] of look.frames.slice(0, OUTER_FRAMES + 1).entries())
    frames.push(await framed(frame, at));
  const outermost = look.frames.length > frames.length ? look.frames.at(-1) : undefined;
  return {
    ...(exception === undefined ? {} : { exception: exceptionOf(exception) }),
    frames,
    moreFrames: look.frames.length - frames.length,
    ...(outermost === undefined ? {} : { outermost: await framed(outermost, look.frames.length) }),
    folded: look.folded,
    output: { ...output, lines: ownWords(output.lines, rules) },
    notes: sessionless(notes),
  };
}

function exceptionOf({ type, message, causes }: ExceptionLine): NonNullable<Shot["exception"]> {
  return { message, causes, ...(type === undefined ? {} : { type }) };
}

/** Between two parts of an asynchronous stack; what is not one awaiting the other is who scheduled it: the runner. */
const AWAITS = /await|async/i;

function ownFrames(all: readonly Frame[], rules: Rules): Frame[] {
  const end = all.findIndex((frame) => frame.label && !AWAITS.test(frame.name));
  const mine: Frame[] = [];
  for (const frame of end < 0 ? all : all.slice(0, end))
    if (frame.user && !rules.owns?.(frame, mine.at(-1))) mine.push(frame);
  return mine;
}

async function framedOf(
  context: Context,
  session: Session,
  debuggee: Debuggee,
  frame: Frame,
  { rules, first }: { rules: Rules; first: boolean },
): Promise<Framed> {
  const lines = frame.line > 0 ? await sourceLines(debuggee, frame) : undefined;
  const [before, least] = first ? [2, 1] : [0, 0];
  const after = Math.max(least, moreLines(frame.path ?? "", lines ?? [], frame.line));
  const { values } = await shownValues(session, debuggee, frame, {
    lines,
    wider: first ? "here" : "none",
    limits: context.limits,
  });
  const all = values.map(({ line }) => line);
  const own = all.filter((value) => !rules.hides?.(value, all));
  return {
    function: frame.name,
    ...(frame.path === undefined ? {} : { path: frame.path }),
    line: frame.line,
    source: lines ? slice(lines, frame.line - before, frame.line + after) : [],
    values: own.map(withoutHandle),
  };
}

/** The program is gone when the answer is read: there is nothing left to open. */
function withoutHandle({ handle: _handle, ...value }: Framed["values"][number]): Framed["values"][number] {
  return value;
}
