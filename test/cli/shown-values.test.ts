/** How many values of a frame were left out: fields that the line reads take room too. */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

interface Probed {
  found: { snapshot: { values: { name: string }[]; moreValues: number } };
}

test("variables that are shown and those that are left out are all that there are", async () => {
  const sonde = borrowSonde();
  const names = Array.from({ length: 40 }, (_, at) => `v${at}`);
  const fields = ["a", "b", "c", "d", "e", "f", "g"];
  sonde.write(
    "app.js",
    [
      "function f(cart) {",
      ...names.map((name, at) => `  const ${name} = ${at};`),
      `  const total = ${fields.map((name) => `cart.${name}.n`).join(" + ")};`,
      "  return total;",
      "}",
      'const pad = Array.from({ length: 50 }, (_, at) => ["pad" + at, "x".repeat(50)]);',
      `const rest = ${JSON.stringify(fields)}.map((name) => [name, { n: 1 }]);`,
      "f(Object.fromEntries([...pad, ...rest]));",
    ].join("\n"),
  );
  const line = names.length + 2;
  const { found } = await sonde.ask<Probed>(["probe", `app.js:${line}`, "--", "node", "app.js"]);
  const { values, moreValues } = found.snapshot;
  const variables = values.filter(({ name }) => /^(v\d+|cart|total)$/.test(name)).length;
  expect(values.length).toBeGreaterThan(variables);
  expect(variables + moreValues).toBe(names.length + 2);
});

test("a field that the line reads is shown if the object's text is cut before it", async () => {
  const sonde = borrowSonde();
  sonde.write(
    "app.py",
    `class Parser:
    def __init__(self):
        self.grammar = "x" * 300
        self.count = 2


def check(parser):
    assert parser.count == 2


check(Parser())
`,
  );
  const text = await sonde.text(["probe", "app.py:8", "--", "python3", "app.py"]);
  expect(text).toMatch(/\n {2}parser = <Parser grammar=.*…/);
  expect(text).toMatch(/\n {2}parser\.count = 2 {2}\(int\)/);
});
