/** `sonde trace --function`: loops of one line, and rounds in which there is nothing to see. */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

/** What is shown of a function, without the lines before and after. */
async function shown(file: string, text: string, command: string): Promise<string[]> {
  const sonde = borrowSonde();
  sonde.write(file, text);
  const lines = (await sonde.text(["trace", "--function", "run", "--", command, file])).split("\n");
  const from = lines.findIndex((line) => line.startsWith("run("));
  return lines.slice(from, lines.findIndex((line) => line.startsWith("  returned")) + 1);
}

test("a loop of one line: what each round binds (JavaScript)", async () => {
  const text = `const handlers = { add() {}, drop() {} };
function run(events) {
  for (const { type, ...event } of events) handlers[type](event);
}
run([{ type: "add", n: 1 }, { type: "drop", n: 1 }, { type: "add", n: 2 }]);
`;
  const code = "for (const { type, ...event } of events) ha…";
  expect((await shown("app.js", text, "node")).slice(1)).toEqual([
    "  loop, line 3: its head ran 4 times",
    "    round 1",
    `       3 | ${code}  type = "add"  event = {n: 1}`,
    "    round 2",
    `       3 | ${code}  type = "drop"`,
    "    round 3",
    `       3 | ${code}  type = "add"  event = {n: 2}`,
    "    round 4",
    "       3 | for (const { type, ...event } of events) handlers[type](event);",
    "  returned undefined",
  ]);
});

test("a loop of one line: what each round binds (Python)", async () => {
  const text = `def show(k, v): pass
def run(d):
    for k, v in d.items(): show(k, v)
run({"a": 1, "b": 2})
`;
  const code = "for k, v in d.items(): show(k, v)".padEnd(44);
  expect((await shown("app.py", text, "python3")).slice(1)).toEqual([
    "  loop, line 3: its head ran 3 times",
    `       3 | ${code}  k = 'a'  v = 1`,
    `       3 | ${code}  k = 'b'  v = 2`,
    "       3 | for k, v in d.items(): show(k, v)",
    "  returned None",
  ]);
});

test("rounds in which there is nothing to see are shown once", async () => {
  const text = `let n = 0;
const next = () => n++ < 8;
function run() {
  while (next());
  n = 0;
  while (next()) {
    Math.abs(n);
  }
}
run();
`;
  expect((await shown("app.js", text, "node")).slice(1)).toEqual([
    "  loop, line 4: its head ran 9 times, the same each time, and no variable changed",
    "       4 | while (next());",
    "     5 | n = 0;",
    "  loop, lines 6-7: its head ran 9 times",
    "    round 1",
    "       6 | while (next()) {",
    "       7 | Math.abs(n);",
    "    … 7 more rounds like round 1",
    "    round 9",
    "       6 | while (next()) {",
    "  returned undefined",
  ]);
});
