// Which functions ran: how often, called by whom, and how long. Nothing is told of single calls: what came since the last time is
// summed up and sent a few times a second.
const { waiting } = require("./rounds.cjs");

const EVERY_MS = 50;

class Tally {
  #send;
  #epoch;
  #functions = new Map();
  /** By function, then by caller: count, time of its own, whole time. */
  #sums = new Map();
  #told = 0;
  #timer;
  #since = 0;
  #setTimeout = setTimeout;
  #now = performance.now.bind(performance);
  current;

  constructor(send, epoch) {
    this.#send = send;
    this.#epoch = epoch;
  }

  enter(key) {
    try {
      const now = this.#now();
      const of = this.#function(key);
      const call = new Activation(this, of, this.current);
      this.sum(of, call.caller).count++;
      this.switchTo(call, now);
      call.begin(now);
      return call;
    } catch {
      return LEFT_OUT; // the end of the stack, which is the program's own affair
    }
  }

  count(key) {
    try {
      this.sum(this.#function(key), this.current?.of).count++;
      this.#later(this.#now());
    } catch {
      // As above.
    }
  }

  switchTo(next, now) {
    if (this.current !== undefined) this.current.ownMs += now - this.#since;
    this.current = next;
    this.#since = now;
    this.#later(now);
  }

  sum(of, caller) {
    const id = caller?.id ?? 0;
    const sums = this.#sums.get(of) ?? new Map();
    if (sums.size === 0) this.#sums.set(of, sums);
    const sum = sums.get(id) ?? { count: 0, ownMs: 0, wholeMs: 0 };
    if (sum.count === 0) sums.set(id, sum);
    return sum;
  }

  /** In time for a program that waits, runs on, or is killed. */
  #later(now) {
    if (now - this.#told > EVERY_MS) this.tell(now);
    else if (this.#timer === undefined) {
      this.#timer = this.#setTimeout.call(
        globalThis,
        () => {
          this.#timer = undefined;
          this.tell(this.#now());
        },
        EVERY_MS,
      );
      this.#timer.unref?.();
    }
  }

  tell(now) {
    this.#told = now;
    const sums = this.#sums;
    if (sums.size === 0) return;
    this.#sums = new Map();
    const at = this.#epoch();
    for (const [of, callers] of sums)
      for (const [caller, { count, ownMs, wholeMs }] of callers)
        this.#send(`["k",${of.id},${caller},${count},${ownMs.toFixed(3)},${wholeMs.toFixed(3)}]`, at);
  }

  /** The process ends: what still runs has run until now. */
  end() {
    const now = this.#now();
    for (let call = this.current; call !== undefined; call = this.current) call.x(now);
    this.tell(now);
  }

  #function(key) {
    const known = this.#functions.get(key);
    if (known !== undefined) return known;
    const [, line, name, path] = /^(\d+) ([^\n]*)\n([\s\S]*)$/.exec(key);
    const made = { id: this.#functions.size + 1, open: 0 };
    this.#functions.set(key, made);
    this.#send(JSON.stringify(["K", made.id, name, path, Number(line)]), this.#epoch());
    return made;
  }

  get now() {
    return this.#now();
  }
}

class Activation {
  #tally;
  #back;
  #began = 0;
  #wholeMs = 0;
  #isWaiting = false;
  #isAsked = false;
  ownMs = 0;

  constructor(tally, of, back) {
    this.#tally = tally;
    this.of = of;
    this.caller = back?.of;
    this.#back = back;
  }

  begin(now) {
    this.#began = now;
    this.of.open++;
  }

  /** Calls of a function within calls of it take the time of the outermost. */
  #pause(now) {
    if (--this.of.open === 0) this.#wholeMs += now - this.#began;
    this.#tally.switchTo(this.#back, now);
  }

  /** It is left. */
  x(now = this.#tally.now) {
    // Ended while it waited: whoever ended it is the one that runs.
    if (!this.#isWaiting) this.#pause(now);
    const sum = this.#tally.sum(this.of, this.caller);
    sum.ownMs += this.ownMs;
    sum.wholeMs += this.#wholeMs;
    this.ownMs = this.#wholeMs = 0;
  }

  w(value) {
    if (!this.#isWaiting) {
      this.#isWaiting = true;
      this.#pause(this.#tally.now);
    }
    return value;
  }

  /** It gives a value to the code that asks it, and waits to be asked again. */
  y(value) {
    this.#isAsked = true;
    return this.w(value);
  }

  v(value) {
    if (this.#isWaiting) {
      this.#isWaiting = false;
      this.#back = this.#isAsked ? this.#tally.current : undefined;
      const now = this.#tally.now;
      this.#tally.switchTo(this, now);
      this.begin(now);
    }
    return value;
  }

  a(iterable) {
    return waiting(iterable, () => this.w());
  }
}

/** Stands in for a call that could not be counted. */
const LEFT_OUT = Object.freeze({
  __proto__: null,
  x() {},
  w: (value) => value,
  y: (value) => value,
  v: (value) => value,
  a: (iterable) => iterable,
});

module.exports = { Tally };
