/**
 * Programs that tell the truth about themselves: functions with shadowed names, nested blocks, loops, one-line bodies and calls that may
 * be inlined. At each probe a line hands its variables to `truth`, which prints them; a recorder must see the same on that line.
 */
export type Language = "c" | "cpp" | "rust" | "go";

export interface Probe {
  id: number;
  /** From 1, in the program's own file. */
  line: number;
  expressions: string[];
}

export interface Generated {
  text: string;
  probes: Probe[];
}

/** A small generator of numbers that is the same everywhere (mulberry32). */
export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  }
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }
  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }
}

const NAMES = ["x", "y", "n", "k", "acc"];

interface Known {
  name: string;
  /** Assigned to, in Rust, only if it may be. */
  counter: boolean;
}

interface Function {
  name: string;
  parameters: number;
}

/** Writes one program; everything that differs between languages is in `Words`. */
export class Generator {
  readonly #random: Random;
  readonly #words: Words;
  readonly #prefix: string;
  readonly #lines: string[] = [];
  readonly #probes: Probe[] = [];
  readonly #functions: Function[] = [];
  #id: number;
  #loops = 0;

  constructor(
    language: Language,
    { seed, number, firstId }: { seed: number; number: number; firstId: number },
  ) {
    this.#random = new Random(seed);
    this.#words = WORDS[language];
    this.#prefix = `p${number}_`;
    this.#id = firstId;
  }

