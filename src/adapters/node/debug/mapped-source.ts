/** Which files a source map speaks of. Bundlers write paths in many ways; a file counts only if it is there. */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { TraceMap } from "@jridgewell/trace-mapping";
import { realPath } from "./script-url.ts";

export interface MappedSource {
  index: number;
  /** The original file, if it is on this disk. */
  path?: string;
  /** The name the map gives it. */
  name: string;
  content?: string;
}

export function mappedSources(map: TraceMap, url: string): MappedSource[] {
  return map.resolvedSources.map((name, index) => {
    const path = existingFile(name ?? "", url);
    const content = map.sourcesContent?.[index];
    return {
      index,
      name: path ?? name ?? "(unknown)",
      ...(path === undefined ? {} : { path }),
      ...(typeof content === "string" ? { content } : {}),
    };
  });
}

function existingFile(name: string, mapUrl: string): string | undefined {
  for (const candidate of candidates(name, mapUrl)) if (existsSync(candidate)) return realPath(candidate);
  return undefined;
}

function* candidates(name: string, mapUrl: string): Generator<string> {
  if (name.startsWith("file:")) {
    try {
      yield fileURLToPath(name);
    } catch {
      // A path that is not a proper URL is taken as written below.
    }
    yield name.slice("file://".length);
    return;
  }
  if (name.startsWith("/")) yield name;
  const virtual = /^(?:webpack|webpack-internal|rollup|vite|turbopack):\/\/(?:\/|[^/]*\/)?(.*)$/.exec(name);
  const relative = (virtual?.[1] ?? name).replace(/\?.*$/, "");
  if (!mapUrl.startsWith("file:")) return;
  // webpack names sources from the project's root: look in the folders above the bundle.
  let folder = dirname(fileURLToPath(mapUrl));
  for (let up = 0; up < 6 && folder !== dirname(folder); up++, folder = dirname(folder))
    yield resolve(folder, relative);
}
