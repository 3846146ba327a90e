/** Skills against the agent-skills format, and against what this repository has. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { LOCAL_COMMANDS } from "../../src/cli/local/declared.ts";
import { manifest } from "../../src/generate/manifest.ts";
import { ROOT, type Skill, skills } from "./skills.ts";

const KEYS = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

/** The part of YAML that all readers agree on: one plain text a key. Anything else is a failure. */
function fields({ front }: Skill): Record<string, string> {
  return Object.fromEntries(
    front.split("\n").map((line) => {
      const [, key, value] = /^([a-z-]+): (\S.*)$/.exec(line) ?? [];
      if (key === undefined || value === undefined) throw new Error(`not "key: text": ${line}`);
      if (/^[-?:,[\]{}#&*!|>'"%@`]|: | #/.test(value)) throw new Error(`no plain text in YAML: ${line}`);
      return [key, value];
    }),
  );
}

const names = new Set(
  [...manifest("").commands, ...LOCAL_COMMANDS].flatMap((one) => [one.name, ...one.aliases]),
);

test("there are skills", () => {
  expect(skills.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "debugger-agents",
      "debugger-go",
      "debugger-native",
      "debugger-nodejs",
      "debugger-python",
    ]),
  );
});

describe.each(skills)("$name", (skill) => {
  test("has the front matter that the format asks for", () => {
    const found = fields(skill);
    expect(Object.keys(found).filter((key) => !KEYS.includes(key))).toEqual([]);
    expect(found.name).toBe(skill.name);
    expect(skill.name).toMatch(/^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(found.description?.length).toBeGreaterThan(50);
    expect(found.description?.length).toBeLessThanOrEqual(1024);
    expect(found.description).toContain("Use when");
    expect(found.compatibility?.length ?? 0).toBeLessThanOrEqual(500);
  });

  test("is short", () => {
    expect(skill.body.split("\n").length).toBeLessThan(120);
    // Tokens, counted as bytes by four.
    expect(Buffer.byteLength(skill.text) / 4).toBeLessThan(2500);
  });

  test("links only to what is there", () => {
    const links = [...skill.body.matchAll(/\]\(([^)]+)\)/g)].map(([, to = ""]) => to);
    expect(links.filter((to) => !existsSync(join(dirname(skill.file), to)))).toEqual([]);
  });

  test("names only commands and options that exist", () => {
    const typed = [...skill.body.matchAll(/`sonde ([a-z][^`]*)`/g)].map(([, line = ""]) => line);
    expect(typed.length).toBeGreaterThan(8);
    expect(typed.map(problem).filter(Boolean)).toEqual([]);
  });

  test("shows a run of a program", () => {
    const folders = [...skill.body.matchAll(/```console (\S+)\n/g)].map(([, folder = ""]) => folder);
    expect(folders.length).toBeGreaterThan(0);
    expect(folders.filter((folder) => !existsSync(join(ROOT, folder)))).toEqual([]);
  });

  test("has a section for each of its parts", () => {
    for (const part of [
      "**Use it when**",
      "**Do not use it**",
      "## How to work",
      "## Worked example",
      "## Pitfalls",
    ])
      expect(skill.body).toContain(part);
  });
});

function problem(line: string): string | undefined {
  const own = line.split(/ -- /)[0] ?? "";
  const words = own.split(" ");
  const name = [3, 2, 1].map((count) => words.slice(0, count).join(" ")).find((one) => names.has(one));
  if (name === undefined) return `no such command: sonde ${line}`;
  const command = manifest("").commands.find((one) => one.name === name || one.aliases.includes(name));
  const flags = own.replaceAll(/'[^']*'/g, "").match(/(?<= )--[a-z][a-z-]*/g) ?? [];
  const unknown = flags.filter((flag) => !command?.flags.some((one) => one.name === flag));
  return unknown.length > 0 ? `sonde ${name} has no ${unknown.join(", ")}: sonde ${line}` : undefined;
}

test("the package has them", () => {
  const { files } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { files: string[] };
  expect(files).toContain("skills");
});
