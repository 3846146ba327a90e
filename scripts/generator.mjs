/** src/generate/main.ts, bundled and loaded. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { ROOT } from "./prepare.mjs";

export { ROOT };

export async function loadGenerator() {
  const folder = mkdtempSync(join(tmpdir(), "sonde-generate-"));
  try {
    const outfile = join(folder, "generate.mjs");
    await build({
      absWorkingDir: ROOT,
      entryPoints: ["src/generate/main.ts"],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "warning",
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
