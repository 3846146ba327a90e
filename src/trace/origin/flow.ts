/**
 * What a failing line depends on: lines that ran before it, by what they gave it. From the recording alone: who wrote the names and
 * fields that a line reads, what its calls returned, which condition let it run, who called. The sources only say which names
 * a line reads. The nearest first. Pure.
 */
import { nameParts } from "../function-name.ts";
import { type Activation, activationsWithin, isNamed, isUndone, type Ran } from "./activations.ts";
import { CONDITIONAL, indentOf, isWayOut } from "./conditions.ts";
import { KeptBack } from "./kept-back.ts";
import {
  callerOf,
  FAR_BACK,
  isKnown,
  isOwnField,
  isUnawaited,
  keyOf,
  lastOf,
  type Moment,
  madeAt,
  makingOf,
  Queue,
  type Start,
  thrownBefore,
  timesOf,
} from "./moments.ts";
import {
  assigns,
  assignsPart,
  changesName,
  isHead,
  isOnlySet,
  partOf,
  pointedAt,
  type Statement,
  statementOf,
  wantedBy,
  writes,
  writesName,
} from "./reading.ts";
import { innermost, SELF, sharedAt } from "./shared.ts";
import type { Step } from "./step.ts";
import { isSameValue } from "./values.ts";

type Writing = Moment & { seq: number; name?: string };

/** What one step costs: a value is nearer than a condition, the last writer nearer than those before it. */
const VALUE = 1;
const EARLIER = 0.5;
/** What changes though no line names it is seldom meant to. */
const ALIAS = 0.5;
const CONDITION = 1.5;
const CALLER = 1.5;
const ASIDE = 1.5;
/** A callback of the statement's own. */
const WITHIN = 0.5;
const INSIDE = 1.5;
/** Farther: its calls made the change, and are followed themselves. Nearer: it gave a name what is still to come. */
const PASSING = 2;
const UNAWAITED = 2;
/** Of the failing line, where it is known which lines made its value. */
const BEHIND = 2;
/** Of one line, so many of its moments are followed. */
const MOST_MOMENTS = 3;
const MOST_WRITERS = 3;
const MOST_GIVEN = 6;
const MOST_VISITS = 2000;
/** Levels of calls in which something may have been changed that a caller sees changed. */
const LEVELS = 4;

export function flowOf(
  all: readonly Activation[],
  starts: readonly Start[],
  { said, source }: { said: string; source(path: string): readonly string[] },
  nearest: readonly Moment[],
): Step[] {
  return new Flow(all, source).from(starts, said, nearest);
}

class Flow {
  readonly #all: readonly Activation[];
  readonly #source: (path: string) => readonly string[];
  readonly #statements = new Map<string, Statement>();
  readonly #writers = new Map<string, Writing[]>();
  readonly #writing = new Map<string, "no" | "part" | "anew">();
  readonly #found = new Map<string, Step>();
  readonly #visits = new Map<string, number>();
  readonly #seen = new Map<Activation, Set<number>>();
  readonly #waiting = new Queue();
  readonly #keptBack: KeptBack;

  constructor(all: readonly Activation[], source: (path: string) => readonly string[]) {
    this.#all = all;
    this.#source = source;
    this.#keptBack = new KeptBack(source);
  }

