/** Finds and keeps the source maps of scripts. A map that cannot be read is as if there were none, and is logged. */
import { readFile, stat } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { TraceMap } from "@jridgewell/trace-mapping";
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
      const { text, url } = await fetchMap(base, mapUrl);
      const map = new SourceMap(new TraceMap(text, url), url);
      this.#ready.set(key, map);
      return map;
    } catch (error) {
      this.#log(`no source map for ${scriptUrl}: ${reasonOf(error)}`);
      return undefined;
    }
  }
}

const MAP_LIMIT = 64 << 20;

const keyOf = (scriptUrl: string, mapUrl: string): string => `${scriptUrl}\n${mapUrl}`;

async function fetchMap(scriptUrl: string, mapUrl: string): Promise<{ text: string; url: string }> {
  if (mapUrl.startsWith("data:")) {
    const comma = mapUrl.indexOf(",");
    const payload = mapUrl.slice(comma + 1);
    const isBase64 = mapUrl.slice(0, comma).endsWith(";base64");
    return {
      text: isBase64 ? Buffer.from(payload, "base64").toString() : decodeURIComponent(payload),
      url: scriptUrl,
    };
  }
  const url = new URL(mapUrl, scriptUrl);
  if (url.protocol !== "file:") throw new Error(`maps are read from files, not from ${url.protocol}`);
  return { text: await readMap(fileURLToPath(url)), url: url.href };
}

/** A program may name anything as its map: reading a pipe would never end, and enough of those stop all reading. */
async function readMap(path: string): Promise<string> {
  const found = await stat(path);
  if (!found.isFile()) throw new Error(`${path} is not a regular file`);
  if (found.size > MAP_LIMIT) throw new Error(`${path} is larger than ${MAP_LIMIT >> 20} MiB`);
  return readFile(path, "utf8");
}
