// What the rewritten program calls.
const { Calls } = require("./calls.cjs");
const { pointRecorder } = require("./points.cjs");
const { eachRound } = require("./rounds.cjs");
const { Tally } = require("./tally.cjs");

/** See points.cjs. */
function recorder(plan, kit, own, channel) {
  const { point, given, takers, tell, show, epoch } = pointRecorder(plan, kit, own, channel);
  const { depth = 0, functions = [], toward } = plan.lines ?? {};
  const send = channel.send.bind(channel);
  const calls = new Calls({
    depth,
    toward,
    isLimited: functions.length > 0,
    chars: plan.valueChars,
    show,
    send,
    epoch,
    own,
  });
  const tally = new Tally(send, epoch);
  const api = Object.freeze({
    __proto__: null,
    p: point,
    q: given,
    v: (value) => value,
    z: () => NOTHING,
    e: eachRound,
    s: ownThis,
    h: hiddenFields,
    n: (key, flags, values, isLoose) => calls.enter(key, flags, values, isLoose),
    c: (error) => calls.clean(error),
    k: (key) => tally.enter(key),
    K: (key) => tally.count(key),
  });
  return {
    tell,
    end: () => tally.end(),
    /** Gives a global object what edited code calls and, in Node's own context, sets. */
    equip: (global, isNodes) => {
      Object.defineProperty(global, "__sonde$", { value: api });
      if (!isNodes) return;
      // Jest gives its contexts variables like Node's own, and fails with those that cannot be defined again.
      for (const [name, set] of Object.entries(takers))
        Object.defineProperty(global, name, { set, configurable: true });
    },
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

function hiddenFields(read, one) {
  try {
    return read();
  } catch {
    return one === undefined ? {} : oneByOne(one());
  }
}

/** Nothing here is of the program's making, nor goes through what it may have changed. */
function oneByOne(reads) {
  let found = {};
  for (let at = 0; at < reads.length; at++) found = { ...found, ...hiddenFields(reads[at]) };
  return found;
}

module.exports = { recorder };
