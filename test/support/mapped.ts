/** Compiles the `mapped` fixture into forms that users run: only their source maps lead back to the sources. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { FIXTURES } from "./sonde.ts";

/**
 * bundle: one file, map beside it. minified: names gone too. inline: the map in the file, with the sources' text.
 * files: one output per source as tsc makes them. missing: names a map that is not there.
 */
export const mappedForms = ["bundle", "minified", "inline", "files", "esm", "missing"] as const;
export type MappedForm = (typeof mappedForms)[number];

export interface MappedProgram {
  /** What to run. */
  program: string;
  main: string;
  lib: string;
}

export async function buildMapped(project: string, form: MappedForm): Promise<MappedProgram> {
  cpSync(join(FIXTURES, "js/mapped/src"), join(project, "src"), { recursive: true });
  const bundle = form !== "files";
  const extension = form === "esm" ? ".mjs" : ".cjs";
  await build({
    absWorkingDir: project,
    entryPoints: bundle ? ["src/main.ts"] : ["src/main.ts", "src/lib.ts"],
    outdir: "dist",
    bundle,
    format: form === "esm" ? "esm" : "cjs",
    platform: "node",
    target: "node20",
    minify: form === "minified",
    sourcemap: form === "inline" ? "inline" : "linked",
    sourcesContent: form === "inline",
    outExtension: { ".js": extension },
    logLevel: "silent",
  });
  const program = join(project, `dist/main${extension}`);
  if (form === "files") replaceIn(program, "./lib.ts", "./lib.cjs");
  if (form === "missing") replaceIn(program, "sourceMappingURL=main", "sourceMappingURL=nowhere");
  return { program, main: join(project, "src/main.ts"), lib: join(project, "src/lib.ts") };
}

function replaceIn(file: string, from: string, to: string): void {
  writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
}
