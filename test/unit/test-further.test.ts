/** The lines of the first answer of `test` and those of `--further`: together all of them, none twice, whatever else differs. */
import { expect, test } from "vitest";
import type { Tested } from "../../src/commands/test/shape.ts";
import { testText } from "../../src/commands/test/text.ts";
import { typedWords } from "../support/typed-words.ts";

const OPTIONS = {
  cwd: "/p",
  limits: { valueChars: 120, snapshotBytes: 4096, outputLines: 8 },
  say: typedWords,
} as Parameters<typeof testText>[1];

/** A number from 0 up to `most`, by a seed. */
function numbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * (most + 1));
  };
}

function tested(seed: number): Tested {
  const number = numbers(seed);
  const text = (most: number) => "x".repeat(1 + number(most));
  const line = (at: number) => ({
    path: `/p/code${at % 3}.py`,
    line: 100 + at,
    function: `f${at % 4}`,
    source: `value = ${text(90)}`,
    changes: [{ name: "value", value: text(90) }],
    times: 1 + number(2),
  });
  const lines = Array.from({ length: number(40) }, (_, at) => line(at));
  const frame = (at: number) => ({
    path: lines[at * 2]?.path ?? "/p/none.py",
    line: lines[at * 2]?.line ?? 1,
    function: "f",
    source: [{ line: 1, text: text(100) }],
    values: [],
  });
  const calls = Array.from({ length: number(4) }, (_, at) => ({
    path: "/p/code0.py",
    line: 900 + at,
    function: "made",
    source: text(90),
    value: text(60),
  }));
  return {
    runner: "pytest",
    command: "pytest",
    words: ["pytest"],
    state: "failed",
    counts: { failed: 1, passed: number(9), skipped: 0 },
    test: { name: text(80), message: `${text(300)}\n${text(300)}`, compared: [] },
    stop: {
      frames: Array.from({ length: number(8) }, (_, at) => frame(at)),
      moreFrames: 0,
      folded: 0,
      notes: [],
      output: { lines: [], moreLines: 0 },
    },
    origin: { calls, writes: [], functions: [], depth: 0, lines, unmet: [] },
    others: Array.from({ length: number(12) }, () => text(100)),
    moreOthers: 0,
    output: [],
    notes: [],
  } as unknown as Tested;
}

/** The numbers of the lines in its list, and how many it leaves to the data. */
function listed(text: string): { shown: number[]; left: number } {
  const from = text.search(/may (?:further )?depend on/);
  const list = from < 0 ? "" : text.slice(from);
  return {
    shown: [...list.matchAll(/^ {4}(\d{3}) \| value/gm)].map(([, line]) => Number(line)),
    left: Number(/\(\+(\d+) more line/.exec(list)?.[1] ?? 0),
  };
}

test("none is lost and none comes twice", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const answer = tested(seed);
    const first = listed(testText(answer, OPTIONS));
    // The second run has other words around it.
    const again = {
      ...answer,
      further: true as const,
      others: [],
      counts: { failed: 1, passed: 0, skipped: 0 },
    };
    const second = listed(testText(again, OPTIONS));
    const all = [...first.shown, ...second.shown];
    expect({ seed, twice: all.length - new Set(all).size }).toEqual({ seed, twice: 0 });
    const told = new Set((answer.stop?.frames ?? []).slice(0, 3).map(({ line }) => line));
    const wanted = (answer.origin?.lines ?? []).map(({ line }) => line).filter((line) => !told.has(line));
    expect({ seed, count: all.length + second.left }).toEqual({ seed, count: wanted.length });
    if (second.left === 0) expect(all.sort((a, b) => a - b)).toEqual(wanted);
  }
});
