// Whether a value is as it was, also where its text does not show all of it; and the part of its text that differs. Runs nothing of
// the program's: no getter, no trap.
const { types } = require("node:util");

const { getOwnPropertyDescriptor: descriptor } = Object;
const { ownKeys, apply } = Reflect;
const sizes = [Map, Set].map((kind) => descriptor(kind.prototype, "size").get);
const entriesOf = Map.prototype.entries;
const valuesOf = Set.prototype.values;
const nextOfMap = new Map().entries().next;
const nextOfSet = new Set().values().next;
const timeOf = Date.prototype.getTime;

/** Parts of a value that are looked at: of a list half from each end, of a map or a set the first. */
const MOST_PARTS = 1000;
/** Characters of a text, and elements of a typed array, from each end. */
const MOST_CHARS = 1024;
/** Around a difference that a cut would hide: of the beginning, and before it. */
const HEAD = 24;
const BEFORE = 30;
const LAST = 40;

/** @param chars of a text that are kept; `show` makes it */
class Changes {
  #chars;
  #show;
  /** Objects that are not looked into, by the order in which they were met. */
  #ids = new WeakMap();
  #count = 0;

  constructor(chars, show) {
    this.#chars = chars;
    this.#show = show;
  }

  /** Its text, and what to know the whole of it by where the text is not all that there is. */
  look(value) {
    const text = this.#show(value);
    const isWhole = text.length <= this.#chars && !text.includes("…");
    return { text, mark: isWhole ? undefined : this.#mark(value) };
  }

  /** What to say of a value that is not as it was; nothing if it is. */
  differing(before, { text, mark }, value) {
    if (before === undefined) return text;
    if (before.text !== text) return this.#window(before.text, text);
    if (before.mark === mark) return undefined;
    const note = ` (${this.#endOf(value)}changed beyond what is shown)`;
    return this.#cut(text, Math.max(1, this.#chars - note.length)) + note;
  }

  #cut(text, most) {
    return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
  }

  #window(before, text) {
    let at = 0;
    while (before[at] === text[at]) at++;
    const chars = this.#chars;
    if (text.length <= chars || at < chars - BEFORE || chars < 2 * (HEAD + BEFORE)) return text;
    const room = chars - HEAD - 1;
    const start = Math.max(HEAD, Math.min(at - BEFORE, text.length - room));
    return `${text.slice(0, HEAD)}…${this.#cut(text.slice(start), room)}`;
  }

  #endOf(value) {
    if (typeof value === "string") return `its length is ${value.length}; `;
    if (types.isProxy(value) || !Array.isArray(value)) return "";
    const last = descriptor(value, value.length - 1);
    const shown = last !== undefined && "value" in last ? this.#cut(this.#show(last.value), LAST) : undefined;
    return `its length is ${value.length}${shown === undefined ? "" : `, its last ${shown}`}; `;
  }

  #mark(value) {
    const walk = { hash: 0, left: MOST_PARTS, waiting: [value], seen: new Set() };
    for (; walk.left > 0 && walk.waiting.length > 0; walk.left--) {
      const one = walk.waiting.pop();
      if (typeof one === "number") mixNumber(walk, one);
      else if (one === null || (typeof one !== "object" && typeof one !== "function")) mix(walk, plain(one));
      else if (walk.seen.has(one)) mix(walk, "@");
      else {
        walk.seen.add(one);
        this.#into(walk, one);
      }
    }
    return walk.hash;
  }

  #into(walk, one) {
    if (typeof one === "function" || types.isProxy(one)) mix(walk, `#${this.#idOf(one)}`);
    else if (types.isMap(one)) {
      mix(walk, `m${apply(sizes[0], one, [])}`);
      push(walk, taken(apply(entriesOf, one, []), nextOfMap));
    } else if (types.isSet(one)) {
      mix(walk, `s${apply(sizes[1], one, [])}`);
      push(walk, taken(apply(valuesOf, one, []), nextOfSet));
    } else if (types.isDate(one)) mix(walk, `d${apply(timeOf, one, [])}`);
    else if (types.isTypedArray(one)) {
      mix(walk, `t${one.length}`);
      for (const at of ends(one.length, MOST_CHARS)) mixNumber(walk, Number(one[at]));
    } else if (Array.isArray(one)) {
      mix(walk, `a${one.length}`);
      this.#list(walk, one);
    } else {
      const keys = ownKeys(one);
      mix(walk, `o${keys.length}`);
      const parts = [];
      for (const at of ends(keys.length, MOST_PARTS / 2)) parts.push(keys[at], held(one, keys[at]));
      push(walk, parts);
    }
  }

  #list(walk, list) {
    const parts = [];
    for (const at of ends(list.length, walk.left / 2)) {
      const part = descriptor(list, at)?.value;
      if (typeof part === "number") {
        mixNumber(walk, part);
        walk.left--;
      } else parts.push(part);
    }
    push(walk, parts);
  }

  #idOf(one) {
    const known = this.#ids.get(one) ?? ++this.#count;
    this.#ids.set(one, known);
    return known;
  }
}

/** The value of a data property. */
function held(object, key) {
  return descriptor(object, key)?.value;
}

/** The first is to be looked at first. */
function push({ waiting }, parts) {
  for (let at = parts.length - 1; at >= 0; at--) waiting.push(parts[at]);
}

/** One from each end in turn: whatever is left out is in the middle. */
function ends(length, most) {
  const found = [];
  for (let at = 0; at < most && at < length - at; at++) {
    found.push(at);
    if (length - 1 - at > at) found.push(length - 1 - at);
  }
  return found;
}

function taken(iterator, next) {
  const found = [];
  while (found.length < MOST_PARTS) {
    const { done, value } = apply(next, iterator, []);
    if (done) break;
    found.push(value);
  }
  return found;
}

function plain(value) {
  if (typeof value !== "string") return `${typeof value}${String(value)}`;
  const shown =
    value.length <= 2 * MOST_CHARS ? value : value.slice(0, MOST_CHARS) + value.slice(-MOST_CHARS);
  return `${value.length}"${shown}`;
}

/** Most parts of long values are numbers. */
function mixNumber(walk, value) {
  if ((value | 0) === value && value !== 0)
    walk.hash = (Math.imul(Math.imul(walk.hash, 31) + value, 31) + 3) | 0;
  else mix(walk, Object.is(value, -0) ? "-0" : `${value}`);
}

function mix(walk, text) {
  let { hash } = walk;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  walk.hash = (Math.imul(hash, 31) + 1) | 0;
}

module.exports = { Changes };
