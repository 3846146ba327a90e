/** `npm test`: from a fresh clone to every test run. Arguments go to vitest: `npm test -- test/contract`. */
import { join } from "node:path";
import { install, ROOT, run } from "./prepare.mjs";

install();
install(join(ROOT, "test/node-lts"));
run(process.execPath, ["scripts/build.mjs"]);
run(process.execPath, ["scripts/check.mjs", "--static"]);
// Not before: it needs what was installed just now.
const { prepareAdapters } = await import("./test-adapters.mjs");
await prepareAdapters();
run(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...process.argv.slice(2)]);
// A whole run has shown what each adapter can do: the record must say the same.
if (process.argv.length === 2) run(process.execPath, ["scripts/contract.mjs", "--check"]);
