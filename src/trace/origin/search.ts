/** Where the value of one frame's statement came from: the calls that it made, those that gave its names their values, the fields it reads. Pure. */
import { nameParts } from "../function-name.ts";
import { type Activation, callsOf, inside, isNamed, levelsIn } from "./activations.ts";
import { failsBy } from "./asserted.ts";
import type { Differing } from "./expected.ts";
import { isOnlySet, type Statement, statementOf } from "./reading.ts";
import { isPart, isSameValue, isTelling } from "./values.ts";
import { isMaker, type Write, writesOf } from "./writes.ts";

/** A frame of the stack that failed. */
export interface Standing {
  path?: string;
  line: number;
}

export interface Question {
  /** Outward from where it failed; the last is the test. */
  frames: readonly Standing[];
  /** Texts of the values that were compared, where the runner told them. */
  compared: readonly string[];
  /** The message of the failure. */
  said: string;
  /** Values that differ, as the failure lists them. */
  differing: Differing;
  source(path: string): readonly string[];
}

/** A call that returned the value, or one that it was made of. */
export interface Made {
  function: string;
  path: string;
  /** Of the line that returned it. */
  line: number;
  value: string;
}

/** Where it came from, without the lines it depends on. */
export interface Source {
  /** From the one that gave it to the failing line inward. */
  calls: Made[];
  writes: Write[];
  /** What to look at line by line, and with how many levels of calls. */
  functions: string[];
  depth: number;
  /** The innermost call that surely returned the value. */
  innermost?: Activation;
}

export interface Stood {
  active: Activation;
  statement: Statement;
}

const MOST_FUNCTIONS = 3;
const MOST_CALLS = 4;
/** `total = sum(parts)`, and `parts = split(text)` before it. */
const STEPS_BACK = 3;
/** Lines of calls inside that fit into an answer beside their caller's. */
const FEW_LINES = 100;

/** How many lines of it ran, but for brackets and its head. */
export function linesOf({ line: head, lines }: Activation, source: readonly string[]): number {
  const ran = new Set(lines.map(({ line }) => line).filter((line) => !isBracket(source[line - 1])));
  if (ran.size > 1 && /\{\s*$/.test(source[head - 1] ?? "")) ran.delete(head);
  return ran.size;
}

function isBracket(text = ""): boolean {
  return /^\s*[})\];]*\s*$/.test(text);
}

export interface Asked extends Question {
  /** The activation that this one called, and that failed. */
  inner: Activation | undefined;
  /** What that one was given. */
  given: readonly string[];
  at: number;
  /** Only what its first so many lines did. */
  lines?: number;
}

interface Found {
  call: Activation;
  /** It returned the value itself, or what it is a part of. */
  surely: boolean;
}

export class Search {
  readonly #all: readonly Activation[];
  readonly #active: Activation;
  readonly #asked: Asked;
  readonly #statements: Statement[];
  /** Fields that the value may have been read from, the nearest first. */
  readonly #fields = new Set<string>();
  /** Values that are wrong, or may be; and those that the test itself states. */
  readonly #wrong: string[];
  readonly #expected: string[];

