/** Everything derived from the command declarations. Run by the build; `npm run generate` writes the docs as well. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { adaptersMarkdown } from "./adapters-doc.ts";
import { answersSchema } from "./answers.ts";
import { commandsMarkdown } from "./docs.ts";
import { manifest } from "./manifest.ts";

export async function generate(options: { root: string; outdir: string; version: string }): Promise<void> {
  mkdirSync(options.outdir, { recursive: true });
  writeFileSync(join(options.outdir, "manifest.json"), `${JSON.stringify(manifest(options.version))}\n`);
}

/** Files under version control, by path from the root. */
export function generatedFiles(): Record<string, string> {
  return {
    "docs/commands.md": commandsMarkdown(manifest("")),
    "docs/answers.schema.json": answersSchema(),
    "docs/adapters.md": adaptersMarkdown(),
  };
}