  from(starts: readonly Start[], said: string, nearest: readonly Moment[]): Step[] {
    for (const moment of nearest) this.#waiting.push(moment, 0);
    const behind = nearest.length === 0 ? 0 : BEHIND;
    for (const [at, { active, statement }] of starts.entries()) {
      const index = active.lines.findLastIndex(
        ({ line }) => line >= statement.first && line <= statement.last,
      );
      if (index >= 0)
        this.#waiting.push({ active, index, start: true, pointed: pointedAt(statement, said) }, at + behind);
    }
    for (let visits = 0; visits < MOST_VISITS; visits++) {
      const next = this.#waiting.pop();
      if (next === undefined) break;
      this.#visit(next.moment, next.distance);
    }
    const times = timesOf(this.#all);
    return [...this.#found.entries()]
      .map(([key, step]) => ({ ...step, times: times.get(key) ?? 1 }))
      .sort((one, other) => one.distance - other.distance);
  }

  #visit(moment: Moment, distance: number): void {
    const { active, index } = moment;
    const ran = active.lines[index];
    const seen = this.#seen.get(active) ?? new Set();
    if (ran === undefined || seen.has(index)) return;
    this.#seen.set(active, seen.add(index));
    const key = keyOf(active.path, ran.line);
    const visits = this.#visits.get(key) ?? 0;
    this.#visits.set(key, visits + 1);
    if (visits >= MOST_MOMENTS) return;
    const whole = this.#statement(active.path, ran.line);
    if (visits === 0 && !isHead(this.#text(active.path, ran.line)))
      this.#found.set(key, {
        path: active.path,
        line: ran.line,
        function: active.function,
        ...madeAt(active, index),
        ...(moment.keeps ? { keeps: true } : {}),
        times: 0,
        distance:
          distance + (moment.inside ? PASSING : 0) - (isUnawaited(active, index, whole.text) ? UNAWAITED : 0),
      });
    const statement = moment.wanted === undefined ? whole : partOf(whole, moment.wanted);
    // What `...stats` adds to an object was written as a field.
    if (moment.wanted && /^\.{3}/.test(statement.text))
      this.#written(moment.wanted.key, "field", active.path, ran.seq, distance);
    if (!moment.inside) this.#calls(moment, statement, distance);
    this.#reads(moment, ran, statement, distance);
    this.#conditions(moment, ran, distance);
    for (const child of thrownBefore(active, index))
      this.#waiting.push({ ...lastOf(child, this.#source(child.path)), active: child }, distance + VALUE);
    this.#waiting.push(callerOf(active), distance + CALLER);
  }

  /** What its calls returned. */
  #calls(moment: Moment, statement: Statement, distance: number): void {
    const { wanted } = moment;
    const isPart = wanted !== undefined && statement !== this.#statement(moment.active.path, statement.first);
    for (const child of this.#childrenAt(moment)) {
      const [name = ""] = nameParts(child.function).slice(-1);
      if (isPart && wanted !== undefined && isNamed(child.function) && !statement.text.includes(name))
        continue;
      this.#waiting.push(
        { ...lastOf(child, this.#source(child.path)), active: child, wanted: isPart ? undefined : wanted },
        distance + (isNamed(child.function) ? VALUE : WITHIN),
      );
    }
  }

  /** Of all lines of its statement, as it ran then. */
  #childrenAt({ active, index, start }: Moment): Activation[] {
    const { first, last } = this.#statement(active.path, active.lines[index]?.line ?? 0);
    if (start) return active.children.filter(({ calledAt }) => calledAt >= first && calledAt <= last);
    const isIn = (at: number) => {
      const line = active.lines[at]?.line;
      return line !== undefined && line >= first && line <= last;
    };
    let [from, to] = [index, index];
    while (first !== last && isIn(from - 1)) from--;
    while (first !== last && isIn(to + 1)) to++;
    return active.children.filter(({ calledIn }) => calledIn >= from && calledIn <= to);
  }

