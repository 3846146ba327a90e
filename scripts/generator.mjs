/** Modules of src/, bundled and loaded: scripts run on Node alone. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { ROOT } from "./prepare.mjs";

export { ROOT };

export function loadGenerator() {
  return loadModule("src/generate/main.ts");
}

export async function loadModule(path) {
  const folder = mkdtempSync(join(tmpdir(), "sonde-generate-"));
  try {
    const outfile = join(folder, "module.mjs");
    await build({
      absWorkingDir: ROOT,
      entryPoints: [path],
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
