// Preloaded into every Node process of a debugged command (NODE_OPTIONS=--require). It starts the bridge, a thread through which
// the debugger reaches the program, and waits for the debugger. Plain CommonJS for Node 18 and later, and it may never break
// the program: whatever goes wrong here, the program runs on undebugged.

const { isMainThread, workerData } = require("node:worker_threads");

module.exports = { attach };

const mine = isMainThread ? undefined : workerData?.sondeBridge;
if (mine !== undefined) require("./boot/bridge.cjs").bridge(mine);
// Workers run preloads too; they are reached through their process.
else if (isMainThread && process.env.SONDE_NODE_SOCKET) boot(process.env.SONDE_NODE_SOCKET);

function boot(socket) {
  try {
    if (require("./boot/launcher.cjs").isLauncher() || !isPrivate(socket)) return;
    // Before anybody can connect: afterwards it would hold up the wait for the debugger.
    if (!process.env.SONDE_NODE_UNCHANGED) keepVariables();
    require("./boot/host.cjs").startBridge({ file: __filename, socket, hold: true });
  } catch (error) {
    leaveWord(socket, error);
  }
}

/** There, and in a folder that nobody else can enter: once the debugger has left, another user could make one of that name. */
function isPrivate(socket) {
  const { existsSync, lstatSync } = require("node:fs");
  if (!existsSync(socket)) return false;
  if (process.geteuid === undefined) return true;
  const folder = lstatSync(require("node:path").dirname(socket));
  return folder.isDirectory() && folder.uid === process.geteuid() && (folder.mode & 0o077) === 0;
}

/** Called by the debugger in a process that it found running (see opener.entry.cjs). */
function attach(socket) {
  require("./boot/host.cjs").startBridge({ file: __filename, socket, hold: false });
  // The program need not find it among its modules.
  for (const name of Object.keys(require.cache)) if (isOurs(name)) delete require.cache[name];
}

function isOurs(name) {
  return name === __filename || name.startsWith(`${__dirname}/boot/`);
}

/** Why this process cannot be debugged. */
function leaveWord(socket, error) {
  try {
    const file = `${socket}-refused-${process.pid}`;
    require("node:fs").writeFileSync(file, String(error?.message ?? error), { mode: 0o600 });
  } catch {
    // Under Node's permission model not even that.
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
