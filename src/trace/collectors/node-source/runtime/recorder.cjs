// What the rewritten program calls. It may never throw, nor run the program's own code beyond the expressions of the plan.
const { Calls } = require("./calls.cjs");
const { eachRound } = require("./rounds.cjs");
const { Stack } = require("./stack.cjs");

const UNAVAILABLE = "<unavailable>";

/**
 * @param plan as the reader wrote it
 * @param kit formats values by the rules of a snapshot
 * @param own where our own code lies
 * @param channel takes lines of text
 */
function recorder(plan, kit, own, channel) {
  const clock = performance;
  const { stringify } = JSON;
  const epoch = () => clock.timeOrigin + clock.now();
  const tell = (message) => channel.send(stringify(message), epoch());
  const stack = new Stack(own, plan.frames, tell);
  const show = shower(kit);
  let isBusy = false;

  function point(index, isBody, ...thunks) {
    // An expression that comes by a point itself is not the program's doing.
    if (isBusy) return;
    isBusy = true;
    try {
      const { condition, expressions } = plan.points[index];
      const first = condition === undefined ? 0 : 1;
      if (first === 1 && !thunks[0]()) return;
      const values = [];
      for (let at = 0; at < expressions.length; at++) values.push(read(thunks[first + at]));
      const frames = stack.frames(point, isBody === 1);
      const now = epoch();
      channel.send(`["p",${index},${now.toFixed(3)},${stringify(values)},[${frames}]]`, now);
    } catch {
      // Only a condition that fails comes here: then there is no hit.
    } finally {
      isBusy = false;
    }
  }

  function read(thunk) {
    try {
      return show(thunk());
    } catch {
      return UNAVAILABLE;
    }
  }

  const { depth = 0, functions = [] } = plan.lines ?? {};
  const send = channel.send.bind(channel);
  const calls = new Calls({ depth, isLimited: functions.length > 0, show, send, epoch });
  return {
    tell,
    api: Object.freeze({
      __proto__: null,
      p: point,
      v: (value) => value,
      z: () => NOTHING,
      e: eachRound,
      s: ownThis,
      n: (key, isChosen, values, isLoose) => calls.enter(key, isChosen, values, isLoose),
    }),
  };
}

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

/** Its iteration is its own, whatever the program makes of arrays. */
const NOTHING = {
  __proto__: null,
  [Symbol.iterator]: () => ({ next: () => ({ done: true, value: undefined }) }),
};

/** Of a constructor that may not have called `super` yet. */
function ownThis(read) {
  try {
    return { this: read() };
  } catch {
    return {};
  }
}

module.exports = { recorder };
