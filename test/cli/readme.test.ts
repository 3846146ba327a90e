/** The transcripts in the README are run, not written: `UPDATE_GOLDEN=1` fills them in. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { compilerVersion } from "../support/builds.ts";
import { createSonde } from "../support/sonde.ts";
import { transcript } from "./transcript.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const README = join(ROOT, "README.md");
/** A block names the folder it is run in: ```console examples/orders */
const BLOCK = /```console (\S+)\n([\s\S]*?)```\n/g;

const blocks = [...readFileSync(README, "utf8").matchAll(BLOCK)].map(([whole, folder = "", text = ""]) => ({
  whole,
  folder,
  text,
}));

test.for(blocks)(
  "the transcript of $folder is what the commands print",
  async ({ whole, folder, text }, { skip }) => {
    if (text.includes(" --build ") && compilerVersion("c") === undefined)
      skip("this machine has no C compiler");
    const commands = [...text.matchAll(/^\$ sonde (.*)$/gm)].map((match) => match[1] ?? "");
    const sonde = createSonde();
    cpSync(join(ROOT, folder), sonde.project, { recursive: true });
    const printed = `${(await transcript(sonde, commands)).trimEnd()}\n`;
    if (!process.env.UPDATE_GOLDEN) return expect(text).toBe(printed);
    const readme = readFileSync(README, "utf8");
    writeFileSync(
      README,
      readme.replace(whole, () => `\`\`\`console ${folder}\n${printed}\`\`\`\n`),
    );
  },
);

test("there are transcripts", () => {
  expect(blocks.length).toBeGreaterThanOrEqual(2);
});
