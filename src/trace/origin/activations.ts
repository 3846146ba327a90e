/** Line events as activations: who called whom on which line, which lines ran and what each changed. Pure. */
import type { LineEvent } from "../record.ts";

export interface Ran {
  line: number;
  seq: number;
  /** What differs after it. */
  changes: [name: string, value: string][];
}

export interface Activation {
  function: string;
  path: string;
  /** Where it begins, as the recorder tells it. */
  line: number;
  arguments: [name: string, value: string][];
  parent?: Activation;
  /** The line of the caller that called it. */
  calledAt: number;
  seq: number;
  lines: Ran[];
  children: Activation[];
  ended?: { how: "return" | "throw"; value?: string };
}

/** In the order in which they began. */
export function activations(events: readonly LineEvent[]): Activation[] {
  const known = new Map<number, Activation>();
  for (const event of events) {
    const active = known.get(event.call);
    if (event.kind === "call") {
      const parent = event.parent === undefined ? undefined : known.get(event.parent);
      const made: Activation = {
        function: event.function,
        path: event.path,
        line: event.line,
        arguments: event.changes,
        calledAt: parent?.lines.at(-1)?.line ?? 0,
        seq: event.seq,
        lines: [],
        children: [],
        ...(parent === undefined ? {} : { parent }),
      };
      parent?.children.push(made);
      known.set(event.call, made);
      continue;
    }
    if (active === undefined) continue; // its beginning was not kept
    active.lines.at(-1)?.changes.push(...event.changes);
    if (event.kind === "line") active.lines.push({ line: event.line, seq: event.seq, changes: [] });
    else active.ended = { how: event.kind, ...(event.value === undefined ? {} : { value: event.value }) };
  }
  return [...known.values()];
}

/** All that were called inside it, to the last level. */
export function inside(one: Activation): Activation[] {
  const found: Activation[] = [];
  let level = one.children;
  while (level.length > 0) {
    found.push(...level);
    level = level.flatMap(({ children }) => children);
  }
  return found;
}

/** How many levels of calls there are in it. */
export function levelsIn(one: Activation): number {
  let levels = 0;
  for (let level = one.children; level.length > 0; level = level.flatMap(({ children }) => children))
    levels++;
  return levels;
}

export interface Called {
  call: Activation;
  /** The line of the caller, also where a nameless function in between made the call. */
  at: number;
}

/** The calls it made by name, those of its lambdas and comprehensions among them. In the order of the run. */
export function callsOf(one: Activation): Called[] {
  const found: Called[] = [];
  const waiting = one.children.map((call): Called => ({ call, at: call.calledAt }));
  for (const { call, at } of waiting) {
    if (isNamed(call.function)) found.push({ call, at });
    else waiting.push(...call.children.map((inner) => ({ call: inner, at })));
  }
  return found.sort((a, b) => a.call.seq - b.call.seq);
}

/** Not `<module>`, `<lambda>`, `(anonymous)`, `main.func1`: what can be asked for. */
export function isNamed(name: string): boolean {
  return /^[\p{L}_$~][^{}]*$/u.test(name) && !/<\w*>(?:\(.*\))?$|anonymous|\bfunc\d+$/.test(name);
}
