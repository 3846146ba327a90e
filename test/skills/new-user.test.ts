/**
 * Programs with a bug that does not show where it is, and the calls that the skills' tables name: the evidence for the bug's
 * line is in the answers, within three calls; and that line, mended, makes the program right.
 */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSonde, type Sonde } from "../support/sonde.ts";
import { leftOut, ROOT } from "./skills.ts";

interface Trial {
  folder: string;
  /** Each with what its answer must show. */
  calls: { words: string[]; shows: string[] }[];
  /** The bug's line, as it is and as it should be. */
  bug: { file: string; from: string; to: string };
  /** Says whether it is right. */
  check: { words: string[]; prints: string };
  needs?: string;
}

const trials: Trial[] = [
  {
    folder: "examples/quotes",
    needs: "Python (debugpy)",
    calls: [
      {
        words: [
          "trace",
          "--at",
          "quotes.py:36=parcel.goods,key,self.steps[key]",
          "--",
          "python3",
          "quotes.py",
        ],
        // Paint is dearer than books, and has the same key.
        shows: ["1  'books'       ('north', 1)    1.08", "3  'paint'       ('north', 1)    1.08"],
      },
    ],
    bug: {
      file: "quotes.py",
      from: "key = (parcel.zone, band)",
      to: "key = (parcel.zone, parcel.goods, band)",
    },
    check: {
      words: ["trace", "--function", "report", "--", "python3", "quotes.py"],
      prints: "| total 168.61",
    },
  },
  {
    folder: "examples/ledger",
    needs: "Python (debugpy)",
    calls: [
      {
        words: ["test", "--", "python3", "-m", "unittest"],
        shows: ["test_turnover", "[(1, 30), (2, 0), (3, 0)] != [(1, 40), (2, -15), (3, 5)]"],
      },
      {
        words: ["trace", "--at", "ledger.py:46=movement.day,self.evenings", "--", "python3", "ledger.py"],
        // The first evening changes on the second and third day: it is the shelf itself.
        shows: [
          "{1: {'bolts': 40, 'nuts': 25}}",
          "{1: {'bolts': 25, 'nuts': 25}, 2: ",
          "{1: {'bolts': 25}, 2: ",
        ],
      },
    ],
    bug: { file: "ledger.py", from: "return self.counts", to: "return dict(self.counts)" },
    check: { words: ["test", "--", "python3", "-m", "unittest"], prints: "3 passed" },
  },
  {
    folder: "examples/seats",
    calls: [
      { words: ["test", "--", "node", "--test"], shows: ["orders share a row", 'taken = ["A1:Bob"]'] },
      {
        words: ["trace", "--function", "sell", "--", "node", "seats.test.js"],
        // Bob reads what Ada read: before she wrote.
        shows: [
          'customer="Ada", row="A", count=2)  seats.js:36\n    37 | const state = await this.store.read(row);     state = {free: 4, sold: []}',
          'customer="Bob", row="A", count=1)  seats.js:36\n    37 | const state = await this.store.read(row);     state = {free: 4, sold: []}',
        ],
      },
    ],
    bug: {
      file: "seats.js",
      from: "async sell(customer, row, count) {",
      to: `sell(...order) {
    this.turn = Promise.resolve(this.turn).then(() => this.sellNow(...order));
    return this.turn;
  }

  async sellNow(customer, row, count) {`,
    },
    check: { words: ["test", "--", "node", "--test"], prints: "3 passed" },
  },
];

async function answer(sonde: Sonde, words: string[]): Promise<string> {
  const { stdout, stderr } = await sonde.run(words);
  return stdout + stderr;
}

describe.each(trials)("$folder", (trial) => {
  test("shows its bug in at most three calls", async ({ skip }) => {
    const reason = leftOut(trial.needs);
    if (reason !== undefined) skip(reason);
    expect(trial.calls.length).toBeLessThanOrEqual(3);
    const sonde = createSonde();
    cpSync(join(ROOT, trial.folder), sonde.project, { recursive: true });
    expect(await answer(sonde, trial.check.words)).not.toContain(trial.check.prints);
    for (const { words, shows } of trial.calls) {
      const text = await answer(sonde, words);
      for (const part of shows) expect(text).toContain(part);
    }
    mend(join(sonde.project, trial.bug.file), trial.bug);
    expect(await answer(sonde, trial.check.words)).toContain(trial.check.prints);
  });
});

function mend(file: string, { from, to }: Trial["bug"]): void {
  const [before, after, ...more] = readFileSync(file, "utf8").split(from);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file} should have one place with ${from}`);
  writeFileSync(file, before + to + after);
}
