/**
 * `npm run bench`: how fast Sonde is, as ratios to the same thing done bare, both measured in turns in one run.
 * `--check` fails when something that must hold does not; `--json` prints the numbers.
 */
import { install } from "../scripts/prepare.mjs";

install();

const { measure } = await import("./rows.mjs");
const { openWorkshop } = await import("./workshop.mjs");

const json = process.argv.includes("--json");
const began = performance.now();
const workshop = await openWorkshop();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.once(signal, () => {
    workshop.close();
    process.exit(1);
  });
let rows;
try {
  rows = await measure(workshop, (what) => process.stderr.isTTY && process.stderr.write(`… ${what}\n`));
} finally {
  workshop.close();
}
print(rows);
if (process.argv.includes("--check") && rows.some(isOver)) process.exitCode = 1;

/** A row without a target only informs. */
function isOver({ must, measured }) {
  return must !== undefined && measured > must;
}

function verdict(row) {
  if (row.must === undefined) return "";
  if (isOver(row)) return "OVER";
  return row.aim === undefined || row.measured <= row.aim ? "ok" : "ok, above aim";
}

function print(rows) {
  const seconds = Math.round((performance.now() - began) / 1000);
  if (json) {
    const list = rows.map((row) => ({ ...row, over: isOver(row) }));
    console.log(JSON.stringify({ node: process.version, seconds, rows: list }, null, 2));
    return;
  }
  const number = (value, unit) => (value === undefined ? "" : `${value.toFixed(1)} ${unit}`);
  const of = (value, kind, unit) =>
    value === undefined ? "" : kind === "ratio" ? `${value.toFixed(2)} ×` : `${value} ${unit}`;
  const cells = rows.map((row) => [
    row.what,
    number(row.ours, row.unit),
    number(row.baseline, row.unit),
    row.ratio === undefined ? "" : `${row.ratio.toFixed(2)} ×`,
    of(row.must, row.kind, row.unit),
    of(row.aim, row.kind, row.unit),
    verdict(row),
  ]);
  const table = [["", "ours", "bare", "ratio", "must", "aim", ""], ...cells];
  const widths = table[0].map((_, column) => Math.max(...table.map((line) => line[column].length)));
  for (const line of table) {
    const padded = line.map((cell, column) =>
      column === 0 || column === line.length - 1 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
    );
    console.log(padded.join("  ").trimEnd());
  }
  console.log(`medians; a ratio is the median over rounds of ours/bare in the same round. node ${process.version}, ${seconds} s`);
}
