/**
 * Where a wrong value came from, by what a recorder saw of the run: the call that returned it, or the lines that wrote the field in
 * which it stands. Only calls that ended and lines that ran are named; the sources only say which names a line reads. Pure.
 */
import { nameParts } from "../function-name.ts";
import type { LineEvent } from "../record.ts";
import { type Activation, activations, callsOf, inside, isNamed, levelsIn } from "./activations.ts";
import { type Statement, statementOf } from "./reading.ts";
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

export interface Origin {
  /** From the one that gave it to the failing line inward. */
  calls: Made[];
  writes: Write[];
  /** What to look at line by line, and with how many levels of calls. */
  functions: string[];
  depth: number;
}

const MOST_FUNCTIONS = 3;
const MOST_CALLS = 4;
/** `total = sum(parts)`, and `parts = split(text)` before it. */
const STEPS_BACK = 3;
/** Lines of calls inside that fit into an answer beside their caller's. */
const FEW_LINES = 100;

export function originOf(events: readonly LineEvent[], question: Question): Origin | undefined {
  const all = activations(events);
  const stack = standing(all, question);
  let given: readonly string[] = [];
  for (const [at, one] of stack.entries()) {
    const search = new Search(all, one, { ...question, inner: stack[at - 1]?.active, given, at });
    const found = search.origin();
    if (found !== undefined) return found;
    given = one.active.arguments.map(([, value]) => value);
  }
  return ownFunction(all, stack, question);
}

interface Stood {
  active: Activation;
  statement: Statement;
}

/** The activations of the frames: the last that stood on their lines. */
function standing(all: readonly Activation[], { frames, source }: Question): Stood[] {
  return frames.flatMap(({ path, line }) => {
    if (path === undefined) return [];
    const statement = statementOf(source(path), line);
    const isHere = (ran: number) => ran >= statement.first && ran <= statement.last;
    const there = all.filter((one) => one.path === path && one.lines.some((ran) => isHere(ran.line)));
    const active = there.findLast((one) => isHere(one.lines.at(-1)?.line ?? 0)) ?? there.at(-1);
    return active === undefined ? [] : [{ active, statement }];
  });
}

/** What failed in one's own code, where nothing of what it works with was made by another call: line by line, from its arguments on. */
function ownFunction(
  all: readonly Activation[],
  stack: readonly Stood[],
  { source }: Question,
): Origin | undefined {
  // The outermost is the test.
  const own = stack
    .slice(0, -1)
    .find(({ active }) => isNamed(active.function) && linesOf(active, source(active.path)) > 2);
  if (own === undefined) return undefined;
  return {
    calls: [],
    writes: [],
    functions: [askedAs(own.active.function)],
    depth: depthFor(all, [own.active]),
  };
}

/** How many lines of it ran, but for brackets and its head. */
function linesOf({ line: head, lines }: Activation, source: readonly string[]): number {
  const ran = new Set(lines.map(({ line }) => line).filter((line) => !isBracket(source[line - 1])));
  if (ran.size > 1 && /\{\s*$/.test(source[head - 1] ?? "")) ran.delete(head);
  return ran.size;
}

function isBracket(text = ""): boolean {
  return /^\s*[})\];]*\s*$/.test(text);
}

interface Asked extends Question {
  /** The activation that this one called, and that failed. */
  inner: Activation | undefined;
  /** What that one was given. */
  given: readonly string[];
  at: number;
}

interface Found {
  call: Activation;
  /** It returned the value itself, or what it is a part of. */
  surely: boolean;
}

class Search {
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

  origin(): Origin | undefined {
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
    return first === undefined ? undefined : { ...this.#from(first.call, found), calls: [] };
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
    const { lines } = this.#active;
    const end = lines.length;
    const found: Found[] = [];
    for (const statement of this.#statements) {
      found.push(...this.#callsAt(statement, undefined, this.#wrong));
      for (const name of statement.fields) this.#fields.add(name);
    }
    const names = this.#statements.flatMap((one) => one.names);
    for (const name of names) found.push(...this.#behind(name, end, STEPS_BACK));
    return found;
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
  #from(first: Activation, others: readonly Found[]): Origin {
    const chain = [first];
    for (let call: Activation | undefined = first; call !== undefined; ) {
      call = this.#inner(call);
      if (call !== undefined) chain.push(call);
    }
    const last = chain.at(-1) ?? first;
    const calls = chain.slice(-MOST_CALLS).flatMap((call) => made(call, this.#asked.source(call.path)));
    const isPlain = (call: Activation) =>
      call.children.length === 0 && linesOf(call, this.#asked.source(call.path)) <= 1;
    // One that only hands out a field was never wrong: who wrote it may be.
    const written = isPlain(last) ? this.#writes(this.#fieldsIn(last)) : undefined;
    if (written !== undefined) return { ...written, calls };
    const besides = others.map(({ call }) => call).filter((call) => call !== first && !isPlain(call));
    const shown = [last, ...besides];
    const functions = [...new Set(shown.map((one) => one.function))].slice(0, MOST_FUNCTIONS);
    const looked = shown.filter((one) => functions.includes(one.function));
    return { calls, writes: [], functions: functions.map(askedAs), depth: depthFor(this.#all, looked) };
  }

  #inner(call: Activation): Activation | undefined {
    const value = call.ended?.value;
    const ended = callsOf(call).filter((one) => one.call.ended?.how === "return");
    const same = ended.findLast((one) => isSameValue(one.call.ended?.value, value));
    const isLast = same?.at === call.lines.at(-1)?.line;
    if (same !== undefined && (isLast || isTelling(value ?? ""))) return same.call;
    if (this.#expected.length === 0 || value === undefined) return undefined;
    const isWrong = (part: string) =>
      isTelling(part) && isPart(part, value) && !this.#expected.some((one) => isFrom(part, one));
    return ended.findLast((one) => isWrong(one.call.ended?.value ?? ""))?.call;
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
  #writes(fields: readonly string[], found: readonly Found[] = []): Origin | undefined {
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
function askedAs(name: string): string {
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

function isFrom(value: string, whole: string | undefined): boolean {
  if (whole === undefined) return false;
  return isSameValue(value, whole) || (isTelling(value) && isPart(value, whole));
}

/** Deep enough for all that is called, if that is not much. */
function depthFor(all: readonly Activation[], shown: readonly Activation[]): number {
  const names = new Set(shown.map((one) => one.function));
  const alike = all.filter((one) => names.has(one.function));
  const lines = alike.flatMap((one) => [one, ...inside(one)]).reduce((sum, one) => sum + one.lines.length, 0);
  return lines > FEW_LINES ? 0 : Math.min(3, Math.max(0, ...shown.map(levelsIn)));
}
