/**
 * The debuggers that tests need, installed as a user would: by `sonde setup`, into .adapters/. What is there and was tried is left
 * alone, so a second run costs a second. A language whose tools this machine lacks is left out, with the reason, in
 * .adapters/skipped.json; any other failure ends the run.
 */
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ROOT } from "./prepare.mjs";

const HOME = join(ROOT, ".adapters");
const INSTALLED = join(HOME, "share", "adapters");

/** `own`: tests want the one in Sonde's own folder, whatever the system has. `tools`: one of them must be on the PATH. */
const WANTED = [
  { adapter: "debugpy", language: "python", tools: ["python3"], own: true },
  { adapter: "delve", language: "go", tools: ["go"], own: true },
  { adapter: "lldb", language: "c", tools: ["cc", "gcc", "clang"], own: false },
];

/** Other versions of the same, to test against as well: add them here. Each gives the reason why it cannot be had, or nothing. */
const OTHER_VERSIONS = [];

export function prepareAdapters() {
  mkdirSync(HOME, { recursive: true });
  const known = new Set(json(["adapters"]).data.adapters.map(({ name }) => name));
  const skipped = {};
  try {
    for (const wanted of WANTED.filter(({ adapter }) => known.has(adapter))) {
      const reason = lacking(wanted) ?? setUp(wanted);
      if (reason !== undefined) skipped[wanted.language] = reason;
    }
    for (const prepare of OTHER_VERSIONS) prepare({ home: HOME, skipped });
  } finally {
    sonde(["daemon", "stop"], "ignore");
  }
  for (const [language, reason] of Object.entries(skipped))
    console.log(`tests of ${language} are left out: ${reason}`);
  writeFileSync(join(HOME, "skipped.json"), `${JSON.stringify(skipped, null, 2)}\n`);
}

function lacking({ tools }) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const there = tools.some((tool) => folders.some((folder) => existsSync(join(folder, tool))));
  return there ? undefined : `this machine has no ${tools.join(" or ")}`;
}

function setUp({ adapter, own }) {
  const here = lstatSync(join(INSTALLED, adapter), { throwIfNoEntry: false });
  const { status } = sonde(["setup", adapter, ...(own && !here ? ["--reinstall"] : [])], "inherit");
  if (status !== 0) {
    console.error(`the tests need ${adapter}, and it could not be set up (see above)`);
    process.exit(1);
  }
}

function json(words) {
  return JSON.parse(sonde([...words, "--json"], "pipe").stdout);
}

function sonde(words, output) {
  const env = { ...process.env, SONDE_HOME: HOME };
  const stdio = ["ignore", output, output === "pipe" ? "inherit" : output];
  const { error, ...result } = spawnSync(join(ROOT, "bin/sonde"), words, {
    cwd: ROOT,
    env,
    stdio,
    encoding: "utf8",
  });
  if (error) throw error;
  return result;
}
