// Holds the program until the test's debugger is there; the inspector's address goes out on descriptor 3.
const inspector = require("node:inspector");
const { isMainThread } = require("node:worker_threads");
if (isMainThread && process.env.SONDE_TEST_PID === String(process.ppid)) {
  inspector.open(0, "127.0.0.1");
  require("node:fs").writeSync(3, inspector.url());
  inspector.waitForDebugger();
}
