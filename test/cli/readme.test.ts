/** The transcript in the README is run, not written: `UPDATE_GOLDEN=1` fills it in. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { createSonde } from "../support/sonde.ts";
import { transcript } from "./transcript.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const README = join(ROOT, "README.md");
const BLOCK = /(```console\n)([\s\S]*?)(```\n)/;

test("the README's transcript is what the commands print", async () => {
  const readme = readFileSync(README, "utf8");
  const block = BLOCK.exec(readme)?.[2] ?? "";
  const commands = [...block.matchAll(/^\$ sonde (.*)$/gm)].map((match) => match[1] ?? "");
  const sonde = createSonde();
  cpSync(join(ROOT, "examples/orders"), sonde.project, { recursive: true });
  const printed = await transcript(sonde, commands);
  const expected = `${printed.trimEnd()}\n`;
  if (process.env.UPDATE_GOLDEN)
    writeFileSync(
      README,
      readme.replace(BLOCK, (_, open, __, close) => `${open}${expected}${close}`),
    );
  else expect(block).toBe(expected);
});
