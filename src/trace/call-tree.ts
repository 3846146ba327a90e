/** Line events as calls within calls: each line with what it changed, loops found and their rounds told apart. Pure. */
import { gapWatch, type Missing } from "./missing.ts";
import type { LineEvent } from "./record.ts";

/** A line that ran, with the variables that differ after it. */
export interface RanLine {
  kind: "line";
  line: number;
  changes: [name: string, value: string][];
  gone: string[];
  /** Made while it ran. */
  calls: Call[];
  /** No line (its number is 0): so many events of the run were not kept here. */
  missing?: number;
}

/** Rounds of a loop; each begins at its first line. */
export interface Loop {
  kind: "loop";
  first: number;
  last: number;
  rounds: Step[][];
  /** It may have run more often: the record has a gap behind what it has of it, or before. */
  part?: "before" | "after";
}

export type Step = RanLine | Loop;

export interface Call {
  call: number;
  function: string;
  path: string;
  line: number;
  thread: string;
  arguments: [name: string, value: string][];
  steps: Step[];
  /** It began after the gap in the record. */
  isAfter?: true;
  /** How it ended; left out if the record ends before. */
  ended?: { how: "return" | "throw"; value?: string; line: number };
}

/** The outermost recorded calls, in order. */
export function callTree(events: readonly LineEvent[], missing?: Missing): Call[] {
  const open = new Map<number, { call: Call; lines: RanLine[] }>();
  const roots: Call[] = [];
  // Whatever ran on meanwhile: what is told next was not done by the line that was told last.
  const watch = gapWatch(missing, (count) => {
    for (const { call, lines } of open.values())
      if (call.ended === undefined)
        lines.push({ kind: "line", line: 0, changes: [], gone: [], calls: [], missing: count });
  });
  for (const event of events) {
    const isAfter = watch(event);
    if (event.kind === "call") {
      const call = { ...begun(event), ...(isAfter ? { isAfter } : {}) };
      open.set(event.call, { call, lines: [] });
      const parent = event.parent === undefined ? undefined : open.get(event.parent);
      const caller = parent?.lines.at(-1);
      if (caller) caller.calls.push(call);
      else roots.push(call);
      continue;
    }
    const active = open.get(event.call);
    if (active === undefined) continue; // its beginning was not kept
    // What differs now was changed by the line before.
    const before = active.lines.at(-1);
    before?.changes.push(...event.changes);
    before?.gone.push(...(event.gone ?? []));
    if (event.kind === "line")
      active.lines.push({ kind: "line", line: event.line, changes: [], gone: [], calls: [] });
    else
      active.call.ended = {
        how: event.kind,
        line: event.line,
        ...(event.value === undefined ? {} : { value: event.value }),
      };
  }
  for (const { call, lines } of open.values()) call.steps = withParts(withLoops(lines));
  return roots;
}

/** Loops that the gap may have cut. */
function withParts(steps: Step[]): Step[] {
  const gap = steps.findIndex((step) => step.kind === "line" && step.missing !== undefined);
  if (gap < 0) return steps;
  let [last] = steps.slice(0, gap).slice(-1);
  while (last?.kind === "loop") {
    last.part = "before";
    last = last.rounds.at(-1)?.at(-1);
  }
  for (const step of steps.slice(gap)) if (step.kind === "loop") step.part = "after";
  return steps;
}

/** All calls that were made inside one, and the one farthest in. However deep it goes: a program may have more stack than we have. */
export function insideOf(call: Call): { count: number; levels: number; deepest: Call } {
  let [count, levels, deepest] = [0, 0, call];
  let level = [call];
  while (level.length > 0) {
    const next = level.flatMap(({ steps }) => linesOf(steps).flatMap(({ calls }) => calls));
    const [first] = next;
    if (first !== undefined) {
      deepest = first;
      levels++;
    }
    count += next.length;
    level = next;
  }
  return { count, levels, deepest };
}

/** The lines of some steps, those of loops among them. */
export function linesOf(steps: readonly Step[]): RanLine[] {
  return steps.flatMap((step) => (step.kind === "line" ? [step] : linesOf(step.rounds.flat())));
}

function begun(event: LineEvent): Call {
  const { call, function: name, path, line, thread, changes } = event;
  return { call, function: name, path, line, thread, arguments: changes, steps: [] };
}

/** A jump back to a line that ran before is a loop with that line at its head. */
export function withLoops(lines: readonly RanLine[]): Step[] {
  const steps: Step[] = [];
  let at = 0;
  while (at < lines.length) {
    const loop = loopAt(lines, at);
    if (loop === undefined) {
      const line = lines[at];
      if (line) steps.push(line);
      at++;
    } else {
      steps.push(loop.loop);
      at = loop.end;
    }
  }
  return steps;
}

/** The loop that begins with the line at `from`, if that line is one's head. */
function loopAt(lines: readonly RanLine[], from: number): { loop: Loop; end: number } | undefined {
  const head = lines[from]?.line ?? 0;
  const visits = [from];
  for (let at = from + 1; at < lines.length; at++) {
    const line = lines[at]?.line ?? 0;
    if (line === head) visits.push(at);
    // A jump to before the head leaves the loop for the one around it.
    else if (line < head) break;
  }
  const last = visits.at(-1) ?? from;
  if (visits.length < 2) return undefined;
  const body = new Set(lines.slice(from, last).map(({ line }) => line));
  let end = last + 1;
  while (end < lines.length && body.has(lines[end]?.line ?? -1) && lines[end]?.line !== head) end++;
  const rounds = visits.map((start, index) => {
    const stop = visits[index + 1] ?? end;
    const [first, ...rest] = lines.slice(start, stop);
    return first === undefined ? [] : [first, ...withLoops(rest)];
  });
  return { loop: { kind: "loop", first: head, last: Math.max(...body), rounds }, end };
}
