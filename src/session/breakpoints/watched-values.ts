/** What watched expressions are at a stop: the old and the new value of what changed, and which of them went with their frame. */
import { advice, call, inSession } from "../../advice/advice.ts";
import { DapRequestError } from "../../dap/request-error.ts";
import { cut } from "../../util/text.ts";
import type { Debuggee } from "../debuggee.ts";
import { addressOf } from "../machine/address.ts";
import type { Session } from "../session.ts";
import type { Aim, Place } from "../stack/focus.ts";
import type { Frame } from "../stack/frames.ts";
import type { Stop } from "../state.ts";
import { type Breakpoint, binding, called, type FrameMark, isIn, type Watched } from "./breakpoint.ts";
import { dataInfo, ownVariable, readWatched, watchSpec } from "./watch-place.ts";

export interface WatchChange {
  id: number;
  expression: string;
  access: Watched["access"];
  old?: string;
  new?: string;
  /** Why there is no new value. */
  gone?: string;
}

/** Found once for a stop: the old value is that of the stop before, however often the new one is shown. */
const found = new WeakMap<Stop, Promise<WatchChange[]>>();

/** The watches that made the program stop. Also takes up what a restart had to let go, and lets go what its frame took along. */
export function watchesAt(session: Session, place: Place, chars: number): Promise<WatchChange[]> {
  const known = found.get(place.stop) ?? look(session, place, chars);
  found.set(place.stop, known);
  return known;
}

async function look(session: Session, place: Place, chars: number): Promise<WatchChange[]> {
  const { breakpoints } = session;
  const { debuggee, stop } = place;
  const mine = breakpoints
    .list()
    .filter((one) => one.enabled && (one.kind === "data" || one.kind === "instruction"));
  const seen: { watch: Breakpoint; change: WatchChange }[] = [];
  for (const watch of mine) {
    if (watch.renew) await renew(session, watch);
    else if (watch.watched && watch.lost === undefined && isIn(watch, debuggee)) {
      const hit = stop.hits.some((one) => one.id === watch.id);
      seen.push({ watch, change: await compare(session, place, watch, watch.watched, hit) });
    }
  }
  if (unnamed(stop)) {
    const changed = seen.filter(({ change }) => change.new !== undefined && change.new !== change.old);
    const which = changed.length === 0 && seen.length === 1 ? seen : changed;
    stop.hits = breakpoints.count(
      debuggee,
      which.map(({ watch }) => watch),
    );
  }
  return seen
    .filter(({ watch }) => stop.hits.some((one) => one.id === watch.id))
    .map(({ change }) => ({
      ...change,
      ...(change.old === undefined ? {} : { old: cut(change.old, chars) }),
      ...(change.new === undefined ? {} : { new: cut(change.new, chars) }),
    }));
}

/** The user changed something: what was read is old, and the next change of a watched place starts from what it is now. */
export async function changedByUs(session: Session, debuggee: Debuggee, aim?: Aim): Promise<void> {
  session.forget(debuggee);
  const mine = session.breakpoints.list().filter((one) => one.lost === undefined && isIn(one, debuggee));
  if (!debuggee.stop || !mine.some((one) => one.watched)) return;
  const place = await session.focus.place(undefined, aim);
  for (const { asked, watched } of mine) {
    if (!watched) continue;
    const mark = watched.frame;
    const frame = mark ? await unlessRefused(frameAgain(session, place, mark)) : place.frame;
    const value = await unlessRefused(readWatched(session, debuggee, frame, asked));
    if (value !== undefined) watched.value = value;
  }
}

/** An expression that means nothing here is no failure. */
async function unlessRefused<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof DapRequestError) return undefined;
    throw error;
  }
}

/** Some adapters say that it was a watch, but not which. */
function unnamed({ reason, hits }: Stop): boolean {
  return hits.length === 0 && /data breakpoint|watchpoint/i.test(reason);
}

async function compare(
  session: Session,
  place: Place,
  watch: Breakpoint,
  watched: Watched,
  hit: boolean,
): Promise<WatchChange> {
  const { debuggee } = place;
  const { id, asked } = watch;
  // Changes that a condition or a count let pass were not seen.
  const seenAll = watch.condition === undefined && watch.hitCondition === undefined;
  const old = seenAll ? watched.value : undefined;
  const change = {
    id,
    expression: asked,
    access: watched.access,
    ...(old === undefined ? {} : { old }),
  };
  const frame = watched.frame ? await frameAgain(session, place, watched.frame) : place.frame;
  if (watched.frame && (!frame || (hit && !(await sameData(session, { ...place, frame }, watch))))) {
    const gone = `${watched.frame.name} has returned, so ${asked} no longer exists`;
    const again = advice`; ${call("watch", { expression: asked })} in a new call sets it again`;
    await session.breakpoints.lose(watch, inSession(gone, again));
    session.breakpoints.tellLost(watch);
    return { ...change, gone: "out of scope" };
  }
  const value = await unlessRefused(readWatched(session, debuggee, frame, asked));
  if (value === undefined) return { ...change, gone: "out of scope here" };
  watched.value = value;
  return { ...change, new: value };
}

/** Deep enough for all but runaway recursion; there the frame is known by its function alone. */
const LEVELS = 200;

/** Nothing if it has returned. */
async function frameAgain(session: Session, place: Place, mark: FrameMark): Promise<Frame | undefined> {
  const stack = await session.frames.get(place.debuggee, mark.threadId, LEVELS);
  const whole = stack.frames.length >= stack.total;
  return stack.frames.find(
    (one) =>
      one.name === mark.name &&
      one.path === mark.path &&
      (!whole || mark.depth === undefined || stack.total - one.index === mark.depth),
  );
}

/** Another call of the same function may stand at the same depth, with its variable elsewhere. */
async function sameData(session: Session, place: Place, watch: Breakpoint): Promise<boolean> {
  const own = await ownVariable(session, place, watch.asked);
  const info = await dataInfo(session, place, watch.asked, own?.container).catch(() => undefined);
  return info === undefined || info.dataId === watch.watched?.dataId;
}

/** Tried once, at the first stop after a restart. */
async function renew(session: Session, breakpoint: Breakpoint): Promise<void> {
  delete breakpoint.renew;
  const { asked: expression, watched, condition, hitCondition } = breakpoint;
  try {
    const place = watched
      ? await watchSpec(session, {
          expression,
          access: watched.access,
          ...(condition === undefined ? {} : { condition }),
          ...(hitCondition === undefined ? {} : { hitCondition }),
        })
      : { reference: await addressOf(session, expression), only: session.focus.debuggee.id };
    await session.breakpoints.regain(breakpoint, place);
  } catch {
    session.breakpoints.tellLost(breakpoint);
    return;
  }
  // One that did not bind is named among those that are not bound.
  if (!binding(breakpoint)?.verified) return;
  session.breakpoints.tell(
    `${called(breakpoint)} ${expression} is active again from here: its address is known only once the program runs`,
    breakpoint,
  );
}
