// Preloaded into every Node process of a debugged command (NODE_OPTIONS=--require). It opens the inspector on a free
// loopback port, leaves a note saying where, and waits for the debugger. Plain CommonJS for Node 18 and later, and it may
// never break the program: whatever goes wrong here, the program runs on undebugged.

const folder = process.env.SONDE_NODE_REPORTS;
if (folder) boot(folder);

function boot(folder) {
  let opened;
  try {
    // Workers run preloads too; they are reached through their process.
    if (!require("node:worker_threads").isMainThread) return;
    if (isLauncher() || !isDebuggerThere(folder)) return;
    // Before anybody can connect: afterwards it would hold up the wait for the debugger.
    keepVariables();
    const inspector = require("node:inspector");
    // Already open when the user's own --inspect is given.
    if (!inspector.url()) {
      inspector.open(0, "127.0.0.1");
      opened = inspector;
    }
    report(folder, inspector.url());
    inspector.waitForDebugger();
  } catch {
    if (opened) opened.close();
  }
}

/**
 * Optimised code forgets a variable after its last use, and a caller's frame would show it as `undefined`. Functions compiled
 * from here on keep theirs as long as they run.
 */
function keepVariables() {
  try {
    const { setFlagsFromString } = require("node:v8");
    setFlagsFromString("--no-analyze-environment-liveness");
    // The compiler for loops in newer V8s does not heed it. Older ones would complain of a flag they do not know.
    if (Number.parseInt(process.versions.v8, 10) >= 12) setFlagsFromString("--no-maglev-osr");
  } catch {
    // A runtime without V8's flags shows fewer values; nothing else is lost.
  }
}

/** Written aside and renamed into place, so that the watcher never reads half a report. */
function report(folder, url) {
  const fs = require("node:fs");
  const name = `${process.pid}-${process.hrtime.bigint()}`;
  const draft = `${folder}/.${name}`;
  const { pid, version, execArgv } = process;
  const script = process.argv[1] || "";
  fs.writeFileSync(draft, JSON.stringify({ pid, url, version, script, execArgv, cwd: process.cwd() }), {
    mode: 0o600,
  });
  fs.renameSync(draft, `${folder}/${name}.json`);
}

/** The folder outlives a debugger that was killed; its name holds the debugger's pid. */
function isDebuggerThere(folder) {
  if (!require("node:fs").existsSync(folder)) return false;
  const owner = /-(\d+)-[^-]*$/.exec(folder);
  try {
    return owner !== null && process.kill(Number(owner[1]), 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Programs whose only work is to start the user's program in a process of its own. */
function isLauncher() {
  const has = (pattern) => process.execArgv.some((flag) => pattern.test(flag));
  if (has(/^(-c|--check)$/) || has(/^--watch(-path)?(=|$)/)) return true;
  // The runner of `node --test` starts each file in its own process, unless told not to.
  if (has(/^--test$/) && !has(/^--(experimental-)?test-isolation=none$/)) return true;
  const script = realScript();
  const file = script.replace(/^.*[\\/]/, "");
  if (/^(npm|npx|pnpm|pnpx|yarn|yarnpkg|corepack)(-cli|-[\d.]+)?(\.[cm]?js)?$/.test(file)) return true;
  switch (packageOf(script)) {
    case "npm":
    case "corepack":
    case "pnpm":
    case "yarn":
    case "bun":
    case "nodemon":
    case "concurrently":
    case "cross-env":
    case "dotenv-cli":
    case "@dotenvx/dotenvx":
    case "env-cmd":
    case "npm-run-all":
    case "npm-run-all2":
    case "wait-on":
      return true;
    case "tsx":
      return /^cli\.[cm]js$/.test(file);
    case "ts-node":
      return file === "bin-esm.js";
    default:
      return false;
  }
}

function realScript() {
  const script = process.argv[1] || "";
  try {
    return require("node:fs").realpathSync(script);
  } catch {
    // `node -e`, or an entry without its extension: then the name is enough.
    return script;
  }
}

/** "tsx" for "/…/node_modules/tsx/dist/cli.mjs"; distributions put packages under "nodejs". */
function packageOf(script) {
  const inside = script.split(/[\\/](?:node_modules|nodejs)[\\/]/);
  if (inside.length < 2) return undefined;
  const [first, second] = inside[inside.length - 1].split(/[\\/]/);
  return first.startsWith("@") ? `${first}/${second}` : first;
}
