/** Where a line and a column of a text are, however the lines were looked up. */
import { expect, test } from "vitest";
import { offsetOf } from "../../src/adapters/node/debug/script-texts.ts";

const SEED = 7;

function plainly(text: string, line: number, column: number): number {
  const lines = text.split("\n");
  if (line >= lines.length) return text.length;
  return lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + column;
}

test("every place of texts of any shape", () => {
  let state = SEED;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % below;
  };
  for (let round = 0; round < 40; round++) {
    const lines = Array.from({ length: random(120) }, () => "é\r".repeat(random(6)));
    const text = lines.join("\n") + (random(2) === 0 ? "\n" : "");
    for (let line = 0; line < lines.length + 40; line++) {
      const column = random(9);
      expect([round, line, offsetOf(text, line, column)]).toEqual([round, line, plainly(text, line, column)]);
    }
  }
});

test("a text that is too long to be remembered", () => {
  const text = `${"x".repeat(200_000)}\n`.repeat(40);
  for (const line of [0, 29, 30, 31, 39, 40, 41, 90])
    expect(offsetOf(text, line, 3)).toBe(plainly(text, line, 3));
});
