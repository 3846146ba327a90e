// Preloaded into every Node process of a debugged command (NODE_OPTIONS=--require). It opens the inspector on a free
// loopback port, leaves a note saying where, and waits for the debugger. Plain CommonJS for Node 18 and later, and it may
// never break the program: whatever goes wrong here, the program runs on undebugged.
"use strict";
(function () {
  var folder = process.env.SONDE_NODE_REPORTS;
  if (!folder) return;
  var inspector;
  var opened = false;
  try {
    // Workers run preloads too; they are reached through their process.
    if (!require("worker_threads").isMainThread) return;
    var fs = require("fs");
    var path = require("path");
    if (isLauncher(fs, path) || !isDebuggerThere(fs, folder)) return;

    inspector = require("inspector");
    // Already open when the user's own --inspect is given.
    if (!inspector.url()) {
      inspector.open(0, "127.0.0.1");
      opened = true;
    }
    var report = {
      pid: process.pid,
      url: inspector.url(),
      version: process.version,
      script: process.argv[1] || "",
      execArgv: process.execArgv,
      cwd: process.cwd(),
    };
    var name = process.pid + "-" + process.hrtime.bigint();
    var draft = path.join(folder, "." + name);
    fs.writeFileSync(draft, JSON.stringify(report), { mode: 0o600 });
    // Renamed into place, so that the watcher never reads half a report.
    fs.renameSync(draft, path.join(folder, name + ".json"));
  } catch (_) {
    if (opened) inspector.close();
    return;
  }
  inspector.waitForDebugger();

  /** The folder outlives a debugger that was killed; its name holds the debugger's pid. */
  function isDebuggerThere(fs, folder) {
    if (!fs.existsSync(folder)) return false;
    var owner = /-(\d+)-[^-]*$/.exec(folder);
    try {
      return owner !== null && process.kill(Number(owner[1]), 0);
    } catch (error) {
      return error.code === "EPERM";
    }
  }

  /** Programs whose only work is to start the user's program in a process of its own. */
  function isLauncher(fs, path) {
    var flags = process.execArgv;
    if (has(flags, /^(-c|--check)$/) || has(flags, /^--watch(-path)?(=|$)/)) return true;
    // The runner of `node --test` starts each file in its own process, unless told not to.
    if (has(flags, /^--test$/) && !has(flags, /^--(experimental-)?test-isolation=none$/)) return true;
    if (!process.argv[1]) return false;
    var script = process.argv[1];
    try {
      script = fs.realpathSync(script);
    } catch (_) {
      // An entry without its extension: the name is enough.
    }
    var file = path.basename(script);
    if (/^(npm|npx|pnpm|pnpx|yarn|yarnpkg|corepack)(-cli|-[\d.]+)?(\.[cm]?js)?$/.test(file)) return true;
    var inPackage = /[\\/](?:node_modules|nodejs)[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/](?!.*[\\/]node_modules[\\/])/.exec(script);
    switch (inPackage && inPackage[1].replace("\\", "/")) {
      case "npm":
      case "corepack":
      case "pnpm":
      case "yarn":
      case "bun":
      case "nodemon":
      case "concurrently":
      case "cross-env":
      case "dotenv-cli":
      case "env-cmd":
      case "npm-run-all":
      case "npm-run-all2":
      case "wait-on":
      case "@dotenvx/dotenvx":
        return true;
      case "tsx":
        return /^cli\.[cm]js$/.test(file);
      case "ts-node":
        return file === "bin-esm.js";
      default:
        return false;
    }
  }

  function has(flags, pattern) {
    return flags.some(function (flag) {
      return pattern.test(flag);
    });
  }
})();
