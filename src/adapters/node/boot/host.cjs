// The main thread's half of the bridge: starts its thread, holds the program until the debugger lets it go, and sees to it that
// what V8 told the debugger is on its way before the process ends. The program should notice nothing of it.

const { ACKNOWLEDGED, GONE, HELD, LEFT, STARTING, STATE } = require("./states.cjs");

module.exports = { startBridge };

/** A thread that the system does not let run must not keep the program from running. */
const START_MS = 15_000;
/** A debugger that does not read must not keep the process from ending. */
const LAST_WORDS_MS = 5000;

function startBridge({ file, socket, hold }) {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const about = {
    pid: process.pid,
    version: process.version,
    script: process.argv[1] || "",
    unchanged: process.env.SONDE_NODE_UNCHANGED === "1",
  };
  const worker = startQuietly(file, { file, socket, shared, hold, about });
  const restore = watchExit(worker, shared);
  // Without a listener an error in there would be the program's.
  worker.on("error", restore);
  worker.once("exit", restore);
  // Whoever gets as far as this has taken notice that the session is over: see there.
  worker.on("message", (message) => message === LEFT && worker.postMessage(LEFT));
  worker.unref();
  if (!hold) return;
  Atomics.wait(shared, STATE, STARTING, START_MS);
  if (Atomics.compareExchange(shared, STATE, STARTING, GONE) === STARTING) return;
  while (Atomics.load(shared, STATE) === HELD) Atomics.wait(shared, STATE, HELD);
}

function startQuietly(file, sondeBridge) {
  const { Worker } = require("node:worker_threads");
  const { nextTick } = process;
  // Node tells `process.on("worker")` of every worker.
  process.nextTick = (callback, ...args) => {
    if (!/emit\(\s*['"]worker['"]/.test(String(callback))) nextTick(callback, ...args);
  };
  try {
    // Nothing of the program's: no preloads, no loaders, no profilers, no coverage.
    return new Worker(file, {
      workerData: { sondeBridge },
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      name: "sonde",
    });
  } finally {
    process.nextTick = nextTick;
  }
}

function notice() {}

/** By Node's own rule, which then ends its inspector before it sends the signal, and would say so on the program's stderr. */
function endsItself(pid, signal) {
  if (!(signal > 0) || ![0, -1, process.pid, -process.pid].includes(pid)) return false;
  const { signals } = require("node:os").constants;
  return !Object.keys(signals).some((name) => signals[name] === signal && process.listenerCount(name) > 0);
}

/** The last moment at which JavaScript runs: behind the program's own `exit` listeners, and before process.reallyExit. */
function watchExit(worker, shared) {
  const root = Object.getPrototypeOf(process);
  const { reallyExit, _kill: kill } = process;
  let emit = process.emit;
  let told = false;
  const tell = (code) => {
    if (told || Atomics.load(shared, STATE) === GONE) return;
    told = true;
    worker.postMessage({ exitCode: code });
    // Meanwhile V8 answers the bridge: see there.
    Atomics.wait(shared, ACKNOWLEDGED, 0, LAST_WORDS_MS);
    // The bridge has left its session by now. V8 takes notice where a function is called.
    for (let turn = 0; turn < 3; turn++) notice();
  };
  function emitExit(...args) {
    let code;
    try {
      const had = Reflect.apply(emit, this, args);
      code = process.exitCode ?? args[1];
      return had;
    } finally {
      if (args[0] === "exit") tell(code);
    }
  }
  // Only while the process exits is there a frame of ours on the stack.
  const get = () => (process._exiting ? emitExit : emit);
  const set = (value) => {
    emit = value;
  };
  Object.defineProperty(root, "emit", { get, set, configurable: true, enumerable: false });
  const ours = (code) => {
    tell(code);
    return Reflect.apply(reallyExit, process, [code]);
  };
  process.reallyExit = ours;
  const ourKill = (pid, signal) => {
    if (endsItself(pid, signal)) tell();
    return Reflect.apply(kill, process, [pid, signal]);
  };
  if (kill !== undefined) process._kill = ourKill;
  return () => {
    const changed = Object.getOwnPropertyDescriptor(root, "emit")?.get === get;
    if (changed) delete root.emit;
    if (changed && process.emit !== emit) process.emit = emit;
    if (process.reallyExit === ours) process.reallyExit = reallyExit;
    if (process._kill === ourKill) process._kill = kill;
  };
}
