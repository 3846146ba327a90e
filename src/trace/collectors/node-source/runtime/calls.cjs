// Activations of recorded functions: who called whom, and what changed since their last event.
const { Changes } = require("./changes.cjs");
const { waiting } = require("./rounds.cjs");

class Calls {
  #tools;
  #count = 0;
  /** Functions by the text that names them in the program. */
  #functions = new Map();
  changes;
  /** The one that runs, if it is recorded. */
  current;

  constructor(tools) {
    this.#tools = tools;
    this.changes = new Changes(tools.chars, (value) => this.show(value));
  }

  /**
   * @param key line, name and file; `isChosen`: named by the plan, not only called by one that is
   * @param isLoose it is not heard of when an exception leaves it: what is called after that must not pass for its doing
   */
  enter(key, isChosen, values, isLoose = 0) {
    const parent = this.current;
    if (!isChosen && (parent === undefined || parent.level >= this.#tools.depth)) return UNRECORDED;
    const level = isChosen ? 0 : parent.level + 1;
    const call = new Call(this, { id: ++this.#count, parent, level, of: this.#function(key) });
    if (isLoose === 1 && this.#tools.isLimited) call.isLoose = true;
    else this.current = call;
    call.tell("c", call.of.line, values);
    return call;
  }

  #function(key) {
    const known = this.#functions.get(key);
    if (known !== undefined) return known;
    const [, line, name, path] = /^(\d+) ([^\n]*)\n([\s\S]*)$/.exec(key);
    const made = { id: this.#functions.size + 1, line: Number(line) };
    this.#functions.set(key, made);
    this.#send(JSON.stringify(["F", made.id, name, path]));
    return made;
  }

  #send(line) {
    this.#tools.send(line, this.#tools.epoch());
  }

  show(value) {
    try {
      return this.#tools.show(value);
    } catch {
      return "<unavailable>";
    }
  }

  tell(kind, call, line, changes, gone, value) {
    const now = this.#tools.epoch();
    const head = `["${kind}",${now.toFixed(3)},${call.id},${call.parent?.id ?? 0},${call.of.id},${line}`;
    const tail = value === undefined ? "" : `,${JSON.stringify(value)}`;
    this.#tools.send(`${head},${JSON.stringify(changes)},${JSON.stringify(gone)}${tail}]`, now);
  }
}

class Call {
  #calls;
  #seen = new Map();
  /** Who goes on when it is left or waits. */
  #back;
  #isWaiting = false;
  /** …for the code that has its values, which calls it then. */
  #isAsked = false;
  /** What it returns, until it has: a `finally` may come between. */
  #returning;
  isLoose = false;

  constructor(calls, { id, parent, level, of }) {
    this.#calls = calls;
    this.id = id;
    this.parent = parent;
    this.level = level;
    this.of = of;
    this.#back = parent;
  }

  /** A line is about to run; `isAgain`: the head of a loop, before a further round. */
  l(line, values, isAgain) {
    this.#resume();
    this.tell("l", line, values, isAgain === 1);
  }

  /** It returns this, unless something comes between. */
  r(line, value, values) {
    const { changes, gone } = this.#compare(values, false);
    this.#returning = { line, changes, gone, value: this.#calls.show(value) };
    return value;
  }

  /** This is thrown out of it. */
  t(error) {
    this.#returning = undefined;
    this.#calls.tell("t", this, this.line, [], [], this.#calls.show(error));
  }

  /** It is left, one way or the other. */
  x() {
    const { line, changes, gone, value } = this.#returning ?? {};
    if (line !== undefined) this.#calls.tell("r", this, line, changes, gone, value);
    this.#returning = undefined;
    // Ended while it waited: whoever ended it is the one that runs.
    if (!this.#isWaiting) this.#leave();
  }

  /** Both, where nothing can come between. */
  q(line, value, values) {
    this.r(line, value, values);
    this.x();
    return value;
  }

  /** It waits. */
  w(value) {
    this.#isWaiting = true;
    this.#leave();
    return value;
  }

  /** It gives a value to the code that asks it, and waits to be asked again. */
  y(value) {
    this.#isAsked = true;
    return this.w(value);
  }

  /** It goes on. */
  v(value) {
    this.#resume();
    return value;
  }

  /** It loops over what it has to wait for. */
  a(iterable) {
    return waiting(iterable, () => this.w());
  }

  /** Nobody called it if it waited for the event loop. */
  #resume() {
    if (this.#isWaiting) this.#back = this.#isAsked ? this.#calls.current : undefined;
    this.#isWaiting = false;
    if (!this.isLoose) this.#calls.current = this;
  }

  tell(kind, line, values, isAgain = false) {
    this.line = line;
    const { changes, gone } = this.#compare(values, isAgain);
    // It was about to return, and this comes between.
    const { changes: before = [], gone: left = [] } = this.#returning ?? {};
    if (this.#returning !== undefined) Object.assign(this.#returning, { changes: [], gone: [] });
    this.#calls.tell(kind, this, line, [...before, ...changes], [...left, ...gone]);
  }

  #compare(values, isAgain) {
    const changes = [];
    const gone = [];
    const now = this.#read(values);
    if (now !== undefined) {
      const names = Object.keys(now);
      for (const name of names) {
        const look = this.#calls.changes.look(now[name]);
        const text = this.#calls.changes.differing(this.#seen.get(name), look, now[name]);
        if (text === undefined) continue;
        this.#seen.set(name, look);
        changes.push([name, text]);
      }
      if (this.#seen.size > names.length && !isAgain)
        for (const name of this.#seen.keys()) if (!Object.hasOwn(now, name)) gone.push(name);
      for (const name of gone) this.#seen.delete(name);
    }
    return { changes, gone };
  }

  #read(values) {
    try {
      const now = values();
      // Called on nothing.
      if (now.this === undefined || now.this === globalThis) delete now.this;
      return now;
    } catch {
      return undefined; // a variable that is not there yet after all
    }
  }

  #leave() {
    if (!this.isLoose) this.#calls.current = this.#back;
  }
}

/** Stands in for an activation that the plan leaves out. */
const UNRECORDED = Object.freeze({
  __proto__: null,
  l() {},
  r: (_line, value) => value,
  q: (_line, value) => value,
  t() {},
  x() {},
  w: (value) => value,
  v: (value) => value,
  y: (value) => value,
  a: (iterable) => iterable,
});

module.exports = { Calls };
