/** Frames as V8 gives them, as the user knows them: by their own files and lines. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { TraceMap } from "@jridgewell/trace-mapping";
import { isInternalUrl, isLibraryPath, pathOfUrl } from "../../../adapters/node/debug/script-url.ts";
import { SourceMap } from "../../../adapters/node/debug/source-map.ts";
import type { TraceFrame } from "../../record.ts";

const MAP_LIMIT = 64 << 20;

export interface RawFrame {
  name: string;
  /** A path, or a URL. */
  file: string;
  /** From 1. */
  line: number;
  column: number;
}

export class FramePlaces {
  readonly #maps = new Map<string, () => SourceMap | undefined>();
  readonly #onDisk = new Map<string, boolean>();

  /** The map of a script, as JSON. */
  learn(path: string, json: string): void {
    this.#maps.set(
      path,
      once(() => sourceMap(json, pathToFileURL(path).href)),
    );
  }

  /** …or by the address that stands in it. */
  learnUrl(path: string, mapUrl: string): void {
    this.#maps.set(
      path,
      once(() => fetched(mapUrl, pathToFileURL(path).href)),
    );
  }

  place({ name, file, line, column }: RawFrame): TraceFrame {
    const path = isInternalUrl(file) ? undefined : pathOfUrl(file)?.replace(/\?.*$/, "");
    if (path === undefined || !this.#exists(path)) return { function: name, line };
    const map = isLibraryPath(path) ? undefined : this.#maps.get(path)?.();
    const original = map?.original({ line: line - 1, column: column - 1 });
    if (original !== undefined)
      return {
        function: name,
        line: original.line + 1,
        ...(original.source.path === undefined ? {} : { path: original.source.path }),
      };
    // What a loader put around the code: it goes by the file's name, but its lines are not the file's.
    return map?.sourceAt(path) === undefined ? { function: name, path, line } : { function: name, line };
  }

  #exists(path: string): boolean {
    const known = this.#onDisk.get(path) ?? existsSync(path);
    this.#onDisk.set(path, known);
    return known;
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function sourceMap(json: string, url: string): SourceMap | undefined {
  try {
    return new SourceMap(new TraceMap(json, url), url);
  } catch {
    return undefined; // as if there were none: the script's own lines are shown
  }
}

function fetched(mapUrl: string, scriptUrl: string): SourceMap | undefined {
  if (mapUrl.startsWith("data:")) {
    const comma = mapUrl.indexOf(",");
    const payload = mapUrl.slice(comma + 1);
    const isBase64 = mapUrl.slice(0, comma).endsWith(";base64");
    return sourceMap(
      isBase64 ? Buffer.from(payload, "base64").toString() : decodeURIComponent(payload),
      scriptUrl,
    );
  }
  try {
    const url = new URL(mapUrl, scriptUrl);
    const file = fileURLToPath(url);
    const found = statSync(file);
    return found.isFile() && found.size < MAP_LIMIT
      ? sourceMap(readFileSync(file, "utf8"), url.href)
      : undefined;
  } catch {
    return undefined; // not a file, or not there
  }
}
