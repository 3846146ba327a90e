/**
 * Whether a frame is the very call that was shown before: only then does what a variable was say anything. Debuggers give a call no
 * name, so it is told by where it stands: at the same depth, its callers in the same places. That is proof if none of the callers can
 * have made the call twice, or if a step has just led here.
 */
import type { Place } from "../stack/focus.ts";
import type { Frame, Stack } from "../stack/frames.ts";
import { fileLines } from "../stack/source.ts";

/** A call that was shown, and what its variables were. */
export interface Shown {
  epoch: number;
  /** At that stop. */
  index: number;
  line: number;
  /** Undefined where the stack was not read to its end. */
  depth: number | undefined;
  callers: string;
  values: Map<string, string>;
  /** What it was compared with, for a second look at the same stop. */
  was?: Map<string, string> | undefined;
}

const REMEMBERED = 200;

/** What was last shown of this call, if it surely is the same one; and where to put what is shown now. `again`: a second look at the same stop gives what the first gave. */
export function shownBefore(
  seen: Map<string, Shown>,
  place: Place,
  again = false,
): { old: Map<string, string> | undefined; now: Map<string, string> } {
  const { debuggee, threadId, frame, stack, stop } = place;
  const now = new Map<string, string>();
  if (!frame) return { old: undefined, now };
  const below = stack.frames.slice(frame.index + 1);
  const same = below.filter((one) => one.name === frame.name && one.path === frame.path).length;
  const thread = `${debuggee.id}|${threadId}|`;
  const key = `${thread}${frame.path}|${frame.name}|${same}`;
  forgetEnded(seen, thread, depthOf(stack, 0));
  const before = seen.get(key);
  const shown: Shown = {
    epoch: stop.epoch,
    index: frame.index,
    line: frame.line,
    depth: depthOf(stack, frame.index),
    callers: placesOf(below),
    values: now,
  };
  seen.delete(key);
  if (seen.size >= REMEMBERED) seen.delete(seen.keys().next().value ?? "");
  seen.set(key, shown);
  if (again && before?.epoch === shown.epoch) shown.was = before.was;
  else if (before && isSameCall(before, shown, place, frame, below)) shown.was = before.values;
  return { old: shown.was, now };
}

/** What stood deeper than the thread stands now has returned. */
function forgetEnded(seen: Map<string, Shown>, thread: string, depth: number | undefined): void {
  if (depth === undefined) return;
  for (const [key, one] of seen)
    if (key.startsWith(thread) && one.depth !== undefined && one.depth > depth) seen.delete(key);
}

function isSameCall(
  before: Shown,
  now: Shown,
  { debuggee, stop }: Place,
  frame: Frame,
  below: readonly Frame[],
): boolean {
  // Of a deep stack only a part was read: how often the function occurs further out is not known.
  if (before.epoch === now.epoch) return before.index === now.index;
  const stepped = stop.reason === "step" && before.epoch === now.epoch - 1;
  const isOnward = now.line > before.line;
  // After an `await` the same call stands on another stack.
  if (below[0]?.label) return stepped && debuggee.steppedOver && isOnward;
  if (now.depth === undefined || now.depth !== before.depth || now.callers !== before.callers) return false;
  // A step from the end of a call may lead to the beginning of the next, where a library makes both.
  if (stepped && (isOnward || mayRepeat(frame))) return true;
  return isOnce(frame, below);
}

/** How many frames there are from this one outward. */
function depthOf({ frames, total, onlyForeignLeft }: Stack, index: number): number | undefined {
  return frames.length >= total || onlyForeignLeft ? total - index : undefined;
}

function placesOf(below: readonly Frame[]): string {
  return below
    .filter(({ user }) => user)
    .map(({ path, line, instructionPointer }) => `${path}:${line}:${instructionPointer}`)
    .join("|");
}

/** Names of what a program begins with, in all languages. */
const BEGINNING = /^<module>$|\bmain\b/;

/** No caller of it can have called it twice from the same place. */
function isOnce(frame: Frame, below: readonly Frame[]): boolean {
  const callers = below.filter(({ user }) => user);
  const outermost = callers.at(-1) ?? frame;
  const isBeginning = BEGINNING.test(outermost.name) || outermost === [frame, ...below].at(-1);
  // What an `await` parts from its caller may be one of several at work.
  const isParted = below.some(({ label, index }) => label && index < outermost.index);
  return isBeginning && !isParted && !callers.some(mayRepeat);
}

const LOOP =
  /\b(for|while|do|loop|until|repeat|foreach|forEach|each\w*|times|upto|downto|step|map|flatMap|filter|reduce|inject|some|every|sort\w*|goto|range|redo|retry)\b/;
const FUNCTION = /\b(def|function|func|fn|sub|lambda)\b|=>/;

/** Its line is in a loop of its function, or might be. */
function mayRepeat({ path, line }: Frame): boolean {
  const lines = path === undefined ? undefined : fileLines(path);
  const here = lines?.[line - 1];
  if (lines === undefined || here === undefined) return true;
  if (LOOP.test(here)) return true;
  let least = indentOf(here);
  for (let at = line - 2; at >= 0 && least > 0; at--) {
    const text = lines[at] ?? "";
    if (text.trim() === "" || indentOf(text) >= least) continue;
    least = indentOf(text);
    if (LOOP.test(text)) return true;
    if (FUNCTION.test(text)) return false;
  }
  return false;
}

function indentOf(text: string): number {
  return /^\s*/.exec(text)?.[0].length ?? 0;
}
