/** Everything derived from the command declarations. Run by the build; `npm run generate` writes the docs as well. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { adaptersMarkdown } from "./adapters-doc.ts";
import { answersSchema } from "./answers.ts";
import { commandsMarkdown } from "./docs.ts";
import { feedbackSchema } from "./feedback.ts";
import { libraryDeclarations } from "./library-declarations.ts";
import { libraryMarkdown } from "./library-doc.ts";
import { libraryMethods } from "./library-methods.ts";
import { argumentTypes, libraryTypes } from "./library-types.ts";
import { manifest } from "./manifest.ts";
import { skillReferences } from "./skills.ts";
import { toolList } from "./tools.ts";

export async function generate(options: { root: string; outdir: string; version: string }): Promise<void> {
  mkdirSync(options.outdir, { recursive: true });
  writeFileSync(join(options.outdir, "manifest.json"), `${JSON.stringify(manifest(options.version))}\n`);
  const { text } = libraryDeclarations(options.root);
  writeFileSync(join(options.outdir, "index.d.cts"), text);
  // An ES module may take all that it declares from a CommonJS one; not the other way round.
  writeFileSync(join(options.outdir, "index.d.ts"), 'export * from "./index.cjs";\n');
}

/** Files under version control, by path from the root. */
export function generatedFiles(root: string = process.cwd()): Record<string, string> {
  const types = {
    "src/advice/commands.generated.ts": argumentTypes(),
    "src/library/commands.generated.ts": libraryTypes(),
    "src/library/session-methods.generated.ts": libraryMethods(),
  };
  return {
    "docs/commands.md": commandsMarkdown(manifest("")),
    "docs/answers.schema.json": answersSchema(),
    "docs/runtime-feedback.schema.json": feedbackSchema(),
    "docs/adapters.md": adaptersMarkdown(),
    "docs/library.md": libraryMarkdown(root, types),
    ...types,
    "src/mcp/tools.generated.ts": toolList(),
    ...skillReferences(manifest("")),
  };
}
