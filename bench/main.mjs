/**
 * `npm run bench`: how fast Sonde is, as ratios to the same thing done bare, both measured in turns in one run. Works on a fresh clone:
 * what is measured is installed first. `--only memory,trace`: some parts of it. `--check` fails when something that must hold does not;
 * `--json` prints the numbers.
 */
import { install, run } from "../scripts/prepare.mjs";

const json = process.argv.includes("--json");
const at = process.argv.indexOf("--only");
const only = at === -1 ? undefined : (process.argv[at + 1] ?? "").split(",");

install();
// Not before: they need what was installed just now.
const { measure, PARTS } = await import("./rows.mjs");
const { openWorkshop } = await import("./workshop.mjs");

const unknown = only?.find((part) => !(part in PARTS));
if (unknown !== undefined) {
  process.stderr.write(`no part \`${unknown}\`: ${Object.keys(PARTS).join(", ")}\n`);
  process.exit(2);
}
if (only === undefined || only.some((part) => PARTS[part].adapters)) await setUpAdapters();

const began = performance.now();
const workshop = await openWorkshop();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.once(signal, () => {
    workshop.close();
    process.exit(1);
  });
let rows;
try {
  rows = await measure(workshop, only, (what) => process.stderr.isTTY && process.stderr.write(`… ${what}\n`));
} finally {
  workshop.close();
}
print(rows);
if (process.argv.includes("--check") && rows.some(isOver)) process.exitCode = 1;

/** The debuggers of the languages that are compared, by `sonde setup`, unless they are there. */
async function setUpAdapters() {
  const [out, log] = [process.stdout, console.log];
  if (json) console.log = (text) => process.stderr.write(`${text}\n`);
  run(process.execPath, ["scripts/build.mjs"], { stdio: ["ignore", json ? process.stderr : out, "inherit"] });
  const { prepareAdapters } = await import("../scripts/test-adapters.mjs");
  await prepareAdapters({ only: ["debugpy", "lldb", "delve"] });
  console.log = log;
}

/** A row without a target only informs. */
function isOver(row) {
  if (row.must === undefined) return false;
  if (row.kind === "least") return row.ours < row.must;
  return row.kind === "faster" ? row.ratio < row.must : row[row.kind] > row.must;
}

function verdict(row) {
  if (row.must === undefined) return "";
  if (isOver(row)) return "OVER";
  if (row.kind === "least") return row.ours >= row.aim ? "ok" : "ok, below aim";
  if (row.kind === "faster") return row.ratio >= row.aim ? "ok" : "ok, below aim";
  return row.aim === undefined || row[row.kind] <= row.aim ? "ok" : "ok, above aim";
}

function print(rows) {
  const seconds = Math.round((performance.now() - began) / 1000);
  if (json) {
    const list = rows.map((row) => ({ ...row, over: isOver(row) }));
    console.log(JSON.stringify({ node: process.version, seconds, rows: list }, null, 2));
    return;
  }
  const times = (value) => (value === undefined ? "" : `${value.toFixed(2)} ×`);
  const table = rows.map((row) => {
    const number = (value, digits) => (value === undefined ? "" : `${value.toFixed(digits)} ${row.unit}`);
    const target = (value) =>
      row.kind === "ratio" || row.kind === "faster" ? times(value) : number(value, 0);
    return [
      row.what,
      number(row.ours, 1),
      number(row.baseline, 1),
      times(row.ratio),
      target(row.must),
      target(row.aim),
      verdict(row),
    ];
  });
  table.unshift(["", "ours", "bare", "ratio", "must", "aim", ""]);
  const widths = table[0].map((_, column) => Math.max(...table.map((line) => line[column].length)));
  for (const line of table) {
    const cells = line.map((cell, at) =>
      at % 6 === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]),
    );
    console.log(cells.join("  ").trimEnd());
  }
  console.log(`medians; a ratio is the median of the rounds' own. node ${process.version}, ${seconds} s`);
}
