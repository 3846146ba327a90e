// Which lines ran in each call from outside of a function of one file, as a runner calls its tests: summed up over the calls that
// returned, and over those that an exception left. Stands in for calls.cjs.
const { waiting } = require("./rounds.cjs");

const EVERY_MS = 300;
const MODULE = "<module>";

class Ran {
  #tests;
  #send;
  #epoch;
  #functions = new Map();
  /** By file, then by line: calls that returned, and those that an exception left. */
  #sums = new Map();
  #ended = [0, 0];
  #told = 0;
  #now = performance.now.bind(performance);
  /** The one that runs. */
  current;

  constructor(tests, send, epoch) {
    this.#tests = tests;
    this.#send = send;
    this.#epoch = epoch;
  }

  enter(key, _flags, _values, isLoose = 0) {
    const of = this.#function(key);
    const caller = this.current;
    // Of one that is not heard of when an exception leaves it nobody knows when it ends.
    const isTest = caller === undefined && of.isTest && isLoose === 0;
    const lines = isTest ? new Map() : caller?.lines;
    const call = new Call(this, { back: caller, path: of.path, lines, isTest, isLoose: isLoose === 1 });
    this.switchTo(call, call.isLoose);
    return call;
  }

  switchTo(call, isLoose) {
    if (!isLoose) this.current = call;
  }

  #function(key) {
    const known = this.#functions.get(key);
    if (known !== undefined) return known;
    const [, name, path] = /^\d+ ([^\n]*)\n([\s\S]*)$/.exec(key);
    const made = { path, isTest: path === this.#tests && name !== MODULE };
    this.#functions.set(key, made);
    return made;
  }

  add(files, how) {
    this.#ended[how]++;
    for (const [path, lines] of files) {
      const sums = this.#sums.get(path) ?? new Map();
      this.#sums.set(path, sums);
      for (const line of lines) {
        const sum = sums.get(line) ?? [0, 0];
        sum[how]++;
        sums.set(line, sum);
      }
    }
    if (this.#now() - this.#told > EVERY_MS) this.tell();
  }

  tell() {
    this.#told = this.#now();
    const [returned, thrown] = this.#ended;
    if (returned + thrown === 0) return;
    const files = [...this.#sums].map(([path, sums]) => [
      path,
      [...sums].map(([line, [more, left]]) => [line, more, left]),
    ]);
    this.#ended = [0, 0];
    this.#sums = new Map();
    this.#send(JSON.stringify(["T", returned, thrown, files]), this.#epoch());
  }
}

class Call {
  #ran;
  #back;
  #path;
  #isTest;
  #isThrown = false;
  #isWaiting = false;
  #isAsked = false;

  constructor(ran, { back, path, lines, isTest, isLoose }) {
    this.#ran = ran;
    this.#back = back;
    this.#path = path;
    this.lines = lines;
    this.#isTest = isTest;
    this.isLoose = isLoose;
  }

  l(line) {
    this.v();
    if (this.lines === undefined) return;
    const known = this.lines.get(this.#path);
    if (known === undefined) this.lines.set(this.#path, new Set([line]));
    else known.add(line);
  }

  b(line) {
    this.l(line);
  }

  o() {}

  r(_line, value) {
    this.#isThrown = false;
    return value;
  }

  t() {
    this.#isThrown = true;
  }

  x() {
    if (this.#isTest) this.#ran.add(this.lines, this.#isThrown ? 1 : 0);
    this.#isTest = false;
    if (!this.#isWaiting) this.#ran.switchTo(this.#back, this.isLoose);
  }

  q(_line, value) {
    this.x();
    return value;
  }

  w(value) {
    this.#isWaiting = true;
    this.#ran.switchTo(this.#back, this.isLoose);
    return value;
  }

  y(value) {
    this.#isAsked = true;
    return this.w(value);
  }

  v(value) {
    if (this.#isWaiting) this.#back = this.#isAsked ? this.#ran.current : undefined;
    this.#isWaiting = false;
    this.#ran.switchTo(this, this.isLoose);
    return value;
  }

  a(iterable) {
    return waiting(iterable, () => this.w());
  }
}

module.exports = { Ran };
