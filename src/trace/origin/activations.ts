/** Line events as activations: who called whom on which line, which lines ran and what each changed. Pure. */
import { gapWatch, type Missing } from "../missing.ts";
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
  /** The line of the caller that called it, and which of the lines it ran that was. */
  calledAt: number;
  calledIn: number;
  seq: number;
  lines: Ran[];
  children: Activation[];
  ended?: { how: "return" | "throw"; value?: string };
}

/** In the order in which they began. */
export function activations(events: readonly LineEvent[], missing?: Missing): Activation[] {
  const known = new Map<number, Activation>();
  /** Calls whose line that was told last is not the one that runs. */
  const stale = new Set<number>();
  const watch = gapWatch(missing, () => {
    for (const call of known.keys()) if (missing?.calls?.has(call) ?? true) stale.add(call);
  });
  for (const event of events) {
    watch(event);
    const active = known.get(event.call);
    if (event.kind === "call") {
      const parent = event.parent === undefined ? undefined : known.get(event.parent);
      const isKnown = event.parent !== undefined && !stale.has(event.parent);
      const made: Activation = {
        function: event.function,
        path: event.path,
        line: event.line,
        arguments: event.changes,
        calledAt: (isKnown ? parent?.lines.at(-1)?.line : undefined) ?? 0,
        calledIn: (parent?.lines.length ?? 0) - 1,
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
    if (!stale.delete(event.call)) active.lines.at(-1)?.changes.push(...event.changes);
    if (event.kind === "line") active.lines.push({ line: event.line, seq: event.seq, changes: [] });
    else active.ended = { how: event.kind, ...(event.value === undefined ? {} : { value: event.value }) };
  }
  return [...known.values()];
}

/** A call that did not return left its last line before that was done: what the line was to write has not been written. */
export function isUndone({ lines, ended }: Activation, index: number): boolean {
  return index === lines.length - 1 && ended?.how !== "return";
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

/** These, and all that they called, so many levels deep. */
export function activationsWithin(some: readonly Activation[], levels: number): Activation[] {
  const found = [...some];
  let level: readonly Activation[] = some;
  for (let deep = 1; deep < levels && level.length > 0; deep++) {
    level = level.flatMap(({ children }) => children);
    found.push(...level);
  }
  return found;
}

/** Functions that ran other than as a file was loaded; of a script that is all one file, all. */
export function runningIn(all: readonly Activation[], test: Activation | undefined): Set<string> {
  const loading = new Set<Activation>();
  for (const one of all)
    if (one.function === "<module>" || (one.parent !== undefined && loading.has(one.parent)))
      loading.add(one);
  const isScript = test !== undefined && loading.has(test);
  return new Set(
    all.filter((one) => isScript || !loading.has(one)).map((one) => `${one.path}\0${one.function}`),
  );
}
