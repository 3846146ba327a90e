/** Files an ES module pulls in by static imports, itself first; libraries are not followed. Read from disk, not from V8. */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isLibraryPath, realPath } from "../debug/script-url.ts";
import { importsOf } from "./module-syntax.ts";

const FILES_LIMIT = 2000;

export async function moduleGraph(entry: string): Promise<{ path: string; text: string }[]> {
  const found = new Map<string, string>();
  let next = [realPath(entry)];
  while (next.length > 0 && found.size < FILES_LIMIT) {
    const read = await Promise.all(next.map(async (path) => ({ path, text: await textOf(path) })));
    const fresh = read.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]));
    for (const { path, text } of fresh) found.set(path, text);
    const wanted = fresh.flatMap(({ path, text }) =>
      importsOf(text).flatMap((specifier) => fileOf(specifier, path) ?? []),
    );
    next = [...new Set(wanted)].filter((path) => !found.has(path) && !isLibraryPath(path));
  }
  return [...found].map(([path, text]) => ({ path, text }));
}

function fileOf(specifier: string, from: string): string | undefined {
  const bare = specifier.replace(/[?#].*$/, "");
  try {
    if (bare.startsWith("file:")) return realPath(fileURLToPath(bare));
    return /^\.{0,2}\//.test(bare) ? realPath(resolve(dirname(from), decodeURIComponent(bare))) : undefined;
  } catch {
    return undefined;
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return undefined;
  }
}
