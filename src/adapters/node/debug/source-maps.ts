/** Finds and keeps the source maps of scripts. A map that cannot be read is as if there were none, and is logged. */
import { readFile, stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { TraceMap } from "@jridgewell/trace-mapping";
import { MAP_LIMIT, mapPlace } from "../javascript/map-places.cjs";
import { reasonOf } from "./host.ts";
import type { Script } from "./scripts.ts";
import { SourceMap } from "./source-map.ts";

export class SourceMaps {
  readonly #log: (message: string) => void;
  readonly #loading = new Map<string, Promise<SourceMap | undefined>>();
  readonly #ready = new Map<string, SourceMap>();

  constructor(log: (message: string) => void) {
    this.#log = log;
  }

  of(script: Script): Promise<SourceMap | undefined> {
    return script.sourceMapUrl === undefined
      ? Promise.resolve(undefined)
      : this.read(script.url, script.sourceMapUrl);
  }

  /** The map if it has been read. */
  known(script: Script): SourceMap | undefined {
    return script.sourceMapUrl === undefined
      ? undefined
      : this.#ready.get(keyOf(script.url, script.sourceMapUrl));
  }

  read(scriptUrl: string, mapUrl: string): Promise<SourceMap | undefined> {
    const key = keyOf(scriptUrl, mapUrl);
    const loading = this.#loading.get(key) ?? this.#load(scriptUrl, mapUrl, key);
    this.#loading.set(key, loading);
    return loading;
  }

  async #load(scriptUrl: string, mapUrl: string, key: string): Promise<SourceMap | undefined> {
    try {
      const base = scriptUrl.startsWith("/") ? pathToFileURL(scriptUrl).href : scriptUrl;
      const { text, file, url } = mapPlace(mapUrl, base);
      const json = JSON.parse(file === undefined ? text : await readMap(file));
      const map = new SourceMap(new TraceMap(json, url), url, json.scopes);
      this.#ready.set(key, map);
      return map;
    } catch (error) {
      this.#log(`no source map for ${scriptUrl}: ${reasonOf(error)}`);
      return undefined;
    }
  }
}

const keyOf = (scriptUrl: string, mapUrl: string): string => `${scriptUrl}\n${mapUrl}`;

/** Reading a pipe would never end, and enough of those stop all reading. */
async function readMap(path: string): Promise<string> {
  const found = await stat(path);
  if (!found.isFile()) throw new Error(`${path} is not a regular file`);
  if (found.size > MAP_LIMIT) throw new Error(`${path} is larger than ${MAP_LIMIT >> 20} MiB`);
  return readFile(path, "utf8");
}
