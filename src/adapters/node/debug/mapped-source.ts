/** Which files a source map speaks of. Bundlers write paths in many ways; a file counts only if it is there. */
import type { TraceMap } from "@jridgewell/trace-mapping";
import { existingFile } from "../javascript/map-places.cjs";

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
