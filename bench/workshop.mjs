/** What is measured: an installation, a program and a daemon of our own in a folder of their own. Nothing of it is left. */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(HERE, "..");

/** The line of app.js that the breakpoint is on: the one with the marker. */
export const LINE =
  readFileSync(join(HERE, "app.js"), "utf8")
    .split("\n")
    .findIndex((line) => line.includes("@marker stop")) + 1;

/** Changes how Node starts or what a command does, so neither side has it unless it is what is measured. */
const NOT_HERE = /^(NODE_.*|SONDE_.*|PERL.*)$/;

export async function openWorkshop() {
  const folder = mkdtempSync(join(tmpdir(), "sonde-bench-"));
  for (const name of Object.keys(process.env)) if (NOT_HERE.test(name)) delete process.env[name];
  process.env.SONDE_HOME = join(folder, "home"); // for every process from here on, also a daemon started by mistake
  const workshop = {
    app: join(folder, "app.js"),
    bareCdp: join(folder, "bare-cdp.cjs"),
    bareDap: join(folder, "bare-dap.cjs"),
    bin: join(folder, "sonde/bin/sonde"),
    boot: join(folder, "sonde/dist/adapters/node/boot.entry.cjs"),
    env: { ...process.env },
    cwd: folder,
    sonde: (...args) => sonde(workshop, args),
    close: () => close(workshop, folder),
  };
  copyFileSync(join(HERE, "app.js"), workshop.app);
  try {
    const { install } = await import("../scripts/build.mjs");
    const { build, version } = await install(join(folder, "sonde"));
    await bundleBare("bare-cdp.mjs", workshop.bareCdp);
    await bundleBare("bare-dap.mjs", workshop.bareDap);
    linkAdapters(process.env.SONDE_HOME);
    const client = await loadClient(join(folder, "sonde/dist"), { build, version });
    workshop.connect = client.connect;
    return workshop;
  } catch (error) {
    workshop.close();
    throw error;
  }
}

const ADAPTERS = join(ROOT, ".adapters/share/adapters");

/** The adapters that were installed for the tests. */
function linkAdapters(home) {
  mkdirSync(join(home, "share"), { recursive: true });
  symlinkSync(ADAPTERS, join(home, "share/adapters"));
}

/** In one file, as our own client is: the baseline gets the same start. */
async function bundleBare(entry, outfile) {
  const { build } = await import("esbuild");
  await build({
    entryPoints: [join(HERE, entry)],
    outfile,
    bundle: true,
    minify: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    logLevel: "warning",
  });
}

/** The typed client of src/client, marked as the same build as the daemon it speaks to. */
async function loadClient(dist, { build: id, version }) {
  const { build } = await import("esbuild");
  const outfile = join(dist, "bench-client.mjs");
  await build({
    entryPoints: [join(ROOT, "src/client/client.ts")],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    logLevel: "warning",
    define: { __SONDE_VERSION__: JSON.stringify(version), __SONDE_BUILD__: JSON.stringify(id) },
  });
  return import(pathToFileURL(outfile).href);
}

function sonde({ bin, env, cwd }, args) {
  const { status, stdout, stderr } = spawnSync(bin, args, { env, cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`sonde ${args.join(" ")} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

/** The daemon takes its sessions with it, and is killed if it does not go. */
function close({ bin, env, cwd }, folder) {
  const pid = daemonPid(env.SONDE_HOME);
  if (existsSync(bin)) spawnSync(bin, ["daemon", "stop"], { env, cwd, timeout: 10_000 });
  if (pid !== undefined && isOurs(pid, folder)) process.kill(pid, "SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}

function daemonPid(home) {
  try {
    return JSON.parse(readFileSync(join(home, "run/daemon.json"), "utf8")).pid;
  } catch {
    return undefined; // none was started
  }
}

/** A pid is used again; the command line holds the folder that only we have. */
function isOurs(pid, folder) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder);
  } catch {
    return false;
  }
}
