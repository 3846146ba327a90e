/** `npm run generate`: writes the files under version control that are derived from the command declarations. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadGenerator, ROOT } from "./generator.mjs";

const { generatedFiles } = await loadGenerator();
for (const [path, text] of Object.entries(generatedFiles())) {
  writeFileSync(join(ROOT, path), text);
  console.log(`wrote ${path}`);
}
