/** Words as they are typed, shown and handed on: whatever is in them, they come out as they went in. */
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { REGISTERED } from "../../src/commands/index.ts";
import { parseArgv, Registry } from "../../src/engine/argv.ts";
import { shellWord, splitLines, splitWords } from "../../src/util/shell-words.ts";

const registry = new Registry(REGISTERED);
const SPECIAL = [
  "",
  " ",
  "'",
  '"',
  "\\",
  "$(touch x)",
  "`id`",
  "--",
  "-x",
  ";",
  "\n",
  "*",
  "~",
  "#",
  "!",
  "=",
  "é",
  "\u202e",
  "__proto__",
  "constructor",
];
const word = fc
  .array(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...SPECIAL)), { maxLength: 4 })
  .map((parts) => parts.join("").replaceAll("\0", ""));

test("a word that we show is that word again when it is read", () => {
  fc.assert(
    fc.property(fc.array(word), (words) => {
      expect(splitWords(words.map(shellWord).join(" "))).toEqual(words);
    }),
  );
});

test("commands on one line come apart where they were put together", () => {
  const command = fc.array(word, { minLength: 1 }).map((words) => words.map(shellWord).join(" "));
  fc.assert(
    fc.property(fc.array(command), (commands) => {
      const split = splitLines(commands.join(" ; "));
      expect(split).toEqual(commands.map((line) => line.trim()).filter((line) => line !== ""));
    }),
  );
});

test("a shell reads it as we do, and runs nothing in it", () => {
  const valid = word.filter((text) => Buffer.from(text).toString() === text);
  const words = fc.sample(valid, { numRuns: 300, seed: 1 }).concat(SPECIAL);
  const { stdout } = spawnSync("/bin/sh", ["-c", `printf '%s\\0' ${words.map(shellWord).join(" ")}`], {
    encoding: "utf8",
    cwd: "/",
  });
  expect(stdout.split("\0").slice(0, -1)).toEqual(words);
});

test("what stands behind -- is the program's, to the letter", () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), (words) => {
      expect(parseArgv(registry, ["start", "app.js", "--", ...words])).toMatchObject({
        args: { program: "app.js", args: words },
        json: false,
      });
    }),
  );
});

test("variables of any name and value arrive, also those that every object has", () => {
  const name = fc.oneof(
    fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty"),
    fc.stringMatching(/^[A-Za-z_]\w{0,8}$/),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(name, word), { minLength: 1, maxLength: 5 }), (pairs) => {
      const { args } = parseArgv(registry, [
        "start",
        "app.js",
        ...pairs.flatMap(([key, value]) => ["--env", `${key}=${value}`]),
      ]);
      const { env } = args as { env: Record<string, string> };
      expect(Object.entries(env).sort()).toEqual([...new Map(pairs)].sort());
    }),
  );
});
