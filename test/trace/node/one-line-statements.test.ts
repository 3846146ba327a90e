/** Statements with others inside them on one line: told once, with all that the line did. */
import { expect, test } from "vitest";
import { Programs, told } from "./rig.ts";

async function events(body: string, given = "1"): Promise<string[]> {
  const programs = new Programs({
    "app.mjs": `${/await|yield/.test(body) ? "async " : ""}function run(a) {
  let b = 0;
${body}
  return b;
}
const fail = (n) => { throw n; };
await run(${given});
`,
  });
  const { hits, notes, stderr } = await programs.traced(["run"]);
  expect({ notes, stderr }).toEqual({ notes: [], stderr: "" });
  return told(hits.flatMap((one) => (one.kind === "point" ? [] : [one])))
    .slice(2)
    .map((one) => one.replace("run:", ""));
}

test.each([
  ["  try { b = 1; } catch { b = 2; }", ["line 3 b=0", "line 4 b=1", "return 4 -> 1"]],
  ["  try { fail(7); } catch (e) { b = e; }", ["line 3 b=0", "line 4 b=7 e=7 -e", "return 4 -> 7"]],
  ["  try { b = 1; } finally { a = 2; }", ["line 3 b=0", "line 4 a=2 b=1", "return 4 -> 1"]],
  ["  try {} finally { a = 2; }", ["line 3 b=0", "line 4 a=2", "return 4 -> 0"]],
  [
    "  try { b = 1; } catch { b = 2; } finally { a = 2; } b++;",
    ["line 3 b=0", "line 4 a=2 b=2", "return 4 -> 2"],
  ],
  ["  try { await fail(7); } catch (e) { b = e; }", ["line 3 b=0", "line 4 b=7 e=7 -e", "return 4 -> 7"]],
  ["  {} b = 1;", ["line 3 b=0", "line 4 b=1", "return 4 -> 1"]],
  ["  one: {} b = 1;", ["line 3 b=0", "line 4 b=1", "return 4 -> 1"]],
  ["  one:\n  for (b of [5]) a += b;", ["line 4 b=0", "line 4 b=5 a=6", "line 5", "return 5 -> 5"]],
  [
    "  for (const k in { x: 1, y: 2 })\n    b += k;",
    ["line 3 b=0", 'line 4 k="x"', 'line 3 b="0x"', 'line 4 k="y"', 'line 5 b="0xy" -k', 'return 5 -> "0xy"'],
  ],
  ["  do { b++; } while (b < 2);", ["line 3 b=0", "line 3 b=1", "line 4 b=2", "return 4 -> 2"]],
  [
    "  switch (a) {\n    case (b = 4, 1): { const c = 3; a = c; break; }\n  }",
    ["line 3 b=0", "line 4", "line 4 b=4", "line 6 a=3 c=3 -c", "return 6 -> 4"],
  ],
  ["  try { return b; }\n  finally { b = 5; }", ["line 3 b=0", "line 4", "return 3 b=5 -> 0"]],
])("%s", async (body, expected) => {
  expect(await events(body)).toEqual(expected);
});
