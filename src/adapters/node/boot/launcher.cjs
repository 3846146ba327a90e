// Which Node processes of a command only start others, and are not debugged themselves.

module.exports = { isLauncher };

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