  constructor(all: readonly Activation[], { active, statement }: Stood, asked: Asked) {
    this.#all = all;
    this.#active = active;
    this.#asked = asked;
    this.#statements = this.#withCondition(statement);
    const isStated = (value: string) => statement.text.includes(value.replace(/^["'](.*)["']$/s, "$1"));
    this.#expected = asked.compared.filter(isStated);
    const compared = asked.compared.filter((value) => !isStated(value));
    this.#wrong = asked.at === 0 && compared.length > 0 ? compared : [...asked.given];
  }

  origin(): Source | undefined {
    // Rather the code under test than helpers beside the test.
    const beside = this.#asked.frames.at(-1)?.path;
    const all = this.#calls();
    const found = [
      ...all.filter(({ call }) => call.path !== beside),
      ...all.filter(({ call }) => call.path === beside),
    ];
    const sure = found.find(({ surely }) => surely);
    if (sure !== undefined) return this.#from(sure.call, found);
    const writes = this.#writes([...this.#fields], found);
    if (writes !== undefined) return writes;
    const [first] = found;
    // It may have nothing to do with it: a place to look, and nothing is said of its value.
    if (first === undefined) return undefined;
    const { innermost: _, ...perhaps } = this.#from(first.call, found);
    return { ...perhaps, calls: [] };
  }

  /** Only a call that surely returned one of the values in question. */
  sure(): Source | undefined {
    const found = this.#calls();
    const sure = found.find(({ surely }) => surely);
    return sure && this.#from(sure.call, found);
  }

  /** What is thrown on a line was decided by the one before it. */
  #withCondition(statement: Statement): Statement[] {
    const isThrown = /^\s*(?:raise|throw|panic!?|abort|fail|return Err)\b/.test(statement.text);
    const before = this.#active.lines.at(-2)?.line;
    const lines = this.#asked.source(this.#active.path);
    return isThrown && before !== undefined ? [statement, statementOf(lines, before)] : [statement];
  }

  /** Calls of the statement, then of those that gave its names their values. */
  #calls(): Found[] {
    const end = this.#asked.lines ?? this.#active.lines.length;
    const found: Found[] = [];
    for (const statement of this.#statements) {
      found.push(...this.#asserted(this.#callsAt(statement, undefined, this.#wrong), statement));
      for (const name of statement.fields) this.#fields.add(name);
    }
    // A line that failed has not set what it was to set: what that held before is no part of it.
    const names = this.#statements.flatMap((one) => one.names.filter((name) => !isOnlySet(name, one.text)));
    for (const name of names) found.push(...this.#behind(name, end, STEPS_BACK));
    return found;
  }

  /** Where the runner tells no values: what the one call returned that is asserted. */
  #asserted(calls: Found[], { text }: Statement): Found[] {
    const [only, ...others] = calls;
    const { at, compared, differing } = this.#asked;
    const isTold = at > 0 || compared.length + differing.actual.length > 0;
    if (isTold || only === undefined || others.length > 0) return calls;
    return [{ ...only, surely: only.surely || failsBy(text, only.call.ended?.value) }];
  }

  /** Those that ended, and not on the way to the failure; of one visit of the lines, if it is given. */
  #callsAt(
    { first, last }: Pick<Statement, "first" | "last">,
    visit: { from: number; to: number } | undefined,
    values: readonly string[],
  ): Found[] {
    const { inner } = this.#asked;
    return callsOf(this.#active)
      .filter(({ call: { seq }, at }) => {
        if (at < first || at > last) return false;
        return visit === undefined || (seq > visit.from && seq < visit.to);
      })
      .filter(({ call }) => call !== inner && call.ended?.how === "return")
      .reverse()
      .map(({ call }) => ({ call, surely: values.some((value) => isFrom(value, call.ended?.value)) }));
  }

  /** What gave this local its value, going back. */
  #behind(name: string, end: number, steps: number): Found[] {
    const { lines, path } = this.#active;
    const at = lines.findLastIndex((ran, index) => index < end && ran.changes.some(([one]) => one === name));
    const ran = lines[at];
    if (ran === undefined || steps === 0) return [];
    const statement = statementOf(this.#asked.source(path), ran.line);
    const value = ran.changes.findLast(([one]) => one === name)?.[1] ?? "";
    const visit = { from: ran.seq, to: lines[at + 1]?.seq ?? Number.POSITIVE_INFINITY };
    const found = this.#callsAt(statement, visit, [value, ...this.#wrong]);
    if (found.length > 0) return found;
    for (const field of statement.fields) this.#fields.add(field);
    return statement.names.filter((one) => one !== name).flatMap((one) => this.#behind(one, at, steps - 1));
  }

  /** Inward, as long as the same value comes from within. */
  #from(first: Activation, others: readonly Found[]): Source {
    const chain = [first];
    for (let call: Activation | undefined = first; call !== undefined; ) {
      call = this.#inner(call) ?? this.#madeOf(call);
      if (call === undefined || chain.includes(call)) break;
      chain.push(call);
    }
    const last = chain.at(-1) ?? first;
    const calls = chain.slice(-MOST_CALLS).flatMap((call) => made(call, this.#asked.source(call.path)));
    const isPlain = (call: Activation) =>
      call.children.length === 0 && linesOf(call, this.#asked.source(call.path)) <= 1;
    // One that only hands out a field was never wrong: who wrote it may be.
    const written = isPlain(last) ? this.#writes(this.#fieldsIn(last)) : undefined;
    if (written !== undefined) return { ...written, calls, innermost: last };
    const besides = others.map(({ call }) => call).filter((call) => call !== first && !isPlain(call));
    const shown = [last, ...besides];
    const functions = [...new Set(shown.map((one) => one.function))].slice(0, MOST_FUNCTIONS);
    const looked = shown.filter((one) => functions.includes(one.function));
    const depth = depthFor(this.#all, looked);
    return { calls, writes: [], functions: functions.map(askedAs), depth, innermost: last };
  }

  #inner(call: Activation): Activation | undefined {
    const value = call.ended?.value;
    const ended = callsOf(call).filter((one) => one.call.ended?.how === "return");
    const same = ended.findLast((one) => isSameValue(one.call.ended?.value, value));
    const isLast = same?.at === call.lines.at(-1)?.line;
    if (same !== undefined && (isLast || isTelling(value ?? ""))) return same.call;
    if (value === undefined) return undefined;
    // One part of it is wrong: who returned that, and not who returned another part.
    const parts = this.#wrong.filter((wrong) => isTelling(wrong) && isPart(wrong, value));
    if (parts.length > 0)
      return ended.findLast((one) => parts.some((part) => isFrom(part, one.call.ended?.value)))?.call;
    if (this.#expected.length === 0) return undefined;
    const isWrong = (part: string) =>
      isTelling(part) && isPart(part, value) && !this.#expected.some((one) => isFrom(part, one));
    return ended.findLast((one) => isWrong(one.call.ended?.value ?? ""))?.call;
  }

  /** A constructor returns what it was given, in an object: the call that returned that to its caller. */
  #madeOf({
    function: name,
    parent,
    arguments: given,
    ended,
    calledAt,
    calledIn,
  }: Activation): Activation | undefined {
    const whole = ended?.value;
    if (!isMaker(name) || parent === undefined || whole === undefined) return undefined;
    const parts = given.map(([, value]) => value).filter((value) => isTelling(value) && isPart(value, whole));
    if (parts.length === 0) return undefined;
    const statement = statementOf(this.#asked.source(parent.path), calledAt);
    const asked = {
      ...this.#asked,
      inner: undefined,
      given: parts,
      at: this.#asked.at + 1,
      lines: calledIn + 1,
    };
    const made = new Search(this.#all, { active: parent, statement }, asked).#calls();
    return made.find(({ surely, call }) => surely && call.function !== name)?.call;
  }

  /** Of what it returned. A method of C++ names its fields as they are. */
  #fieldsIn(call: Activation): string[] {
    const source = this.#asked.source(call.path);
    const { fields, names } = statementOf(source, lastLine(call, source));
    const locals = new Set(
      [...call.arguments, ...call.lines.flatMap((ran) => ran.changes)].map(([name]) => name),
    );
    return locals.has("this") ? [...fields, ...names.filter((name) => !locals.has(name))] : fields;
  }

  /** The functions that wrote these fields, the last first; before them those that were given the object later and wrote nothing. */
  #writes(fields: readonly string[], found: readonly Found[] = []): Source | undefined {
    const { all: writes, last } = writesOf(this.#all, fields, this.#asked.source);
    if (writes.length === 0) return undefined;
    const makers = writes.every((one) => isMaker(one.function));
    const named = writes.filter((one) => isNamed(one.function) && (makers || !isMaker(one.function)));
    const later = found.map(({ call }) => call).filter((call) => call.seq > last);
    const functions = [...new Set([...later, ...named].map((one) => one.function))].slice(0, MOST_FUNCTIONS);
    return { calls: [], writes, functions: functions.map(askedAs), depth: 0 };
  }
}

/** `shop.(*Cart).Sum` → `Cart.Sum`: as people type it. */
export function askedAs(name: string): string {
  if (!/[(*<\s]/.test(name)) return name;
  // A debugger knows a template's members by their own names alone.
  return nameParts(name)
    .slice(name.includes("<") ? -1 : -2)
    .join(name.includes("::") ? "::" : ".");
}

function made(call: Activation, source: readonly string[]): Made[] {
  const { function: name, path, ended } = call;
  return ended?.value === undefined
    ? []
    : [{ function: name, path, line: lastLine(call, source), value: ended.value }];
}

/** The last that did something: a debugger also stops at the bracket that ends a function. */
function lastLine({ line, lines }: Activation, source: readonly string[]): number {
  return lines.findLast((ran) => !isBracket(source[ran.line - 1]))?.line ?? line;
}

export function isFrom(value: string, whole: string | undefined): boolean {
  if (whole === undefined) return false;
  return isSameValue(value, whole) || (isTelling(value) && isPart(value, whole));
}

/** Deep enough for all that is called, if that is not much. */
export function depthFor(all: readonly Activation[], shown: readonly Activation[]): number {
  const names = new Set(shown.map((one) => one.function));
  const alike = all.filter((one) => names.has(one.function));
  const lines = alike.flatMap((one) => [one, ...inside(one)]).reduce((sum, one) => sum + one.lines.length, 0);
  return lines > FEW_LINES ? 0 : Math.min(3, Math.max(0, ...shown.map(levelsIn)));
}
