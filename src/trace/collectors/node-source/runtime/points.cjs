// Values at a point, and the way out for them. It may never throw, nor run the program's own code beyond the expressions of the plan.
const { Stack } = require("./stack.cjs");

const UNAVAILABLE = "<unavailable>";
/** As a stop shows a variable whose declaration has not run. */
const UNSET = "<uninitialized>";
const EARLY = /^Cannot access '([^']+)' before initialization$/;

/**
 * @param plan as the reader wrote it
 * @param kit formats values by the rules of a snapshot
 * @param own where our own code lies
 * @param channel takes lines of text
 * @param carriers frames without a file, at most so many, that carry a call to us
 */
function pointRecorder(plan, kit, own, channel, carriers = 0) {
  const clock = performance;
  const { stringify } = JSON;
  const epoch = () => clock.timeOrigin + clock.now();
  const tell = (message) => channel.send(stringify(message), epoch());
  const stack = new Stack(own, plan.frames, tell, carriers);
  const show = shower(kit);
  let isBusy = false;
  let lost = 0;

  /** A hit at the very end of the program's stack, where there is no room to record it. */
  function noteLost(error) {
    if (error instanceof RangeError) lost++;
  }

  function tellLost() {
    const many = lost;
    lost = 0;
    tell([
      "n",
      `the program came to the end of its stack: about ${many} of its last hits there are not recorded`,
    ]);
  }

  function point(index, isBody, ...thunks) {
    record(point, index, isBody, thunks);
  }

  /** With expressions that are given what they read: `reader` makes them of it. */
  function given(self, values, reader) {
    const made = madeBy(reader, self, values);
    if (made !== undefined) record(given, made[0], made[1], made[2]);
  }

  /** Of the last values: at the end of the stack some may have come before without a reader. */
  function madeBy(reader, self, values) {
    try {
      const extra = values.length - reader.length;
      return apply(reader, self, extra > 0 ? values.slice(extra) : values);
    } catch (error) {
      noteLost(error);
      return undefined;
    }
  }

  /** The same, handed over one by one. */
  let held = [];
  let owner;
  function takeReader(reader) {
    const values = held;
    const self = owner;
    held = [];
    owner = undefined;
    const made = madeBy(reader, self, values);
    if (made !== undefined) record(takeReader, made[0], made[1], made[2]);
  }

  /** By the names of the global variables that are set. */
  const takers = {
    __sonde$t: (self) => {
      owner = self;
    },
    __sonde$a: (value) => {
      held[held.length] = value;
    },
    __sonde$q: takeReader,
  };

  /** @param above the function that the program has called */
  function record(above, index, isBody, thunks) {
    // An expression that comes by a point itself is not the program's doing.
    if (isBusy) return;
    isBusy = true;
    try {
      const { condition, expressions } = plan.points[index];
      const first = condition === undefined ? 0 : 1;
      if (first === 1 && !thunks[0]()) return;
      const values = [];
      for (let at = 0; at < expressions.length; at++) values.push(read(thunks[first + at], expressions[at]));
      const frames = stack.frames(above, isBody === 1);
      const now = epoch();
      if (lost > 0) tellLost();
      channel.send(`["p",${index},${now.toFixed(3)},${stringify(values)},[${frames}]]`, now);
    } catch (error) {
      // A condition that fails: then there is no hit. Or there is no room for what it takes.
      noteLost(error);
    } finally {
      isBusy = false;
    }
  }

  function read(thunk, expression) {
    try {
      return show(thunk());
    } catch (error) {
      return error instanceof ReferenceError && EARLY.exec(error.message)?.[1] === expression
        ? UNSET
        : UNAVAILABLE;
    }
  }

  return { point, given, takers, tell, show, epoch };
}

/** The program may change what functions have. */
const { apply } = Reflect;

/** A value as a snapshot shows it; the plainest without asking the kit. */
function shower(kit) {
  return (value) => {
    switch (typeof value) {
      case "number":
        return Object.is(value, -0) ? "-0" : `${value}`;
      case "boolean":
      case "undefined":
        return `${value}`;
      case "string":
        return kit.text(value, false).v;
      default:
        return kit.log(value);
    }
  };
}

module.exports = { pointRecorder };
