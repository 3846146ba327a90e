/**
 * The public types, under version control: a change to them is a change that users see, so it must be looked at. What the commands
 * take and answer is checked in its own file (src/library/commands.generated.ts), and the protocol's types are not ours.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { libraryDeclarations } from "../../src/generate/library-declarations.ts";
import { libraryTypes } from "../../src/generate/library-types.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const GOLDEN = join(import.meta.dirname, "public-types.d.txt");

const { text, names, declared } = libraryDeclarations(ROOT);

test("are those that were agreed on (else: UPDATE_GOLDEN=1 npx vitest run test/library/public-types.test.ts)", () => {
  const generated = new Set(
    [...libraryTypes().matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name),
  );
  const own = [...declared].filter(([name]) => !generated.has(name) && name !== "DebugProtocol");
  const exported = names.map(({ name, as }) => (name === as ? name : `${name} as ${as}`));
  const shown = `${own.map(([, one]) => one).join("\n\n")}\n\nexport {\n  ${exported.join(",\n  ")},\n};\n`;
  if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, shown);
  expect(shown).toBe(readFileSync(GOLDEN, "utf8"));
});

test("name nothing that is not there, and no file of ours", () => {
  expect(text).not.toMatch(/from "\.|from "zod|from "@vscode/);
  const ours = [...declared].filter(([name]) => name !== "DebugProtocol").map(([, one]) => one);
  const code = ours.join("\n").replace(/\/\*[\s\S]*?\*\//g, "");
  expect(code).not.toMatch(/\bany\b/);
});
