// The `scopes` of a source map (ECMA-426's proposal of that name): which variables each scope of the sources has, and how their values are
// written in each part of the code. Lines and columns from 0.

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const ITEM = { empty: 0, scope: 1, scopeEnd: 2, variables: 3, range: 4, rangeEnd: 5, bindings: 6, parts: 7 };
const OF_RANGE = { line: 1, definition: 2 };

/** The numbers of one item, of which each is read as signed or not. */
class Item {
  #text;
  #at = 0;

  constructor(text) {
    this.#text = text;
  }

  get hasMore() {
    return this.#at < this.#text.length;
  }

  unsigned() {
    let value = 0;
    for (let factor = 1; ; factor *= 32) {
      const digit = DIGITS.indexOf(this.#text[this.#at++] ?? "?");
      if (digit < 0 || factor > 2 ** 35) throw new Error("not a list of numbers");
      value += (digit % 32) * factor;
      if (digit < 32) return value;
    }
  }

  signed() {
    const value = this.unsigned();
    return value % 2 === 1 ? -(value - 1) / 2 : value / 2;
  }

  *all(next) {
    while (this.hasMore) yield next.call(this);
  }
}

class Place {
  line = 0;
  column = 0;

  /** A column counts from the last place if that is in the same line. */
  move(lines, column) {
    this.column = lines === 0 ? this.column + column : column;
    this.line += lines;
    return { line: this.line, column: this.column };
  }
}

class Reading {
  scopes = [];
  ranges = [];
  #names;
  #open = [];
  #openRanges = [];
  #code = new Place();
  #variable = 0;
  #definition = 0;

  constructor(names) {
    this.#names = names;
  }

  take(text) {
    const item = new Item(text);
    const kind = text === "" ? ITEM.empty : item.unsigned();
    if (kind === ITEM.scope) this.#scope();
    else if (kind === ITEM.scopeEnd) this.#scopeEnd();
    else if (kind === ITEM.variables) this.#variables(item);
    else if (kind === ITEM.range) this.#range(item);
    else if (kind === ITEM.rangeEnd) this.#rangeEnd(item);
    else if (kind === ITEM.bindings) this.#bindings(item);
    else if (kind === ITEM.parts) this.#parts(item);
    // Others say where a function was called that is written out here, or are nobody's that we know.
  }

  /** Its name and its place in the source are not needed: what it is to the code is told by the ranges. */
  #scope() {
    const scope = { parent: this.#open.at(-1), variables: [] };
    this.#open.push(scope);
    this.scopes.push(scope);
  }

  #scopeEnd() {
    if (this.#open.pop() === undefined) throw new Error("a scope ends that has not begun");
  }

  #variables(item) {
    for (const by of item.all(item.signed)) {
      this.#variable += by;
      this.#open.at(-1).variables.push(this.#name(this.#variable));
    }
  }

  #range(item) {
    const flags = item.unsigned();
    const lines = flags & OF_RANGE.line ? item.unsigned() : 0;
    const start = this.#code.move(lines, item.unsigned());
    if (flags & OF_RANGE.definition) this.#definition += item.signed();
    const scope = flags & OF_RANGE.definition ? this.scopes[this.#definition] : undefined;
    if (flags & OF_RANGE.definition && scope === undefined) throw new Error("a range of no scope");
    const range = { start, end: start, scope, values: [], parted: new Set(), lastParted: 0, inner: [] };
    (this.#openRanges.at(-1)?.inner ?? this.ranges).push(range);
    this.#openRanges.push(range);
  }

  #rangeEnd(item) {
    const numbers = [...item.all(item.unsigned)];
    const range = this.#openRanges.pop();
    range.end = this.#code.move(numbers.length > 1 ? numbers[0] : 0, numbers.at(-1));
    if (range.values.length > 0 && range.values.length !== range.scope?.variables.length)
      throw new Error("other variables than those of its scope");
  }

  #bindings(item) {
    for (const at of item.all(item.unsigned)) this.#openRanges.at(-1).values.push(this.#value(at));
  }

  /**
   * A variable that is elsewhere in parts of the range. In which order that is written, and whether the variables are counted from the last
   * one, has changed from draft to draft: no value is told of any that may be meant.
   */
  #parts(item) {
    const range = this.#openRanges.at(-1);
    const index = item.unsigned();
    range.lastParted += index;
    range.parted.add(index).add(range.lastParted);
  }

  #value(index) {
    return index === 0 ? undefined : this.#name(index - 1);
  }

  #name(index) {
    const name = this.#names[index];
    if (typeof name !== "string") throw new Error("a name that the map does not have");
    return name;
  }

  get isWhole() {
    return this.#open.length === 0 && this.#openRanges.length === 0;
  }
}

class MapScopes {
  #ranges;

  constructor(ranges) {
    this.#ranges = ranges;
  }

  /** The variables of the source at a place of the code, the nearest first; without `value` those that it has no more. */
  *at(place) {
    const around = this.#around(place);
    for (let scope = around.find((one) => one.scope)?.scope; scope !== undefined; scope = scope.parent) {
      const range = around.find((one) => one.scope === scope);
      for (const [index, name] of scope.variables.entries())
        yield {
          name,
          ...(range?.parted.has(index) ? { isParted: true } : { value: range?.values[index] }),
          range,
        };
    }
  }

  /** From the innermost outwards. */
  #around(place) {
    const chain = [];
    let among = this.#ranges;
    for (;;) {
      const next = among.find(({ start, end }) => !isBefore(place, start) && isBefore(place, end));
      if (next === undefined) return chain;
      chain.unshift(next);
      among = next.inner;
    }
  }
}

function isBefore(one, other) {
  return one.line === other.line ? one.column < other.column : one.line < other.line;
}

/** Undefined where a map says nothing about variables, or nothing that can be read. */
function mapScopes(scopes, names) {
  if (typeof scopes !== "string" || scopes === "") return undefined;
  try {
    const reading = new Reading(names);
    for (const item of scopes.split(",")) reading.take(item);
    if (!reading.isWhole || !reading.scopes.some(({ variables }) => variables.length > 0)) return undefined;
    return new MapScopes(reading.ranges);
  } catch {
    return undefined; // not the format that we know: the map's other ways serve
  }
}

module.exports = { mapScopes };
