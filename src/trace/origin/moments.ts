/** Moments of a run, a line of a call as it ran once, and those that wait to be looked at. Pure. */
import { regExpText } from "../../util/text.ts";
import { nameParts } from "../function-name.ts";
import { type Activation, isNamed } from "./activations.ts";
import type { Statement, Wanted } from "./reading.ts";
import { isMaker } from "./writes.ts";

/** A frame of the stack that failed, where it stood. */
export interface Start {
  active: Activation;
  statement: Statement;
}

export interface Moment {
  active: Activation;
  index: number;
  /** Where the failure is: its line may have been left and come back to, as often as it takes to report it. */
  start?: boolean;
  /** Names that matter more than the others of its statement. */
  pointed?: readonly string[] | undefined;
  /** It matters for what lines of its calls changed, which are known, and not for what they returned. */
  inside?: boolean;
  /** It wrote what is read long after it, and other lines write that too: not a mere definition. */
  keeps?: boolean;
  /** Only this part of what is made there. */
  wanted?: Wanted | undefined;
}

export function callerOf({ parent, calledIn }: Activation): Moment | undefined {
  return parent === undefined || calledIn < 0 ? undefined : { active: parent, index: calledIn };
}

/** Not the bracket at its end. */
export function lastOf({ lines }: Activation, source: readonly string[]): Pick<Moment, "index"> {
  return { index: lines.findLastIndex(({ line }) => /\w/.test(source[line - 1] ?? "")) };
}

/** The calls that an exception left just before this line ran: it is where that was caught. */
export function thrownBefore({ children }: Activation, index: number): Activation[] {
  return children.filter(({ calledIn, ended }) => calledIn === index - 1 && ended?.how === "throw");
}

/** An argument or a variable of the call. */
export function isKnown({ arguments: given, lines }: Activation, name: string): boolean {
  const isIt = ([one]: [string, string]) => one === name;
  return given.some(isIt) || lines.some(({ changes }) => changes.some(isIt));
}

/** What it wrote; the last line of a call also what it returned. */
export function madeAt(
  active: Activation,
  index: number,
): { changes: [name: string, value: string][]; returned?: string } {
  const changes = active.lines[index]?.changes ?? [];
  const isLast = index >= active.lines.length - 1;
  const { how, value } = active.ended ?? {};
  const returned = isLast && how === "return" && isNamed(active.function) ? value : undefined;
  return { changes, ...(returned === undefined ? {} : { returned }) };
}

/** A promise or a coroutine under a name, by a line that does not wait for it. */
export function isUnawaited({ lines }: Activation, index: number, text: string): boolean {
  if (/\bawait\b/.test(text)) return false;
  return (lines[index]?.changes ?? []).some(
    ([name, value]) => !name.includes(".") && /^(?:Promise\b|<coroutine object )/.test(value),
  );
}

/** `this.stock` or `self.stock`. */
export function isOwnField(name: string, text: string): boolean {
  return new RegExp(String.raw`\b(?:this|self)\.#?${regExpText(name)}(?![\w$])`).test(text);
}

/** The lines of the last call that made an object of the class to which a method belongs. */
export function makingOf(all: readonly Activation[], { function: name, path }: Activation): Moment[] {
  const own = nameParts(name).slice(0, -1).join(".");
  const active = all.findLast(
    (one) =>
      own !== "" &&
      one.path === path &&
      isMaker(one.function) &&
      nameParts(one.function).slice(0, -1).join(".") === own,
  );
  return active === undefined ? [] : active.lines.map((_, index) => ({ active, index }));
}

/** Lines of one call that are looked through for who wrote a name, or did not. */
export const FAR_BACK = 2000;

/** A place, or a name in a file. */
export function keyOf(path: string, line: number | string): string {
  return `${path}\0${line}`;
}

interface Waiting {
  moment: Moment;
  distance: number;
}

/** The nearest first; of equals the first that came. */
export class Queue {
  readonly #levels = new Map<number, Waiting[]>();

  push(moment: Moment | undefined, distance: number): void {
    if (moment === undefined) return;
    const level = this.#levels.get(distance);
    if (level) level.push({ moment, distance });
    else this.#levels.set(distance, [{ moment, distance }]);
  }

  pop(): Waiting | undefined {
    if (this.#levels.size === 0) return undefined;
    const nearest = Math.min(...this.#levels.keys());
    const level = this.#levels.get(nearest) ?? [];
    const first = level.shift();
    if (level.length === 0) this.#levels.delete(nearest);
    return first;
  }
}

/** How many times each line ran. */
export function timesOf(all: readonly Activation[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const { path, lines } of all)
    for (const { line } of lines) times.set(keyOf(path, line), (times.get(keyOf(path, line)) ?? 0) + 1);
  return times;
}
