/**
 * Generated programs against what they print of themselves, by every collector for native code:
 * `node scripts/property.mjs --count 2000 --seed 1 [--only "^gcc -O[12]"] [--by perf] [--log file]`. Build first.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    by: { type: "string" },
    log: { type: "string" },
  },
});
const env = {
  ...process.env,
  SONDE_PROPERTY_COUNT: values.count,
  SONDE_PROPERTY_SEED: values.seed,
  ...(values.only === undefined ? {} : { SONDE_PROPERTY_ONLY: values.only }),
  ...(values.by === undefined ? {} : { SONDE_PROPERTY_BY: values.by }),
  ...(values.log === undefined ? {} : { SONDE_PROPERTY_LOG: values.log }),
};
const words = ["node_modules/vitest/vitest.mjs", "run", "test/trace/native/property"];
process.exit(spawnSync(process.execPath, words, { env, stdio: "inherit" }).status ?? 1);
