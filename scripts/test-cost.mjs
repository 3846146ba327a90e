/**
 * What tests cost: processor time, of all that they start, and time by the clock, a file and a slow test at a time, the dearest first.
 *   node scripts/test-cost.mjs test/go test/cli/crash.test.ts
 * Processor time is what counts on a machine that others use too. It needs root and Linux's cpuacct; without, there is only the clock.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./prepare.mjs";

const GROUPS = "/sys/fs/cgroup/cpuacct";
const SLOW_MS = 5_000;

/** A reporter, where vitest loads this file. One worker: what runs meanwhile is the file's own. */
export default class Cost {
  #rows = [];
  #before = 0;

  onTestModuleStart() {
    this.#before = used();
  }

  /** Shown at once too: a long run may be cut short. */
  onTestModuleEnd(module) {
    const row = { module, seconds: used() - this.#before };
    this.#rows.push(row);
    show(row);
  }

  onTestRunEnd() {
    console.log(`\n${"cpu s".padStart(8)}${"clock s".padStart(8)}`);
    for (const row of this.#rows.sort((one, other) => other.seconds - one.seconds)) show(row, SLOW_MS);
  }
}

function show({ module, seconds }, slowMs = Number.POSITIVE_INFINITY) {
  const column = (value) => value.toFixed(1).padStart(8);
  console.log(`${column(seconds)}${column(module.diagnostic().duration / 1000)}  ${module.relativeModuleId}`);
  for (const test of module.children.allTests()) {
    const took = test.diagnostic()?.duration ?? 0;
    if (took >= slowMs) console.log(`${" ".repeat(8)}${column(took / 1000)}    ${test.fullName}`);
  }
}

function used() {
  const group = process.env.SONDE_TEST_COST;
  return group ? Number(readFileSync(join(group, "cpuacct.usage"), "utf8")) / 1e9 : Number.NaN;
}

if (process.argv[1] === import.meta.filename) {
  const group = ownGroup();
  const words = ["run", "--maxWorkers=1", "--retry=0", "--reporter=scripts/test-cost.mjs"];
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const { status } = spawnSync(process.execPath, [vitest, ...words, ...process.argv.slice(2)], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, SONDE_TEST_COST: group ?? "" },
  });
  if (group !== undefined) {
    writeFileSync(join(GROUPS, "cgroup.procs"), String(process.pid));
    remove(group);
  }
  process.exitCode = status ?? 1;
}

/** Left where something is dying in it still: it costs nothing. */
function remove(group) {
  try {
    rmdirSync(group);
  } catch {}
}

/** With this process in it, and so all that it starts. */
function ownGroup() {
  const group = join(GROUPS, `sonde-test-cost-${process.pid}`);
  try {
    mkdirSync(group);
    writeFileSync(join(group, "cgroup.procs"), String(process.pid));
    return group;
  } catch {
    return undefined;
  }
}