  generate(): Generated {
    const words = this.#words;
    this.#lines.push(...words.header(this.#prefix));
    const count = 2 + this.#random.below(3);
    for (let at = 0; at < count; at++) this.#function(at);
    this.#lines.push(words.open(`${this.#prefix}main`, [], true));
    for (const { name, parameters } of this.#functions)
      for (let times = 1 + this.#random.below(2); times > 0; times--) {
        const values = Array.from({ length: parameters }, () => String(this.#random.below(50)));
        this.#lines.push(`  ${words.discard(`${name}(${values.join(", ")})`)}`);
      }
    this.#lines.push(...words.close("0", true));
    return { text: `${this.#lines.join("\n")}\n`, probes: this.#probes };
  }

  #function(at: number): void {
    const name = `${this.#prefix}f${at}`;
    const parameters = NAMES.filter(() => this.#random.chance(45)).slice(0, 3);
    if (parameters.length === 0) parameters.push(this.#random.pick(NAMES));
    const known: Known[] = parameters.map((one) => ({ name: one, counter: false }));
    if (this.#random.chance(25)) this.#oneLiner(name, parameters);
    else {
      this.#lines.push(...this.#words.enter(name, parameters, this.#random.chance(30)));
      this.#block(known, 1, 3 + this.#random.below(4));
      this.#lines.push(...this.#words.close(this.#expression(known), false));
    }
    this.#functions.push({ name, parameters: parameters.length });
  }

  #oneLiner(name: string, parameters: string[]): void {
    const { call, id } = this.#call(parameters);
    const value = this.#expression(parameters.map((one) => ({ name: one, counter: false })));
    this.#lines.push(this.#words.oneLine(name, parameters, call, value));
    this.#probes.push({ id, line: this.#lines.length, expressions: parameters });
  }

  /** In place: what it declares is known to what follows in it. */
  #block(outer: readonly Known[], depth: number, length: number, taken: readonly string[] = []): void {
    const known = [...outer];
    const own = new Set<string>(depth === 1 ? outer.map(({ name }) => name) : taken);
    for (let left = length; left > 0; left--) this.#statement(known, own, depth);
  }

  #statement(known: Known[], own: Set<string>, depth: number): void {
    const random = this.#random;
    const roll = random.below(100);
    if (roll < 30) this.#probe(known, depth);
    else if (roll < 52) this.#declare(known, own, depth);
    else if (roll < 64) this.#assign(known, depth);
    else if (roll < 70 && this.#functions.length > 0) this.#callOther(known, depth);
    else if (depth >= 4) this.#probe(known, depth);
    else if (roll < 80) {
      this.#line(depth, "{");
      this.#block(known, depth + 1, 2 + random.below(3));
      this.#line(depth, "}");
    } else if (roll < 90) {
      this.#line(depth, this.#words.branch(this.#expression(known)));
      this.#block(known, depth + 1, 1 + random.below(3));
      this.#line(depth, "} else {");
      this.#block(known, depth + 1, 1 + random.below(2));
      this.#line(depth, "}");
    } else if (this.#loops < 4) {
      this.#loops++;
      const counter = random.chance(50) ? "i" : random.pick(NAMES);
      this.#line(depth, this.#words.loop(counter, 1 + random.below(4)));
      const inside = [...known.filter(({ name }) => name !== counter), { name: counter, counter: true }];
      this.#block(inside, depth + 1, 2 + random.below(3), this.#words.redeclaresCounters ? [] : [counter]);
      this.#line(depth, "}");
    }
  }

  #probe(known: Known[], depth: number): void {
    const names = [...new Set(known.map(({ name }) => name))];
    const chosen = names.filter(() => this.#random.chance(50)).slice(0, 3);
    if (chosen.length === 0) chosen.push(this.#random.pick(names));
    const withGlobal = this.#words.watchesGlobals && this.#random.chance(20);
    const expressions = withGlobal ? [...chosen, this.#words.global(this.#prefix)] : chosen;
    const { call, id } = this.#call(expressions);
    const target = this.#assignable(known);
    const more =
      target !== undefined && this.#random.chance(30)
        ? this.#words.also(target, this.#expression(known))
        : "";
    this.#line(depth, this.#words.statement(call, more));
    this.#probes.push({ id, line: this.#lines.length, expressions });
  }

  #call(expressions: readonly string[]): { call: string; id: number } {
    const id = this.#id++;
    return { id, call: this.#words.truth(id, expressions) };
  }

  #declare(known: Known[], own: Set<string>, depth: number): void {
    const name = this.#random.pick(NAMES);
    if (own.has(name) && !this.#words.redeclares) {
      this.#assign(known, depth);
      return;
    }
    // C and C++ would read the new one, which has no value yet.
    const visible = this.#words.ownInitialiser ? known : known.filter((one) => one.name !== name);
    this.#line(depth, this.#words.declare(name, this.#expression(visible)));
    own.add(name);
    const at = known.findIndex((one) => one.name === name);
    if (at >= 0) known.splice(at, 1);
    known.push({ name, counter: false });
  }

  #assign(known: Known[], depth: number): void {
    const target = this.#assignable(known);
    if (this.#random.chance(15))
      this.#line(depth, this.#words.assign(this.#words.global(this.#prefix), this.#expression(known)));
    else if (target !== undefined) this.#line(depth, this.#words.assign(target, this.#expression(known)));
  }

  #callOther(known: Known[], depth: number): void {
    const { name, parameters } = this.#random.pick(this.#functions);
    const values = Array.from({ length: parameters }, () => this.#expression(known));
    const target = this.#assignable(known);
    const call = `${name}(${values.join(", ")})`;
    this.#line(depth, target === undefined ? this.#words.discard(call) : this.#words.assign(target, call));
  }

  #assignable(known: readonly Known[]): string | undefined {
    const all = known.filter(({ counter }) => !counter);
    return all.length === 0 ? undefined : this.#random.pick(all).name;
  }

  /** Small numbers, always below 1009 and never negative. */
  #expression(known: readonly Known[]): string {
    const operand = () =>
      known.length > 0 && this.#random.chance(80)
        ? this.#random.pick(known).name
        : String(this.#random.below(90));
    return `(${operand()} * ${1 + this.#random.below(9)} + ${operand()} + ${this.#random.below(100)}) % 1009`;
  }

  #line(depth: number, text: string): void {
    this.#lines.push("  ".repeat(depth) + text);
  }
}

interface Words {
  /** A name may be declared twice in one block. */
  redeclares: boolean;
  /** A loop's own variable may be declared again in its body. */
  redeclaresCounters: boolean;
  /** What initialises a name may use the one that it hides. */
  ownInitialiser: boolean;
  watchesGlobals: boolean;
  header(prefix: string): string[];
  global(prefix: string): string;
  open(name: string, parameters: readonly string[], exported: boolean): string;
  enter(name: string, parameters: readonly string[], inline: boolean): string[];
  close(value: string, nothing: boolean): string[];
  oneLine(name: string, parameters: readonly string[], call: string, value: string): string;
  declare(name: string, value: string): string;
  assign(name: string, value: string): string;
  discard(call: string): string;
  branch(value: string): string;
  loop(counter: string, times: number): string;
  truth(id: number, expressions: readonly string[]): string;
  /** What a probe's line does after it has told. */
  also(name: string, value: string): string;
  statement(call: string, more: string): string;
}

const c: Words = {
  redeclares: false,
  redeclaresCounters: true,
  ownInitialiser: false,
  watchesGlobals: true,
  header: (prefix) => ['#include "truth.h"', `static int ${prefix}g = 3;`],
  global: (prefix) => `${prefix}g`,
  open: (name, parameters, exported) =>
    `${exported ? "" : "static "}int ${name}(${parameters.map((one) => `int ${one}`).join(", ") || "void"}) {`,
  enter: (name, parameters, inline) =>
    inline
      ? [`static inline int ${name}(${parameters.map((one) => `int ${one}`).join(", ")})`, "{"]
      : [c.open(name, parameters, false)],
  close: (value) => [`  return ${value};`, "}"],
  oneLine: (name, parameters, call, value) =>
    `${c.open(name, parameters, false)} ${call}; return ${value}; }`,
  declare: (name, value) => `int ${name} = ${value};`,
  assign: (name, value) => `${name} = ${value};`,
  discard: (call) => `${call};`,
  branch: (value) => `if (${value} < 505) {`,
  loop: (counter, times) => `for (int ${counter} = 0; ${counter} < ${times}; ${counter}++) {`,
  truth: (id, expressions) => `truth(${[id, expressions.length, ...expressions].join(", ")})`,
  also: (name, value) => `${name} = ${value}`,
  statement: (call, more) => (more === "" ? `${call};` : `${call}, ${more};`),
};

const cpp: Words = {
  ...c,
  redeclaresCounters: false,
  header: (prefix) => ['#include "truth.h"', `static int ${prefix}g = 3;`],
  open: (name, parameters, exported) =>
    `${exported ? 'extern "C" ' : "static "}int ${name}(${parameters.map((one) => `int ${one}`).join(", ")}) {`,
  enter: (name, parameters, inline) =>
    inline
      ? [`template <typename T> static int ${name}(${parameters.map((one) => `T ${one}`).join(", ")})`, "{"]
      : [cpp.open(name, parameters, false)],
  oneLine: (name, parameters, call, value) =>
    `${cpp.open(name, parameters, false)} ${call}; return ${value}; }`,
};

const rust: Words = {
  redeclares: true,
  redeclaresCounters: true,
  ownInitialiser: true,
  watchesGlobals: false,
  header: (prefix) => ["use crate::truth;", `static mut ${prefix}g: i32 = 3;`],
  global: (prefix) => `unsafe { ${prefix}g }`,
  open: (name, parameters, exported) =>
    `${exported ? "pub " : ""}fn ${name}(${parameters.map((one) => `mut ${one}: i32`).join(", ")}) -> i32 {`,
  enter: (name, parameters, inline) => [
    ...(inline ? ["#[inline(always)]"] : []),
    rust.open(name, parameters, false),
  ],
  close: (value) => [`  return ${value};`, "}"],
  oneLine: (name, parameters, call, value) =>
    `${rust.open(name, parameters, false)} ${call}; return ${value}; }`,
  declare: (name, value) => `let mut ${name}: i32 = ${value};`,
  assign: (name, value) =>
    name.startsWith("unsafe") ? `unsafe { ${name.slice(9, -2)} = ${value}; }` : `${name} = ${value};`,
  discard: (call) => `let _ = ${call};`,
  branch: (value) => `if ${value} < 505 {`,
  loop: (counter, times) => `for mut ${counter} in 0..${times} {`,
  truth: (id, expressions) => `truth(${id}, &[${expressions.join(", ")}])`,
  also: (name, value) => `${name} = ${value}`,
  statement: (call, more) => (more === "" ? `${call};` : `${call}; ${more};`),
};

const go: Words = {
  redeclares: false,
  redeclaresCounters: true,
  ownInitialiser: true,
  watchesGlobals: true,
  header: (prefix) => ["package main", `var ${prefix}g int = 3`],
  global: (prefix) => `${prefix}g`,
  open: (name, parameters) => `func ${name}(${parameters.map((one) => `${one} int`).join(", ")}) int {`,
  enter: (name, parameters) => [go.open(name, parameters, false)],
  close: (value) => [`  return ${value}`, "}"],
  oneLine: (name, parameters, call, value) =>
    `${go.open(name, parameters, false)} ${call}; return ${value} }`,
  declare: (name, value) => `${name} := ${value}; _ = ${name}`,
  assign: (name, value) => `${name} = ${value}`,
  discard: (call) => `_ = ${call}`,
  branch: (value) => `if ${value} < 505 {`,
  loop: (counter, times) => `for ${counter} := 0; ${counter} < ${times}; ${counter}++ {`,
  truth: (id, expressions) => `truth(${[id, ...expressions].join(", ")})`,
  also: (name, value) => `${name} = ${value}`,
  statement: (call, more) => (more === "" ? call : `${call}; ${more}`),
};

const WORDS: Record<Language, Words> = { c, cpp, rust, go };
