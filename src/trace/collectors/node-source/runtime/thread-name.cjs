// Threads by the names the debugger has for them.
const { basename } = require("node:path");
const { threadName } = require("node:worker_threads");

/** The main thread. */
function scriptName() {
  const script = process.argv[1] ?? "";
  return script === "" ? `node ${process.pid}` : basename(script);
}

/** What follows a worker's number. */
function workerName() {
  return threadName && threadName !== "WorkerThread" ? ` (${threadName})` : "";
}

module.exports = { scriptName, workerName };
