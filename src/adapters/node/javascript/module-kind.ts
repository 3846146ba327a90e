/** Whether Node will load a file as an ES module. */
import { readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { hasModuleSyntax } from "./module-syntax.ts";

export function isModuleFile(path: string): boolean {
  const extension = extname(path);
  if (extension === ".mjs" || extension === ".mts") return true;
  if (extension === ".cjs" || extension === ".cts") return false;
  const type = packageType(path);
  if (type !== undefined) return type === "module";
  // Without a word from package.json newer Nodes look at the text.
  return hasModuleSyntax(read(path) ?? "");
}

function packageType(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const text = read(join(folder, "package.json"));
    if (text !== undefined) {
      try {
        return (JSON.parse(text) as { type?: string }).type;
      } catch {
        return undefined;
      }
    }
    if (folder === dirname(folder)) return undefined;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
