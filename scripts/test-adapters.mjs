/**
 * The debuggers that tests need, installed as a user would: by `sonde setup`, into .adapters/. What is there and was tried is left
 * alone, so a second run costs a second. What this machine lacks the tools for is left out, by the titles of its rows in the contract,
 * with the reason, in .adapters/skipped.json; any other failure ends the run.
 */
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { loadModule } from "./generator.mjs";
import { ROOT } from "./prepare.mjs";

const HOME = join(ROOT, ".adapters");
const INSTALLED = join(HOME, "share", "adapters");

/**
 * What the rows of the contract need (test/contract/rows/*.setup.json). `own`: tests want the one in Sonde's own folder, whatever the
 * system has. `tools`: all of them must be on the PATH. `root`: it comes from the system's packages. `compiles`: its set-up mostly
 * compiles; the others mostly download, and go side by side with those.
 */
const ROWS = join(ROOT, "test/contract/rows");
const FOR_ROWS = readdirSync(ROWS)
  .filter((name) => name.endsWith(".setup.json"))
  .flatMap((name) => JSON.parse(readFileSync(join(ROWS, name), "utf8")));

const LANES = [
  FOR_ROWS.filter(({ compiles }) => compiles),
  [
    ...FOR_ROWS.filter(({ compiles }) => !compiles),
    { other: pytest, titles: ["pytest"], tools: ["python3"] },
    { other: xdist, titles: ["pytest-xdist"], tools: ["python3"] },
    { other: scriptRunners, titles: ["mocha, jest, tap and borp"], tools: ["npm"] },
    { other: maven, titles: ["Maven"], tools: ["mvn", "javac"] },
    { other: gradle, titles: ["Gradle"], tools: ["apt-get", "javac"], root: true },
    { other: debianDebugpy, titles: ["Python (system's debugpy)"], tools: ["apt-get"], root: true },
    { other: tmux, titles: ["the viewer in tmux"], tools: ["apt-get"], root: true },
    { other: chromium, titles: ["pages in a browser"], tools: ["apt-get"], root: true },
    { other: clang, titles: ["programs by clang"], tools: ["apt-get"], root: true },
    { other: oldLldb, titles: ["C (LLDB 16)"], tools: ["apt-get", "dpkg", "cc"] },
  ],
];

/** @param {{ only?: string[] }} options `only`: these adapters and nothing else; what cannot be had is said and left out. */
export async function prepareAdapters({ only } = {}) {
  mkdirSync(HOME, { recursive: true });
  const { adapters } = JSON.parse((await sonde(["adapters", "--json"])).stdout).data;
  const known = new Set(adapters.map(({ name }) => name));
  const skipped = {};
  try {
    await Promise.all(
      LANES.map(async (lane) => {
        for (const wanted of lane) {
          if (only !== undefined && !only.includes(wanted.adapter)) continue;
          if (wanted.adapter !== undefined && !known.has(wanted.adapter)) continue;
          const reason = lacking(wanted);
          if (reason !== undefined) for (const title of wanted.titles) skipped[title] = reason;
          else if (wanted.other) await wanted.other();
          else if (wanted.adapter !== undefined) await setUp(wanted, only === undefined);
        }
      }),
    );
  } finally {
    await sonde(["daemon", "stop"]);
  }
  if (only !== undefined) return;
  for (const [title, reason] of Object.entries(skipped))
    console.log(`tests of ${title} are left out: ${reason}`);
  writeFileSync(join(HOME, "skipped.json"), `${JSON.stringify(skipped, null, 2)}\n`);
}

/** rustup's rustc is there also when no toolchain is. */
const RUNS = { rustc: () => spawnSync("rustc", ["--version"], { stdio: "ignore" }).status === 0 };

function lacking({ tools, root = false }) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const missing = tools.filter(
    (tool) => !folders.some((folder) => existsSync(join(folder, tool))) || (tool in RUNS && !RUNS[tool]()),
  );
  if (missing.length > 0) return `this machine has no ${missing.join(", no ")}`;
  return root && process.getuid?.() !== 0 ? "only root can install the system's packages" : undefined;
}

async function setUp({ adapter, own = false }, must) {
  const here = lstatSync(join(INSTALLED, adapter), { throwIfNoEntry: false });
  const { status, stdout } = await sonde(["setup", adapter, ...(own && !here ? ["--reinstall"] : [])]);
  console.log(stdout.trim().split("\n").at(-1));
  if (status !== 0 && must) fail(adapter, stdout);
}

/** For the tests of `sonde test`, in an environment of its own where the machine has none: its Python may not be ours to add to. */
async function pytest() {
  const folder = join(HOME, "pytest");
  const own = join(folder, "bin", "python");
  for (const python of ["python3", own])
    if (spawnSync(python, ["-m", "pytest", "--version"], { stdio: "ignore" }).status === 0) return;
  for (const command of [
    ["python3", "-m", "venv", folder],
    [own, "-m", "pip", "install", "--quiet", "pytest"],
  ]) {
    const { status, stdout } = await run(command[0], command.slice(1), {});
    if (status !== 0) fail("pytest", stdout);
  }
}

