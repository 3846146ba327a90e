/** The transcripts in the skills are run, not written: `UPDATE_GOLDEN=1` fills them in. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { transcript } from "../cli/transcript.ts";
import { createSonde } from "../support/sonde.ts";
import { leftOut, ROOT, skills } from "./skills.ts";

/** A block names the folder it is run in: ```console examples/orders */
const BLOCK = /```console (\S+)\n([\s\S]*?)```\n/g;

const blocks = skills.flatMap(({ name, file, text: whole }) =>
  [...whole.matchAll(BLOCK)].map(([block, folder = "", text = ""]) => ({ name, file, block, folder, text })),
);

/** By the row of the contract that needs the same debugger. */
const NEEDS: Record<string, string> = {
  "debugger-python": "Python (debugpy)",
  "debugger-native": "C (LLDB)",
  "debugger-go": "Go (delve)",
};

/** Which collector is the fastest that fits depends on the machine (gdb, perf); what it records does not. */
function anyCollector(text: string): string {
  return text.replaceAll(/(?<=<time>) by [\w-]+/g, "").replaceAll(/^note: \w+ was not used: .*\n/gm, "");
}

test.for(blocks)("the transcript of $folder in $name is what the commands print", async (one, { skip }) => {
  const reason = leftOut(NEEDS[one.name]);
  if (reason !== undefined) skip(reason);
  const commands = [...one.text.matchAll(/^\$ sonde (.*)$/gm)].map((match) => match[1] ?? "");
  expect(commands.length).toBeGreaterThan(0);
  const sonde = createSonde();
  cpSync(join(ROOT, one.folder), sonde.project, { recursive: true });
  const printed = `${(await transcript(sonde, commands)).trimEnd()}\n`;
  if (!process.env.UPDATE_GOLDEN) return expect(anyCollector(one.text)).toBe(anyCollector(printed));
  const now = readFileSync(one.file, "utf8");
  writeFileSync(
    one.file,
    now.replace(one.block, () => `\`\`\`console ${one.folder}\n${printed}\`\`\`\n`),
  );
});
