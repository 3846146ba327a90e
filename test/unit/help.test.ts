/** Help that answers what a newcomer asks first. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandHelpText, helpText } from "../../src/cli/local/help-text.ts";
import type { Manifest } from "../../src/cli/local/manifest-shape.ts";
import { manifest } from "../../src/generate/manifest.ts";

/** As the client reads it: from JSON. */
const all = JSON.parse(JSON.stringify(manifest("0.0.0"))) as Manifest;

function helpOf(name: string): string {
  return commandHelpText(all.commands.filter((one) => one.name === name));
}

test("`sonde help` begins with which command answers which question", () => {
  const [, , first, ...rest] = helpText(all).split("\n");
  expect(first).toBe("Start here");
  const questions = rest.slice(0, rest.indexOf(""));
  expect(questions.length).toBeLessThanOrEqual(5);
  const named = questions.map((line) => /sonde (\w+)/.exec(line)?.[1]);
  expect(named).toEqual(["test", "crash", "hang", "trace", "start"]);
  for (const line of questions) expect(line.length).toBeLessThanOrEqual(120);
});

test("`trace --help` names every collector there is", () => {
  const collectors = readdirSync(join(import.meta.dirname, "../../src/trace/collectors"), {
    withFileTypes: true,
  }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  const line = /--collector <name> .*: (.*)\n/.exec(helpOf("trace"))?.[1] ?? "";
  expect(line.split(", ").sort()).toEqual(collectors.sort());
});

test("an option's text stands for itself", () => {
  for (const name of ["trace", "diff"]) expect(helpOf(name)).not.toMatch(/ {2}…/);
});

test("what excludes what is said", () => {
  expect(helpOf("trace")).toMatch(/--condition .*not with --function/);
  expect(helpOf("trace")).toMatch(/--function .*not with --at/);
  expect(helpOf("trace")).toContain("file:line[=expr,expr][ if cond]");
});
