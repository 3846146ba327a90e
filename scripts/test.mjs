/** `npm test`: from a fresh clone to every test run. Arguments go to vitest: `npm test -- test/contract`. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { install, ROOT, run } from "./prepare.mjs";

install();
install(join(ROOT, "test/node-lts"));
install(join(ROOT, "test/agent/clients"));
run(process.execPath, ["scripts/build.mjs"]);
run(process.execPath, ["scripts/check.mjs", "--static"]);
// Not before: it needs what was installed just now.
const { prepareAdapters } = await import("./test-adapters.mjs");
await prepareAdapters();
const scratch = mkdtempSync(join(tmpdir(), "sonde-second-tries-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
const list = join(scratch, "names.json");
process.env.SONDE_SECOND_TRIES = list;
const all = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: "inherit",
});
delete process.env.SONDE_SECOND_TRIES;
const { again, failed } = existsSync(list)
  ? JSON.parse(readFileSync(list, "utf8"))
  : { again: [], failed: 0 };
if (all.status !== 0 && failed === 0) process.exit(all.status ?? 1);
runAlone(again);
// A whole run has shown what each adapter can do: the record must say the same.
if (process.argv.length === 2) run(process.execPath, ["scripts/contract.mjs", "--check"]);

/** Tests that passed only at the second try, or a few that did not pass beside the others (test/support/second-tries.ts): each must pass alone, every time. */
function runAlone(names) {
  for (const name of names) {
    const [file, ...words] = name.split(" > ");
    const pattern = words.join(" ").replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    for (let time = 0; time < 5; time++)
      run(process.execPath, ["node_modules/vitest/vitest.mjs", "run", file, "-t", pattern, "--retry=0"]);
  }
}
