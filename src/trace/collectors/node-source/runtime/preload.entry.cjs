// Preloaded into every Node process of a traced command (NODE_OPTIONS=--require), and into its threads. It rewrites what the plan
// asks for as it loads, and records. Plain CommonJS for Node 18 and later; whatever goes wrong here, the program runs as it is.
const { Channel } = require("./channel.cjs");
const { isPackaged } = require("./folders.cjs");
const { install, remoteHook } = require("./hooks.cjs");
const { keepStackRoom } = require("./stack-room.cjs");
const { recorder } = require("./recorder.cjs");
const { scriptName, workerName } = require("./thread-name.cjs");
const { keepStacksTrue, shareColumns } = require("./true-stacks.cjs");

/** Installed code; folders of node_modules that begin with a dot hold what tools make of the user's. */
const LIBRARY = /\/node_modules\/(?!.*\/node_modules\/)(?!\.)/;

const folder = process.env.SONDE_TRACE;
const started = folder ? start(folder) : undefined;

function start(folder) {
  try {
    const { existsSync, readFileSync } = require("node:fs");
    if (!existsSync(`${folder}/plan.json`)) return undefined;
    const plan = JSON.parse(readFileSync(`${folder}/plan.json`, "utf8"));
    const channel = new Channel(`${folder}/records`);
    const { tell, equip, end } = recorder(plan, require(`${folder}/kit.cjs`), __dirname, channel);
    // What the program finds there it has loaded itself.
    for (const path of [`${folder}/kit.cjs`, __filename]) delete require.cache[path];
    const edit = editor(plan, tell);
    shareColumns(folder, isHooksThread());
    if (!isHooksThread()) inProgram({ equip, tell, end }, channel, edit);
    return { edit };
  } catch {
    return undefined; // a run that is over: its folder is gone
  }
}

/** The one in which Node 20 loads ES modules; newer ones tell it apart from the program's workers themselves. */
function isHooksThread() {
  const { isInternalThread, isMainThread, parentPort } = require("node:worker_threads");
  return isInternalThread ?? (!isMainThread && parentPort === null);
}

function inProgram({ equip, tell, end }, channel, edit) {
  const { isMainThread } = require("node:worker_threads");
  process.on("exit", () => {
    end();
    channel.end();
  });
  if (isMainThread) keepStackRoom();
  keepStacksTrue(__dirname);
  if (isMainThread)
    process.on("uncaughtExceptionMonitor", (error) => {
      const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      tell(["u", text.split("\n", 1)[0]]);
      channel.flush();
    });
  install(edit, __filename, equip);
  tell(["h", isMainThread ? scriptName() : workerName(), isMainThread ? 1 : 0]);
}

/** The rewriting itself is loaded when there is something to rewrite: most processes of a command have nothing. */
function editor(plan, tell) {
  const paths = new Set(plan.points.map(({ path }) => path));
  const under = (plan.lines ?? plan.calls)?.under ?? [];
  const isNear = (path) => under.some((one) => path.startsWith(one));
  const packages = plan.lines?.packages;
  const told = new Set();
  const mayBeRecorded = (text, path) =>
    text.includes("sourceMappingURL=")
      ? !LIBRARY.test(path)
      : isNear(path) && !path.includes("/node_modules/");
  let isBusy = false;
  const wants = (text, path) => {
    if (isBusy) return false; // our own modules
    if (paths.has(path)) return true;
    if (packages?.length > 0 && isPackaged(path, packages)) return true;
    if (packages !== undefined && !told.has(path) && !(isNear(path) && !path.includes("/node_modules/"))) {
      told.add(path);
      tell(["L", path]);
    }
    return mayBeRecorded(text, path);
  };
  const edit = (text, path, kind) => {
    isBusy = true;
    try {
      const made = require("./rewrite.cjs").rewrite(text, path, kind, plan, tell);
      // Its frames are told by the lines it was made from, too.
      const mapUrl = made === text ? require("./source-map.cjs").mapUrlIn(text) : undefined;
      if (mapUrl !== undefined) tell(["M", path, mapUrl]);
      return made;
    } catch (error) {
      tell(["n", `${path} is not recorded: ${error?.message}`]);
      return text;
    } finally {
      isBusy = false;
    }
  };
  return Object.assign(edit, { wants });
}

const leaveAll = Object.assign((text) => text, { wants: () => false });

module.exports = { hooks: (number) => remoteHook(started?.edit ?? leaveAll, number) };
