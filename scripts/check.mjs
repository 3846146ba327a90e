/** `npm run check`: types, lint, import rules, generated files, unit tests; under a minute. `--static` leaves the tests out. */
import { install, run } from "./prepare.mjs";

install();
run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "."]);
// The page runs in a browser: other types than Node's.
run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "src/web/page"]);
run(process.execPath, ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."]);
if (!process.argv.includes("--static")) {
  const unit = [
    "test/unit",
    "test/dap",
    "test/imports.test.ts",
    "test/sizes.test.ts",
    "test/generated.test.ts",
  ];
  run(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...unit]);
}
