/**
 * Every collector against the truth, over generated programs. `node scripts/property.mjs --count 2000 --seed 1` runs more of them; a
 * program is one generated file with its own functions, and several are linked into one executable.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compilerVersion } from "../../../support/builds.ts";
import { WITHOUT_PROBES } from "../../perf/programs.ts";
import { GDB } from "../rig.ts";
import { batchOf, compared, type Kind } from "./batch.ts";

const COUNT = Number(process.env.SONDE_PROPERTY_COUNT ?? 14);
const SEED = Number(process.env.SONDE_PROPERTY_SEED ?? 1);
const ONLY = process.env.SONDE_PROPERTY_ONLY;
/** One collector alone. */
const BY = process.env.SONDE_PROPERTY_BY;
/** Where a long run tells how it goes. */
const LOG = process.env.SONDE_PROPERTY_LOG;
const LONG = COUNT > 100;
const PROBES = WITHOUT_PROBES === undefined ? ["perf"] : [];
const has = (compiler: string) => spawnSync(compiler, ["--version"], { stdio: "ignore" }).status === 0;

const LEVELS = ["-O0", "-O1", "-O2"];
const KINDS: Kind[] = [
  ...["gcc", "clang"].flatMap((compiler) =>
    LEVELS.map((level) => ({ language: "c" as const, compiler, level })),
  ),
  ...["g++", "clang++"].flatMap((compiler) =>
    LEVELS.map((level) => ({ language: "cpp" as const, compiler, level })),
  ),
  ...LEVELS.map((level) => ({ language: "rust" as const, compiler: "rustc", level })),
  ...["-O0", "-O2"].map((level) => ({ language: "go" as const, compiler: "go", level })),
].filter(({ compiler, language }) =>
  language === "rust" || language === "go" ? compilerVersion(language) !== undefined : has(compiler),
);

/** The short form takes a few kinds, others each week would be no better: those whose faults were found here. */
const SHORT = new Set(["gcc -O0", "clang -O2", "g++ -O1", "rustc -O0", "go -O0", "go -O2", "clang++ -O0"]);
const chosen = KINDS.filter(
  ({ compiler, level }) =>
    (LONG || SHORT.has(`${compiler} ${level}`)) &&
    (ONLY === undefined || new RegExp(ONLY).test(`${compiler} ${level}`)),
);
const EACH = Math.max(1, Math.ceil(COUNT / Math.max(1, chosen.length)));
const MOST = 30;
/** Of these many are recorded by plain stops, which take longest. */
const STOPPED = 10;

/** No two kinds have a program in common. In the short form the last is another each day. */
function seedsOf(kind: Kind, done: number): number[] {
  const first = SEED * 1_000_000 + KINDS.indexOf(kind) * 50_000 + done;
  const seeds = Array.from({ length: Math.min(MOST, EACH - done) }, (_, number) => first + number);
  return LONG ? seeds : seeds.with(-1, first + 1000 + Math.floor(Date.now() / 86_400_000));
}

describe("generated programs", { timeout: LONG ? 3_600_000 : 120_000, ...(LONG ? { retry: 0 } : {}) }, () => {
  test.each(chosen)("$compiler $level", async (kind) => {
    const wrong: string[] = [];
    for (let done = 0; done < EACH; done += MOST) {
      const began = performance.now();
      const batch = batchOf(kind, seedsOf(kind, done));
      const built = Math.round(performance.now() - began);
      const slow = kind.language === "go" ? ["delve", "stops"] : ["lldb", "stops"];
      const collectors = [
        ...PROBES,
        ...(kind.language === "go" ? [] : GDB),
        ...(LONG ? slow : slow.slice(0, 1)),
      ];
      for (const collector of collectors.filter((one) => BY === undefined || one === BY)) {
        const start = performance.now();
        const asked = collector === "stops" ? STOPPED : MOST;
        const found = await compared(batch, collector, asked).catch((error: unknown) => String(error));
        const words = typeof found === "string" ? { failed: found } : { ...found, wrong: found.wrong.length };
        if (LOG)
          appendFileSync(
            LOG,
            `${JSON.stringify({ ...kind, programs: Math.min(batch.programs, asked), seed: batch.seeds[0], collector, ...words, ms: Math.round(performance.now() - start), built })}\n`,
          );
        // A collector that refuses says nothing wrong: a slower one takes its place.
        const refused = typeof found === "string" && found.includes(" cannot record this: ");
        if (!refused) wrong.push(...(typeof found === "string" ? [`${collector}: ${found}`] : found.wrong));
      }
    }
    if (LOG && wrong.length > 0) appendFileSync(LOG, `${wrong.join("\n")}\n`);
    expect(wrong).toEqual([]);
  });
});
