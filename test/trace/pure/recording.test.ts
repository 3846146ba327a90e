/** What a collector reports, made strict: no hits of another line, no words of a debugger in a value's place. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { callsText } from "../../../src/commands/trace/calls-text.ts";
import type { Limits } from "../../../src/session/stack/snapshot.ts";
import { isBareLine } from "../../../src/trace/bare-line.ts";
import { Recording } from "../../../src/trace/recording.ts";
import { typedWords } from "../../support/typed-words.ts";
import { planOf, scratch } from "../support.ts";
import { lineRecord, type Row } from "./records.ts";

test("a blank line and a comment have no code, whatever line a debugger took instead", () => {
  const path = join(scratch(), "a.c");
  writeFileSync(
    path,
    'int f(void)\n{\n  /* one\n     two */\n\n  char *s = "/*"; // three\n  return\n    1;\n}\n',
  );
  const plan = planOf([3, 4, 5, 8].map((line) => ({ path, line, expressions: [] })));
  let ended = 0;
  const recording = new Recording(plan, { unbound: () => ended++ });
  for (const [at, line] of [6, 6, 6, 7].entries()) recording.bind(at, { state: "bound", line });
  const none = (line: number) => ({
    state: "unbound",
    reason: `no code on line ${line} of a.c`,
    nearest: [6],
  });
  expect(recording.bindings).toEqual([none(3), none(4), none(5), { state: "bound", line: 7 }]);
  expect(ended).toBe(3);
});

test("which lines are bare", () => {
  const text = "a = 1  # x\n# y\n\nb = '#'\n";
  expect([1, 2, 3, 4, 9].map((line) => isBareLine("a.py", text, line))).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
  const c = '#define A 1\n/* a */ f();\n/* a */ // b\nputs("// */"); /* c\n */ g();\n';
  expect([1, 2, 3, 4, 5].map((line) => isBareLine("a.c", c, line))).toEqual([
    false,
    false,
    true,
    false,
    false,
  ]);
});

test("what could not be read is unavailable, and no statement is made of it", () => {
  const recording = new Recording(planOf([{ path: "/a.c", line: 1, expressions: ["i", "s"] }]));
  const read = ["<optimized out>", '"<optimized out>"'];
  for (let hit = 0; hit < 3; hit++)
    recording.hit({ kind: "point", point: 0, thread: "1", values: read, frames: [] });
  expect(recording.statistics[0]?.map(({ unavailable }) => unavailable)).toEqual([3, 0]);
  expect(recording.hits()[0]).toMatchObject({ values: ["<unavailable>", '"<optimized out>"'] });
});

test("recursion of any depth is shown, and in few lines", () => {
  const path = join(scratch(), "app.py");
  writeFileSync(path, "def down(n):\n    return n and down(n - 1)\n");
  const deep = 9000;
  const rows: Row[] = [];
  for (let call = 1; call <= deep; call++) {
    const more = { call, function: "down", ...(call === 1 ? {} : { parent: call - 1 }) };
    rows.push(["call", 1, { n: String(deep - call) }, more], ["line", 2, {}, more]);
  }
  for (let call = deep; call > 0; call--)
    rows.push(["return", 2, {}, { call, function: "down", value: "0" }]);
  const record = lineRecord(rows, path);
  const limits = { valueChars: 120, snapshotBytes: 4096, outputLines: 8 } as Limits;
  for (const whole of [false, true]) {
    const { lines, more } = callsText(record, {
      whole,
      bytes: 60_000,
      cut: "…",
      cwd: "/",
      limits,
      say: typedWords,
    });
    expect(more).toBe(true);
    expect(lines.length).toBeLessThan(200);
    expect(lines.join("\n")).toContain("down(n=8999)");
    if (whole)
      expect(lines.join("\n")).toMatch(
        /8\d{3} more calls inside it, 8\d{3} levels deeper; the deepest: down\(n=0\) → 0/,
      );
  }
});
