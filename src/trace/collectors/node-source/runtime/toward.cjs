// A run that is recorded toward a place: what comes long before it is recorded only for a while.
const { children, isFunction } = require("./tree.cjs");

/** The function that holds the place, or the file itself; one that stands in the place. */
const HOLDS = 2;
const WITHIN = 4;
/** The first, where there is one of the second: `it("…", () => …)` runs long after its line. */
const AROUND = 8;

/** Longer texts may be cut, each by its own rules. */
const SHORT = 60;
/** The clock is looked at. */
const SELDOM = 64;
const OFTEN = 20;
/** Of what may be recorded: less is not worth it. */
const LEAST = 1 / 256;
/** As much as before others. */
const MORE = 3;

/** Of the processor: how busy the machine is makes no difference. The program may put another in the place of these. */
const { cpuUsage } = process;
const spentMs = () => {
  const { user, system } = cpuUsage.call(process);
  return (user + system) / 1000;
};

/** @returns functions of a file by what they have to do with the place */
function nearIn(program, at, toward) {
  const near = new Map();
  if (toward === undefined) return near;
  const spot = (offset) => {
    const place = at(offset);
    return place?.path === toward.path ? place.line : undefined;
  };
  if (!program.body.some(({ start }) => spot(start) !== undefined)) return near;
  const { first, last } = toward;
  let holder = program;
  const visit = (node) => {
    if (isFunction(node)) {
      const [from, to] = [spot(node.start), spot(node.end - 1)];
      if (from < first && to >= last) holder = node;
      else if (from >= first && to <= last) near.set(node, WITHIN);
    }
    for (const child of children(node)) visit(child);
  };
  visit(program);
  return near.set(holder, near.size > 0 ? HOLDS | AROUND : HOLDS);
}

/**
 * Open at first, and anew when the function with the place is entered: each time for so many events or so long, and for more where
 * a line of it leads there. If that is used up in calls within calls, those that made them are recorded for a while again when the run
 * is back in them, the outer the longer, and less each time: what comes last is the nearest to what they return. From the place on, with the values that it
 * is known to have there, to the end.
 */
class Toward {
  #asked;
  #values;
  #show;
  #closed;
  #isThere = false;
  /** A line that leads to the place runs. */
  #isLeading = false;
  /** Lines of the function itself. */
  #own = 0;
  /** How often more is recorded for lines that lead to the place. */
  #before;
  #counted = 0;
  #since = spentMs();
  /** The part of what may be recorded that may be now, and how far in it began to be. */
  #part = 1;
  #depth = Number.POSITIVE_INFINITY;
  isClosed = false;

  /** @param closed called when something begins to be left out */
  constructor(asked, show, closed) {
    this.#asked = asked;
    this.#values = asked.values.filter(({ value }) => value.length <= SHORT);
    this.#before = new Map(asked.before.map((line) => [line, OFTEN]));
    this.#show = show;
    this.#closed = closed;
  }

  /** Whether a function that is called is recorded. */
  enters(flags) {
    if (flags & HOLDS) this.#open();
    if (flags & WITHIN) this.#arrive();
    return !this.isClosed;
  }

  /** How many calls a function is away from the one with the place, if its caller is so many. */
  depth(flags, callers = 0) {
    return (flags & HOLDS) !== 0 ? 0 : callers + 1;
  }

  /** Whether a line that is about to run is. */
  sees({ flags, depth }, line, read) {
    if ((flags & (HOLDS | WITHIN)) === 0) {
      if (this.isClosed && this.#isLeading && depth <= this.#depth) this.#openAgain(depth);
      return !this.isClosed;
    }
    if (this.#isThere) return true;
    if (flags & HOLDS) this.#near(flags, line, read);
    return !this.isClosed || ++this.#own <= this.#asked.events;
  }

  #near(flags, line, read) {
    const { first, last } = this.#asked;
    const isIn = line >= first && line <= last;
    const left = this.#before.get(line) ?? 0;
    // What has changed by the end of a block is told without a line.
    if (line > 0) this.#isLeading = false;
    if ((!isIn && left === 0) || !this.#isIt(read())) return;
    if (!isIn) this.#before.set(line, left - 1);
    this.#isLeading = !isIn;
    if (isIn && !(flags & AROUND)) this.#arrive();
    else this.#open();
  }

  /** One more event. */
  count() {
    if (this.#isThere || this.isClosed) return;
    const more = (this.#isLeading ? MORE : 1) * this.#part;
    const { events, ms } = this.#asked;
    this.#counted++;
    const isLate = this.#counted % SELDOM === 0 && spentMs() - this.#since > ms * more;
    if (this.#counted <= events * more && !isLate) return;
    this.isClosed = true;
    this.#closed();
  }

  #openAgain(depth) {
    const part = depth === this.#depth ? this.#part / 2 : 0.5 ** (depth + 1);
    if (part >= LEAST) this.#open(part, depth);
  }

  #open(part = 1, depth = Number.POSITIVE_INFINITY) {
    if (this.#isThere) return;
    this.#part = part;
    this.#depth = depth;
    this.isClosed = false;
    this.#counted = 0;
    this.#since = spentMs();
  }

  #arrive() {
    this.#open();
    this.#isThere = true;
  }

  /** In a loop it is passed many times: not where a plain value is another. */
  #isIt(here = {}) {
    return this.#values.every(({ name, value }) => {
      const own = Object.hasOwn(here, name) ? here[name] : undefined;
      const isPlain = typeof own === "string" || typeof own === "number" || typeof own === "boolean";
      return !isPlain || this.#show(own) === value;
    });
  }
}

module.exports = { nearIn, Toward };