  #reads(moment: Moment, ran: Ran, statement: Statement, distance: number): void {
    const { active, index, pointed } = moment;
    // A failure's own words may name what it is about.
    const isAside = (name: string) => pointed !== undefined && !pointed.includes(name);
    const variables = statement.called.filter((name) => isKnown(active, name));
    const isRead = (name: string) => !SELF.has(name) && !(moment.start && isOnlySet(name, statement.text));
    for (const name of [...statement.names, ...variables].filter(isRead))
      this.#readName({ active, index }, ran, name, distance + (isAside(name) ? ASIDE : 0));
    for (const field of statement.fields) {
      const far = distance + (isAside(field) ? ASIDE : 0);
      const isWritten = this.#written(field, "field", active.path, ran.seq, far);
      // A field of its own that no line wrote: those that made the object did not.
      if (!isWritten && isOwnField(field, statement.text))
        for (const maker of makingOf(this.#all, active)) this.#waiting.push(maker, far + VALUE);
    }
  }

  #readName({ active, index }: Moment, ran: Ran, name: string, distance: number): void {
    const before = this.#changedBefore(active, name, index);
    for (const [nth, at] of before.entries())
      this.#changed({ active, index: at }, name, distance + VALUE + nth * EARLIER);
    if (isKnown(active, name))
      for (const at of this.#keptBack.of(name, active, before.at(-1) ?? 0, index))
        this.#waiting.push({ active, index: at }, distance + CONDITION);
    if (before.length > 0) return;
    if (active.arguments.some(([one]) => one === name))
      this.#waiting.push(callerOf(active), distance + VALUE);
    // Otherwise it is written here, and was not there before.
    else if (!isKnown(active, name) && !this.#written(name, "name", active.path, ran.seq, distance))
      this.#given({ active, index }, name, distance);
  }

  /** A line gave this name its value, or something that it called did, or it is also known by another name. */
  #changed({ active, index }: Moment, name: string, distance: number): void {
    const line = active.lines[index]?.line ?? 0;
    const statement = this.#statement(active.path, line);
    const wanted = wantedBy(name, statement);
    const isWritten = wanted !== undefined || this.#how(name, active.path, line) !== "no";
    const inside = !isWritten && this.#inside({ active, index }, name, distance);
    this.#waiting.push({ active, index, wanted, inside }, distance);
    if (isWritten) return;
    if (statement.names.includes(name)) return;
    const others = active.lines[index]?.changes.map(([one]) => one) ?? [];
    for (const one of [name, ...others.filter((other) => statement.names.includes(other))]) {
      for (const [nth, at] of this.#changedBefore(active, one, index).entries())
        this.#waiting.push({ active, index: at }, distance + ALIAS + nth * EARLIER);
      this.#handedOn({ active, index }, one, distance + ALIAS);
    }
  }

  /** Calls made before that were given this name: where they read it. */
  #handedOn({ active, index }: Moment, name: string, distance: number): void {
    for (const { child, given } of this.#callsWith({ active, index }, name))
      for (const [at, ran] of child.lines.entries())
        if (this.#statement(child.path, ran.line).names.includes(given))
          this.#waiting.push({ active: child, index: at }, distance);
  }

  /** What nobody here wrote may have been changed by a call that it was given to. */
  #given(moment: Moment, name: string, distance: number): void {
    for (const { child, given } of this.#callsWith(moment, name)) {
      const at = child.lines.findLastIndex(({ changes }) => changes.some(([one]) => one === given));
      if (at >= 0) this.#changed({ active: child, index: at }, given, distance + VALUE);
    }
  }

  #callsWith({ active, index }: Moment, name: string): { child: Activation; given: string }[] {
    return active.children
      .filter((child) => child.calledIn < index)
      .filter((child) => this.#statement(active.path, child.calledAt).names.includes(name))
      .flatMap((child) => child.arguments.map(([given]) => ({ child, given })))
      .filter(({ given }) => !SELF.has(given) && !given.includes("."))
      .slice(-MOST_GIVEN);
  }

  /** The last on each of a few lines: a loop leads to what was there before it. Also where it was given the value that it had. */
  #changedBefore({ path, lines }: Activation, name: string, before: number): number[] {
    const found = new Map<number, number>();
    for (let at = before - 1; at >= Math.max(0, before - FAR_BACK) && found.size < MOST_WRITERS; at--) {
      const ran = lines[at];
      if (ran === undefined || found.has(ran.line)) continue;
      const how = this.#how(name, path, ran.line);
      if (how === "no" && !ran.changes.some(([one]) => one === name)) continue;
      found.set(ran.line, at);
      // What it was before that is gone.
      if (how === "anew") break;
    }
    return [...found.values()];
  }

  /** A value that changed while a call ran: the lines in it that changed what is not only theirs; rather those that made it what it is. */
  #inside({ active, index }: Moment, name: string, distance: number): boolean {
    const value = active.lines[index]?.changes.findLast(([one]) => one === name)?.[1];
    const writing = activationsWithin(this.#childrenAt({ active, index }), LEVELS).flatMap((one) =>
      one.lines.flatMap((ran, at) =>
        sharedAt(one, ran, this.#text(one.path, ran.line)).map(([changed, made]) => ({
          active: one,
          index: at,
          seq: ran.seq,
          name: changed,
          made,
        })),
      ),
    );
    const making = writing.filter(({ made }) => isSameValue(made, value));
    this.#lastOf(innermost(making.length > 0 ? making : writing), distance + INSIDE);
    return writing.length > 0;
  }

  /** Whether there are lines that wrote it. */
  #written(name: string, kind: "name" | "field", path: string, before: number, distance: number): boolean {
    const all = this.#writersOf(name, kind, path).filter(({ seq }) => seq < before);
    const keeps = new Set(all.map(({ active, index }) => active.lines[index]?.line)).size > 1;
    this.#lastOf(all, distance + VALUE, keeps);
    return all.length > 0;
  }

  /** The last on each of a few lines. */
  #lastOf(writing: readonly Writing[], distance: number, keeps = false): void {
    const lines = new Set<string>();
    for (const moment of [...writing].sort((one, other) => other.seq - one.seq)) {
      const key = keyOf(moment.active.path, moment.active.lines[moment.index]?.line ?? 0);
      if (lines.has(key)) continue;
      const { active, index, name } = moment;
      const far = distance + lines.size * EARLIER;
      const isOwn = name === undefined || SELF.has(name.split(".")[0] ?? "");
      if (isOwn) this.#waiting.push({ active, index, keeps }, far);
      else this.#changed({ active, index }, name, far);
      lines.add(key);
      if (lines.size >= MOST_WRITERS) break;
    }
  }

  #writersOf(name: string, kind: "name" | "field", path: string): Writing[] {
    const key = kind === "field" ? `.${name}` : keyOf(path, name);
    const known = this.#writers.get(key);
    if (known !== undefined) return known;
    const lines = new Map<string, boolean>();
    const isWrite = (one: Activation, ran: Ran, index: number) => {
      if (
        ran.changes.some(([changed]) =>
          // In a method of C++ and Java a field's name stands alone.
          kind === "field" ? changed.endsWith(`.${name}`) : changed === name || changed === `this.${name}`,
        )
      )
        return true;
      if (isUndone(one, index)) return false;
      const place = keyOf(one.path, ran.line);
      const text = this.#text(one.path, ran.line);
      const does =
        lines.get(place) ??
        (!isHead(text) && (kind === "field" ? writes(name, text) : changesName(name, text)));
      lines.set(place, does);
      return does;
    };
    const found = this.#all
      .filter((one) => kind === "field" || one.path === path)
      .flatMap((one) =>
        one.lines.flatMap((ran, index) =>
          isWrite(one, ran, index) ? [{ active: one, index, seq: ran.seq }] : [],
        ),
      );
    this.#writers.set(key, found);
    return found;
  }

  /** Lines above that decided that this one ran: around it, or before it with a way out. */
  #conditions({ active, index }: Moment, ran: Ran, distance: number): void {
    const source = this.#source(active.path);
    let indent = indentOf(source[ran.line - 1]);
    let out = 0;
    const passed = new Set<number>();
    for (let at = index - 1; at >= 0; at--) {
      const line = active.lines[at]?.line ?? 0;
      const text = source[line - 1] ?? "";
      if (passed.has(line) || line >= ran.line || !CONDITIONAL.test(text)) continue;
      passed.add(line);
      if (indentOf(text) < indent) {
        indent = indentOf(text);
        this.#waiting.push({ active, index: at }, distance + CONDITION);
      } else if (isWayOut(source, line)) {
        out += 1;
        this.#waiting.push({ active, index: at }, distance + CONDITION + out * EARLIER);
      }
    }
  }

  /** Whether a line writes this name, and whether what it had before is gone. */
  #how(name: string, path: string, line: number): "no" | "part" | "anew" {
    const key = `${name}\0${keyOf(path, line)}`;
    const known = this.#writing.get(key);
    if (known !== undefined) return known;
    const text = this.#text(path, line);
    const isPart = writesName(name, text) || assignsPart(name, text);
    const how = assigns(name, text) ? "anew" : isPart ? "part" : "no";
    this.#writing.set(key, how);
    return how;
  }

  #statement(path: string, line: number): Statement {
    const key = keyOf(path, line);
    const known = this.#statements.get(key) ?? statementOf(this.#source(path), line);
    this.#statements.set(key, known);
    return known;
  }

  #text(path: string, line: number): string {
    return this.#source(path)[line - 1] ?? "";
  }
}
