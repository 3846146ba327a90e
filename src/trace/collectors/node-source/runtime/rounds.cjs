// Loops over what the program iterates, heard of round by round. What the program sees of its iterators stays the same: what is
// asked of them, how often and when.

const isObject = (value) => (typeof value === "object" && value !== null) || typeof value === "function";

/**
 * `before` is called ahead of each step, or of each but the first.
 * @param complaint V8's words for what cannot be iterated, where they are known
 */
function eachRound(iterable, before, skipped = 0, complaint = undefined) {
  const method = iterable?.[Symbol.iterator];
  if (typeof method !== "function") {
    if (complaint !== undefined) throw new TypeError(complaint);
    return iterable; // V8 says what is wrong with it
  }
  let left = skipped;
  return {
    [Symbol.iterator]() {
      return heard(method.call(iterable), (step) => {
        if (left-- <= 0) before();
        return step();
      });
    },
  };
}

/** `after` is called when a step was asked for, whose value the loop waits for. */
function waiting(iterable, after) {
  if (iterable === undefined || iterable === null) return iterable;
  const round = (step) => {
    try {
      return step();
    } finally {
      after();
    }
  };
  const method = iterable[Symbol.asyncIterator];
  const isSync = method === undefined || method === null;
  const found = isSync ? iterable[Symbol.iterator] : method;
  if (typeof found !== "function") return iterable;
  return {
    [isSync ? Symbol.iterator : Symbol.asyncIterator]: () => heard(found.call(iterable), round, round),
  };
}

function heard(iterator, round, closing = (step) => step()) {
  if (!isObject(iterator)) return iterator; // V8 says what is wrong with it
  const { next } = iterator;
  const wrapped = { next: typeof next === "function" ? () => round(() => next.call(iterator)) : next };
  // Asked for when they are needed, as a loop does.
  for (const name of ["return", "throw"])
    Object.defineProperty(wrapped, name, {
      get() {
        const method = iterator[name];
        return typeof method === "function"
          ? (...args) => closing(() => Reflect.apply(method, iterator, args))
          : method;
      },
    });
  return wrapped;
}

module.exports = { eachRound, waiting };
