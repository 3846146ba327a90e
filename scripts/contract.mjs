/**
 * `npm run contract`: makes src/adapters/contract.json of what the last whole run of test/contract showed. With `--check` it only
 * compares: a row that ran and showed something else than the record says is a failure. Rows that could not run here are kept.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./prepare.mjs";

const RESULTS = join(ROOT, ".adapters/contract");
const RECORD = join(ROOT, "src/adapters/contract.json");

const record = JSON.parse(readFileSync(RECORD, "utf8"));
const shown = (existsSync(RESULTS) ? readdirSync(RESULTS) : []).map((file) =>
  JSON.parse(readFileSync(join(RESULTS, file), "utf8")),
);

if (process.argv.includes("--check")) check();
else write();

function check() {
  const wrong = shown.filter((row) => {
    const known = recorded(row.title);
    return known !== undefined && JSON.stringify(row) !== JSON.stringify(known);
  });
  for (const { title } of wrong) console.error(`the record of "${title}" is not what the tests showed`);
  if (wrong.length === 0) return;
  console.error("`npm run contract && npm run generate` writes it anew");
  process.exit(1);
}

function write() {
  const titles = new Set(shown.map(({ title }) => title));
  const all = [...record.filter(({ title }) => !titles.has(title)), ...shown];
  all.sort((a, b) => (a.title < b.title ? -1 : 1));
  writeFileSync(RECORD, `${JSON.stringify(all, null, 2)}\n`);
  console.log(`wrote ${RECORD.slice(ROOT.length + 1)}: ${all.map(({ title }) => title).join(", ")}`);
}

function recorded(title) {
  return record.find((row) => row.title === title);
}
