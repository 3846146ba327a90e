// Activations of recorded functions: who called whom, and what changed since their last event.
const { Changes } = require("./changes.cjs");
const { waiting } = require("./rounds.cjs");
const { Toward } = require("./toward.cjs");

class Calls {
  #tools;
  #count = 0;
  /** Functions by the text that names them in the program. */
  #functions = new Map();
  changes;
  /** The one that runs, if it is recorded. */
  current;
  /** What is left out, if anything is. */
  toward;

  constructor(tools) {
    this.#tools = tools;
    this.changes = new Changes(tools.chars, (value) => this.show(value));
    if (tools.toward !== undefined)
      this.toward = new Toward(
        tools.toward,
        (value) => this.show(value),
        () => this.#send('["g"]'),
      );
  }

  /**
   * @param key line, name and file
   * @param flags 1: named by the plan, not only called by one that is; others as in toward.cjs
   * @param isLoose it is not heard of when an exception leaves it: what is called after that must not pass for its doing
   */
  enter(key, flags, values, isLoose = 0) {
    const parent = this.current;
    const isChosen = (flags & 1) === 1;
    if (!isChosen && (parent === undefined || parent.level >= this.#tools.depth)) return UNRECORDED;
    if (this.toward?.enters(flags) === false) return UNRECORDED;
    parent?.catchUp();
    const level = isChosen ? 0 : parent.level + 1;
    const depth = this.toward?.depth(flags, parent?.depth);
    const call = new Call(this, { id: ++this.#count, parent, level, of: this.#function(key), flags, depth });
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

  /** A stack that ended in a call of ours ended in the program's. */
  clean(error) {
    const { own } = this.#tools;
    try {
      if (!(error instanceof RangeError) || !error.stack.includes(own)) return;
      const lines = error.stack.split("\n");
      error.stack = lines.filter((line) => !line.includes(own)).join("\n");
    } catch {
      // Frozen, or no text: it stays as it is.
    }
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
    this.toward?.count();
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
  /** Seen to have changed, and not told yet. */
  #changed = new Map();
  /** Bodies of loops that began a round since the line of their head was told, by that line. */
  #begun = new Map();
  isLoose = false;
  /** Lines of it ran that were not recorded: what has changed since is no line's doing that is known. */
  #isStale = false;
  /** The line that runs was recorded. */
  #isTold = true;

  constructor(calls, { id, parent, level, of, flags, depth }) {
    this.#calls = calls;
    this.id = id;
    this.parent = parent;
    this.level = level;
    this.of = of;
    this.flags = flags;
    this.depth = depth;
    this.#back = parent;
  }

  /** A line is about to run; `isAgain`: the head of a loop, before a further round. */
  l(line, values, isAgain) {
    this.#resume();
    this.#isTold = !this.#isMissed(line, values);
    if (this.#isTold) this.tell("l", line, values, isAgain === 1);
    else this.line = line;
  }

  #isMissed(line, values) {
    const isSeen = this.#calls.toward?.sees(this, line, () => this.#read(values)) ?? true;
    if (!isSeen) this.#isStale = true;
    return !isSeen;
  }

  /** It calls another, or is left: by the line that runs, also where that was not told. */
  catchUp() {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#calls.tell("l", this, this.line, [], []);
  }

  /** A round begins in a body on the line of its head; told as one unless that was done since the last of them. */
  b(line, site, around, values) {
    if (this.#begun.get(line)?.has(site)) this.l(line, around, 1);
    const begun = this.#begun.get(line) ?? new Set();
    this.#begun.set(line, begun.add(site));
    this.o(values);
  }

  /** What has changed by now is the doing of the line that runs. */
  o(values) {
    if (this.#isMissed(0, values)) return;
    for (const [name, text] of this.#compare(values, true).changes) this.#changed.set(name, text);
  }

  /** All that changed since the last event, each by its last value. */
  #taken(changes) {
    if (this.#changed.size === 0) return changes;
    const all = new Map([...this.#changed, ...changes]);
    this.#changed.clear();
    return [...all];
  }

  /** It returns this, unless something comes between. */
  r(line, value, values) {
    const { changes, gone } = this.#compare(values, false);
    const known = this.#taken(changes);
    this.#returning = { line, changes: this.#isStale ? [] : known, gone, value: this.#calls.show(value) };
    return value;
  }

  /** This is thrown out of it. */
  t(error) {
    this.#calls.clean(error);
    this.#returning = undefined;
    this.catchUp();
    const known = this.#taken([]);
    this.#calls.tell("t", this, this.line, this.#isStale ? [] : known, [], this.#calls.show(error));
  }

  /** It is left, one way or the other. */
  x() {
    const { line, changes, gone, value } = this.#returning ?? {};
    if (line !== undefined) {
      this.catchUp();
      // What a `finally` has set since is newer.
      const all = this.#changed.size === 0 ? changes : [...new Map([...changes, ...this.#changed])];
      this.#changed.clear();
      this.#calls.tell("r", this, line, this.#isStale ? [] : all, gone, value);
    }
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
    this.#begun.delete(line);
    const { changes, gone } = this.#compare(values, isAgain);
    // It was about to return, and this comes between.
    const { changes: before = [], gone: left = [] } = this.#returning ?? {};
    if (this.#returning !== undefined) Object.assign(this.#returning, { changes: [], gone: [] });
    const known = [...before, ...this.#taken(changes)];
    this.#calls.tell(kind, this, line, this.#isStale ? [] : known, [...left, ...gone]);
    this.#isStale = false;
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
  b() {},
  o() {},
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
