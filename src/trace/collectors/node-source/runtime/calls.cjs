// Activations of recorded functions: who called whom, and what changed since their last event.

class Calls {
  #tools;
  #count = 0;
  /** Functions by the text that names them in the program. */
  #functions = new Map();
  /** The one that runs, if it is recorded. */
  current;

  constructor(tools) {
    this.#tools = tools;
  }

  /** @param key line, name and file; `isChosen`: named by the plan, not only called by one that is */
  enter(key, isChosen, values) {
    const parent = this.current;
    if (!isChosen && (parent === undefined || parent.level >= this.#tools.depth)) return UNRECORDED;
    const level = isChosen ? 0 : parent.level + 1;
    const call = new Call(this, { id: ++this.#count, parent, level, of: this.#function(key) });
    this.current = call;
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
  /** It goes on from the event loop, not from its caller. */
  #isResumed = false;

  constructor(calls, { id, parent, level, of }) {
    this.#calls = calls;
    this.id = id;
    this.parent = parent;
    this.level = level;
    this.of = of;
  }

  /** A line is about to run; `isAgain`: the head of a loop, before a further round. */
  l(line, values, isAgain) {
    this.#calls.current = this;
    this.tell("l", line, values, undefined, isAgain === 1);
  }

  /** It returns this. */
  r(line, value, values) {
    this.tell("r", line, values, this.#calls.show(value));
    this.#leave();
    return value;
  }

  /** This is thrown out of it. */
  t(error) {
    this.#calls.tell("t", this, this.line, [], [], this.#calls.show(error));
    this.#leave();
  }

  /** It waits. */
  w(value) {
    this.#leave();
    return value;
  }

  /** It goes on. */
  v(value) {
    this.#isResumed = true;
    this.#calls.current = this;
    return value;
  }

  tell(kind, line, values, value, isAgain = false) {
    this.line = line;
    const changes = [];
    const gone = [];
    const now = this.#read(values);
    if (now !== undefined) {
      const names = Object.keys(now);
      for (const name of names) {
        const text = this.#calls.show(now[name]);
        if (this.#seen.get(name) === text) continue;
        this.#seen.set(name, text);
        changes.push([name, text]);
      }
      if (this.#seen.size > names.length && !isAgain)
        for (const name of this.#seen.keys()) if (!Object.hasOwn(now, name)) gone.push(name);
      for (const name of gone) this.#seen.delete(name);
    }
    this.#calls.tell(kind, this, line, changes, gone, value);
  }

  #read(values) {
    try {
      return values();
    } catch {
      return undefined; // a variable that is not there yet after all
    }
  }

  #leave() {
    this.#calls.current = this.#isResumed ? undefined : this.parent;
  }
}

/** Stands in for an activation that the plan leaves out. */
const UNRECORDED = Object.freeze({
  __proto__: null,
  l() {},
  r: (_line, value) => value,
  t() {},
  w: (value) => value,
  v: (value) => value,
});

module.exports = { Calls };
