/** The examples of the repository, as they stand, with the built package. */
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProject, ROOT, run } from "./package.ts";

/** What each is to show; an example without a line here fails. */
const SHOWS: Record<string, RegExp[]> = {
  "find-a-bug.mjs": [
    /stopped in report, line 23: pieces = 0/,
    /after a step: pieces = "03"/,
    /of type \["string", "string", "string"\]/,
    /exited with code 0: 3 orders, 76\.50 in all/,
  ],
  "runtime-feedback.mjs": [/"watchpoints": \{/, /"value": "\\"035\\""/, /"orders\.js:8": \[/],
  "trace-and-diff.mjs": [
    /^3 hits, by /m,
    / {2}2: total = 53\.5, pieces = "03"/,
    /they part in report, line \d+: orders is .*count: "3".*count: 3\b/,
  ],
};

const examples = readdirSync(join(ROOT, "examples")).filter((name) => name.endsWith(".mjs"));

test("there is one for everything that is to be shown", () => {
  expect(examples.sort()).toEqual(Object.keys(SHOWS).sort());
});

test.each(examples)("%s", async (name) => {
  const sonde = createProject();
  cpSync(join(ROOT, "examples"), join(sonde.project, "examples"), { recursive: true });
  const [said] = await run(
    sonde,
    `import { execFileSync } from "node:child_process";
    say(execFileSync(process.execPath, ["examples/${name}"], { encoding: "utf8" }));`,
  );
  for (const pattern of SHOWS[name] ?? [/^$/]) expect(said).toMatch(pattern);
});