/** Tests in several processes: apart, since a plug-in that is installed is always on. */
async function xdist() {
  const folder = join(HOME, "xdist");
  const own = join(folder, "bin", "python");
  if (spawnSync(own, ["-c", "import pytest, xdist"], { stdio: "ignore" }).status === 0) return;
  for (const command of [
    ["python3", "-m", "venv", folder],
    [own, "-m", "pip", "install", "--quiet", "pytest", "pytest-xdist"],
  ]) {
    const { status, stdout } = await run(command[0], command.slice(1), {});
    if (status !== 0) fail("pytest-xdist", stdout);
  }
}

/** A mocha of today, one from before its reporters wrote files, jest, tap and borp. */
async function scriptRunners() {
  const folder = join(HOME, "test-runners");
  const wanted = ["mocha@11", "mocha-old@npm:mocha@4", "jest@30", "tap@21", "borp@1"];
  const done = join(folder, ".done");
  if (existsSync(done) && readFileSync(done, "utf8") === wanted.join(" ")) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const words = ["install", "--no-audit", "--no-fund", "--no-package-lock", ...wanted];
  const { status, stdout } = await run("npm", words, {}, folder);
  if (status !== 0) fail("mocha, jest, tap and borp", stdout);
  writeFileSync(done, wanted.join(" "));
}

/** What Maven needs to run JUnit: it downloads that when it first runs the tests, which fail as they are meant to. */
async function maven() {
  const repository = join(HOME, "maven");
  const done = join(repository, ".done");
  const project = join(ROOT, "test/fixtures/java-maven");
  const wanted = readFileSync(join(project, "pom.xml"), "utf8");
  if (existsSync(done) && readFileSync(done, "utf8") === wanted) return;
  const copy = mkdtempSync(join(tmpdir(), "sonde-maven-"));
  try {
    cpSync(project, copy, { recursive: true });
    const words = ["--batch-mode", "--quiet", `-Dmaven.repo.local=${repository}`, "test"];
    const { stdout } = await run("mvn", words, {}, copy);
    if (!existsSync(join(copy, "target/surefire-reports"))) fail("Maven", stdout);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  writeFileSync(done, wanted);
}

/** The system's own version, with a JUnit that needs nothing from elsewhere. */
async function gradle() {
  if (spawnSync("dpkg", ["--status", "gradle", "junit4"], { stdio: "ignore" }).status === 0) return;
  await systemPackage("Gradle", "gradle", "junit4");
}

/** Debian's is another version, and not bundled with what it needs. */
async function debianDebugpy() {
  if (existsSync("/usr/lib/python3/dist-packages/debugpy")) return;
  await systemPackage("debugpy from the system's packages", "python3-debugpy");
}

/** A second compiler: what it says of its programs differs from gcc's. */
async function clang() {
  if (spawnSync("clang++", ["--version"], { stdio: "ignore" }).status === 0) return;
  await systemPackage("clang", "clang");
}

/** Flame graphs are looked at as a person would. */
async function chromium() {
  if (spawnSync("chromium", ["--version"], { stdio: "ignore" }).status === 0) return;
  await systemPackage("a browser", "chromium");
}

/** The log viewer is driven as a person would. */
async function tmux() {
  if (spawnSync("tmux", ["-V"], { stdio: "ignore" }).status === 0) return;
  await systemPackage("tmux", "tmux");
}

async function systemPackage(what, ...names) {
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const { status, stdout } = await run(
    "apt-get",
    ["install", "-y", "--no-install-recommends", ...names],
    env,
  );
  if (status !== 0) fail(what, stdout);
}

/** The adapter under its old name; by the recipe for those who are not root, since two packages of LLDB cannot be installed at once. */
async function oldLldb() {
  const folder = join(HOME, "lldb-16");
  const done = join(folder, ".done");
  if (existsSync(done)) return;
  mkdirSync(folder, { recursive: true });
  const { unpack } = await loadModule("src/adapters/lldb/recipes.ts");
  for (const { command } of unpack("16")) {
    const { status, stdout } = await run(command[0], command.slice(1), {}, folder);
    if (status !== 0) fail("LLDB 16", stdout);
  }
  writeFileSync(done, "");
}

function fail(what, said) {
  console.error(`${said}\nthe tests need ${what}, and it could not be set up (see above)`);
  process.exit(1);
}

function sonde(words) {
  return run(join(ROOT, "bin/sonde"), words, { SONDE_HOME: HOME });
}

async function run(file, args, env, cwd = ROOT) {
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text) => {
      stdout += text;
    });
  }
  const status = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { status, stdout };
}
