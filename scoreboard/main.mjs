/**
 * What Sonde is worth to someone who hunts a mistake: `npm run scoreboard -- --seed 1 [--only python,c] [--count 8] [--pair 3] [--keep]`.
 * Mistakes are put into small programs, drawn by the seed, and it is counted how often one call (`diff` of the fixed and the buggy
 * version) or two (`test` or `crash`, then the command that its answer names) lead to the line. Build first.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { judgeDiff, shows } from "./judge.mjs";
import { LANGUAGES } from "./languages.mjs";
import { pairsOf, testFails } from "./pairs.mjs";
import { table } from "./table.mjs";

const ROOT = resolve(import.meta.dirname, "..");
const CALL_SECS = 180;

const { values: options } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "8" },
    only: { type: "string" },
    /** One pair of each language, by its number. */
    pair: { type: "string" },
    /** `diff` or `test`: only that measure. */
    measure: { type: "string" },
    /** Leaves the pairs and the answers where they are. */
    keep: { type: "boolean", default: false },
    json: { type: "string" },
  },
});

const folder = mkdtempSync(join(tmpdir(), "sonde-scoreboard-"));
const home = join(folder, "home");
mkdirSync(join(home, "share"), { recursive: true });
symlinkSync(join(ROOT, ".adapters/share/adapters"), join(home, "share/adapters"));
const env = { ...process.env, SONDE_HOME: home, PATH: `${join(ROOT, "bin")}${delimiter}${process.env.PATH}` };

function sonde(words, cwd) {
  const { stdout, stderr, error } = spawnSync("sonde", words, {
    cwd,
    env,
    encoding: "utf8",
    timeout: CALL_SECS * 1000,
    maxBuffer: 64 << 20,
  });
  return `${stdout}${stderr}${error === undefined ? "" : error.message}`;
}

function diffed({ folder: cwd, commands, source, lines }) {
  const words = ["diff", "--a", commands.a.join(" "), "--b", commands.b.join(" ")];
  const text = sonde(words, cwd);
  const traces = /runs: A (t\d+) .*? · B (t\d+)/.exec(text);
  const json = traces === null ? "" : sonde(["diff", traces[1], traces[2], "--json"], cwd);
  let result;
  try {
    result = JSON.parse(json);
  } catch {
    result = undefined; // it was refused: the text says why
  }
  return { text, ...judgeDiff(text, result?.data, source, lines) };
}

function tested(pair) {
  const { language, name, extension, folder: place, source, lines, buggy } = pair;
  if (!testFails(pair, env)) return undefined;
  const cwd = join(place, "buggy");
  const first = sonde(LANGUAGES[language].test({ name, extension }), cwd);
  const next = /^next: `(sonde [^`]+)`/m.exec(first)?.[1];
  const second =
    next === undefined
      ? ""
      : (spawnSync("sh", ["-c", next], { cwd, env, encoding: "utf8", timeout: CALL_SECS * 1000 }).stdout ??
        "");
  return {
    first,
    next,
    second,
    found: shows(first, source, lines, buggy) || shows(second, source, lines, buggy),
  };
}

const rows = [];
try {
  const wanted = options.only?.split(",") ?? Object.keys(LANGUAGES);
  for (const language of wanted) {
    const how = { seed: Number(options.seed), count: Number(options.count), folder, env };
    const only = options.pair === undefined ? undefined : Number(options.pair);
    for (const pair of pairsOf(language, { ...how, only })) {
      const began = performance.now();
      const diff = options.measure === "test" ? undefined : diffed(pair);
      const middle = performance.now();
      const test = options.measure === "diff" ? undefined : tested(pair);
      const secs = { diff: (middle - began) / 1000, test: (performance.now() - middle) / 1000 };
      const { number, name, kind, what, lines, source } = pair;
      rows.push({ language, number, name, kind, what, lines: [...lines.buggy], diff, test, secs });
      const said = [
        diff &&
          `diff ${diff.leads ? "leads" : diff.named ? "named" : "MISS"}${diff.alone ? "" : " (not by values)"} ${diff.bytes} B ${secs.diff.toFixed(1)} s`,
        test && `test ${test.found ? "found" : "MISS"} ${secs.test.toFixed(1)} s`,
      ].filter(Boolean);
      console.log(
        `${language} ${number} ${source}:${[...lines.buggy].join(",")} ${name} ${kind}: ${what}\n    ${said.join(" · ")}`,
      );
      if (options.keep) {
        writeFileSync(join(pair.folder, "diff.txt"), diff?.text ?? "");
        writeFileSync(join(pair.folder, "test.txt"), `${test?.first}\n--- ${test?.next}\n${test?.second}`);
      } else rmSync(pair.folder, { recursive: true, force: true });
    }
  }
  console.log(`\nseed ${options.seed}\n${table(rows)}`);
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(rows, undefined, 1));
} finally {
  spawnSync("sonde", ["daemon", "stop"], { env, cwd: folder, timeout: 20_000 });
  if (options.keep) console.log(`kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}
