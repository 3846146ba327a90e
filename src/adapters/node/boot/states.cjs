// What the two halves of the bridge share: an array of two numbers, and a word.

module.exports = {
  /** Places in it. */
  STATE: 0,
  ACKNOWLEDGED: 1,
  /** What stands at STATE. */
  STARTING: 0,
  HELD: 1,
  RUNNING: 2,
  GONE: 3,
  /** The debugger has left, says the one; the main thread knows, says the other. */
  LEFT: "left",
};
