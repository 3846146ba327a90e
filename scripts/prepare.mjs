/** Makes a checkout ready to run: installs what is missing, and nothing else. Used by `npm run demo` and `npm test`. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/** The lock file that npm leaves inside node_modules lists what is installed; it must list what ours asks for. */
function installed(folder) {
  const done = join(folder, "node_modules/.package-lock.json");
  if (!existsSync(done)) return false;
  const wanted = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")).packages;
  const have = JSON.parse(readFileSync(done, "utf8")).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === "" || optional || have[path]?.version === version,
  );
}

export function install(folder = ROOT) {
  if (installed(folder)) return;
  console.log(`installing packages${folder === ROOT ? "" : ` in ${folder.slice(ROOT.length + 1)}`} …`);
  // Not `npm ci`: it refuses a lock file that lacks an optional package of another platform, and a registry may lack those.
  run("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder });
}

/** Runs to the end with our streams; a failure ends this process with the same status. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: "inherit", ...options });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
