/** Which conditions are asked about before they are set: a usual one starts no Python. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { Conditions } from "../../src/adapters/python/conditions.ts";

const env = { PATH: process.env.PATH ?? "" };

describe("without a Python", () => {
  const conditions = new Conditions({ python: "/nowhere/python3", env, cwd: "/" });
  const isAsked = (condition: string) => conditions.areDoubtful([{ condition }]);

  test.each([
    "n",
    "not done",
    "n == 3",
    "n==-1",
    "a.b[0].c > len(items)",
    "name == 'ann lee' and not n % 2",
    "key in table or key is not None",
    "row['key'] != \"x\"",
    "self.count >= limit - 1",
  ])("nobody asks about %s", (condition) => {
    expect(isAsked(condition)).toBe(false);
  });

  test.each(["n = 3", "n ==", "n n", "", "a if b else c", "[x for x in y]", `${"n + ".repeat(100)}1`])(
    "%s",
    (condition) => {
      expect(isAsked(condition)).toBe(condition !== "");
    },
  );

  test("one that cannot be asked about is set as it is", async () => {
    expect(await conditions.refused([{ condition: "n = 3" }, {}])).toEqual([undefined, undefined]);
  });

  test.each([
    `${Array(9).fill("cfg.a.b.c > 0.5").join(" and ")} and len({1}) > 0`,
    `${Array(40).fill("a.b").join("+")}+{}`,
    `${Array(14).fill("x is not y").join(" and ")} {`,
  ])("one with many parts is read at once: %s", (condition) => {
    expect(isAsked(condition)).toBe(true);
  });

  test.each(["i == and", "1i == 3"])("a keyword and half a number are no names: %s", (condition) => {
    expect(isAsked(condition)).toBe(true);
  });

  test("a long word is looked at only once", () => {
    expect(isAsked(`${"inandor.".repeat(20)} =`)).toBe(true);
  });
});

test.skipIf(spawnSync("python3", ["--version"]).status !== 0)("what Python says of them", async () => {
  const conditions = new Conditions({ python: "python3", env, cwd: "/" });
  const asked = ["n = 3", "n == 3", " any(x for x in y) ", "return 1", "n = 3"].map((condition) => ({
    condition,
  }));
  const refused = await conditions.refused([...asked, {}]);
  expect(refused.map((one) => one?.message?.replace(/(SyntaxError).*/, "$1"))).toEqual([
    "condition: SyntaxError",
    undefined,
    undefined,
    "condition: SyntaxError",
    "condition: SyntaxError",
    undefined,
  ]);
});
