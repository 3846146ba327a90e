/**
 * `npm run faults`: from a fresh clone to at least a thousand injected faults and a table of what came of them (docs/faults.md).
 *
 *   npm run faults -- [--seed 7] [--runs 2] [--only "daemon killed"]
 *
 * `--seed` repeats a run: it is printed, and each finding names its row. `--runs` multiplies the runs of every row. `--only` plays the rows whose
 * name matches the pattern, and the page then has their new counts beside those of the last whole run (.faults).
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { faultsPage, faultsTable, lateShare } from "./faults-page.mjs";
import { install, ROOT, run } from "./prepare.mjs";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    runs: { type: "string", default: "1" },
    only: { type: "string" },
  },
});
/** Of all answers after a fault. */
const MOST_LATE = 0.05;
/** Faults that make a page. */
const WHOLE = 1000;
const seed = values.seed ?? String(Math.floor(Math.random() * 1_000_000));

install();
install(join(ROOT, "test/node-lts"));
install(join(ROOT, "test/agent/clients"));
run(process.execPath, ["scripts/build.mjs"]);
// Not before: it needs what was installed just now.
const { prepareAdapters } = await import("./test-adapters.mjs");
await prepareAdapters();
if (!hasFaketime()) console.log("clock jumps are left out: there is no libfaketime");

console.log(`seed ${seed}`);
const results = join(ROOT, ".faults");
if (values.only === undefined) rmSync(results, { recursive: true, force: true });
const began = performance.now();
const words = ["run", "test/faults/campaign", "--maxWorkers", String(Math.min(2, availableParallelism()))];
const { status } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", ...words], {
  cwd: ROOT,
  stdio: "inherit",
  env: {
    ...process.env,
    SONDE_FAULTS_RESULTS: results,
    SONDE_FAULTS_SEED: seed,
    SONDE_FAULTS_VERSION: version(),
    SONDE_FAULTS_FACTOR: values.runs,
    ...(values.only === undefined ? {} : { SONDE_FAULTS_ONLY: values.only }),
  },
});
const counts = readdirSync(results).map((name) => JSON.parse(readFileSync(join(results, name), "utf8")));
console.log(`\n${faultsTable(counts)}\n\n${Math.round((performance.now() - began) / 60_000)} minutes`);
for (const { fault, adapter, findings } of counts)
  for (const finding of findings) console.log(`${fault} · ${adapter}, ${finding}`);
if (counts.reduce((all, { runs }) => all + runs, 0) >= WHOLE) {
  writeFileSync(join(ROOT, "docs/faults.md"), faultsPage(counts));
  console.log("wrote docs/faults.md");
}
const late = lateShare(counts);
if (late > MOST_LATE) console.log(`${(100 * late).toFixed(1)} % of the answers came late`);
console.log(`seed ${seed}`);
process.exit(status === 0 && late > MOST_LATE ? 1 : (status ?? 1));

/** By its commit. */
function version() {
  const { status: failed, stdout } = spawnSync("git", ["rev-parse", "--short", "HEAD"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return failed === 0 ? `commit ${stdout.trim()}` : "a version without a commit";
}

/** The clock of a process alone can be set with it; from the system's packages, where we may. */
function hasFaketime() {
  const there = () => readdirSync("/usr/lib").some((name) => existsSync(`/usr/lib/${name}/faketime`));
  if (!there() && process.getuid?.() === 0)
    spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "faketime"], { stdio: "ignore" });
  return there();
}
