/** What a variable was is said of the call that is shown, never of another call of the same function. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

const PARTS = `def part(numbers):
    left = numbers[0]
    if len(numbers) > 1:
        right = part(numbers[1:])
        left = left - right
    return left

def double(number):
    result = number * 2
    return result

def total(numbers):
    sum = 0
    for number in numbers:
        sum += number
    return sum

print(part([12, 6, 2]))
for one in (1, 2, 3):
    double(one)
print(total([4, 5, 6]))
`;

test("Python: not of another call, be it deeper, or made by the next round", { timeout: 60_000 }, async ({
  skip,
}) => {
  if (spawnSync("python3", ["--version"]).status !== 0) skip("no python3");
  const sonde = borrowSonde();
  sonde.write("parts.py", PARTS);
  const places = [5, 10, 15].flatMap((line) => ["--break", `parts.py:${line}`]);
  expect(await sonde.text(["start", "parts.py", ...places])).toContain("left = 6");
  const outer = await sonde.text("continue");
  expect(outer).toContain("left = 12");
  expect(outer).not.toMatch(/ was | {2}new$/m);
  for (const number of [1, 2, 3]) {
    const stopped = await sonde.text("continue");
    expect(stopped).toContain(`number = ${number}`);
    expect(stopped).not.toMatch(/ was | {2}new$/m);
  }
  expect(await sonde.text("continue")).toContain("sum = 0");
  expect(await sonde.text("continue")).toMatch(/sum = 4 {2}\(int\) {2}was 0/);
  expect(await sonde.text("next")).toMatch(/number = 5/);
  expect(await sonde.text("next")).toMatch(/number = 6 {2}\(int\) {2}was 5/);
  await sonde.text("stop");
});

test("JavaScript: steps from one call of a callback into the next", async () => {
  const sonde = borrowSonde();
  sonde.write("each.js", "[1, 2].forEach((x) => {\n  const q = x * 2;\n  q + 1;\n});\n");
  await sonde.text("start each.js --break each.js:2");
  expect(await sonde.text("next")).toMatch(/q = 2 .* was undefined|q = 2 .* was <|q = 2 .*new/);
  const second = await sonde.text("continue");
  expect(second).toContain("x = 2");
  expect(second).not.toContain(" was ");
  await sonde.text("stop");
});

test("a probe has shown nothing before", async () => {
  const sonde = borrowSonde();
  sonde.write("sum.js", "let sum = 0;\nfor (const x of [1, 2, 3]) {\n  sum += x;\n}\n");
  const probed = await sonde.text("probe sum.js:3 --hits 3 --eval sum");
  expect(probed).toContain("sum = 3");
  expect(probed).not.toContain(" was ");
});
