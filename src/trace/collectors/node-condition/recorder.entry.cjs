// Brought into a program by the debugger: what the conditions of its breakpoints call. One a thread, under a hidden name of the run,
// which goes when the debugger says so. Plain CommonJS for Node 18 and later.
const { readFileSync } = require("node:fs");
const { isMainThread, threadId } = require("node:worker_threads");
const { Channel } = require("../node-source/runtime/channel.cjs");
const { pointRecorder } = require("../node-source/runtime/points.cjs");
const { scriptName, workerName } = require("../node-source/runtime/thread-name.cjs");

/** A condition is evaluated in a script of its own, and the adapter puts an arrow function around it. */
const CARRIERS = 2;

/** @param global of the code that is recorded: `node:vm` may have given it one of its own */
function enter(folder, name, global) {
  unload(__filename);
  const recorder = globalThis[name] ?? start(folder, name);
  if (global !== globalThis) recorder.lend(global);
}

function start(folder, name) {
  const plan = JSON.parse(readFileSync(`${folder}/plan.json`, "utf8"));
  const kit = require(`${folder}/kit.cjs`);
  unload(`${folder}/kit.cjs`);
  const channel = new Channel(`${folder}/records`);
  channel.open();
  const { point, tell } = pointRecorder(plan, kit, __filename, channel, CARRIERS);
  const flush = () => channel.end();
  const globals = [];
  const lend = (global) => {
    Object.defineProperty(global, name, { value: point, configurable: true });
    globals.push(new WeakRef(global));
  };
  const leave = () => {
    channel.close();
    process.off("exit", flush);
    for (const one of globals) delete one.deref()?.[name];
  };
  lend(globalThis);
  atExit(flush);
  // The debugger knows a worker by its own number.
  tell(["h", isMainThread ? scriptName() : `worker ${threadId}${workerName()}`, 1]);
  return Object.assign(point, { lend, leave });
}

/** One more than it has allowed itself would make the program print a warning. */
function atExit(flush) {
  const max = process.getMaxListeners();
  const isFull = max > 0 && process.listenerCount("exit") >= max;
  if (isFull) process.setMaxListeners(0);
  process.on("exit", flush);
  if (isFull) process.setMaxListeners(max);
}

/** Nothing of ours stays among the program's modules. */
function unload(file) {
  const module = require.cache[file];
  if (module === undefined) return;
  delete require.cache[file];
  for (const { id } of [...module.children]) unload(id);
  const siblings = module.parent?.children ?? [];
  const at = siblings.indexOf(module);
  if (at >= 0) siblings.splice(at, 1);
}

module.exports = { enter };
