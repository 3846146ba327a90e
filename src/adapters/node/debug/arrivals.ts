/** Scripts as they come: each is shown once to everyone who may want a breakpoint in it. */
import { pathToFileURL } from "node:url";
import type { Cdp } from "../target.ts";
import type { Gate, Held, Holding } from "./gate.ts";
import { reasonOf } from "./host.ts";
import type { Where } from "./placements.ts";
import { isLibraryPath, realPath } from "./script-url.ts";
import type { Script, Scripts } from "./scripts.ts";
import type { SourceMap } from "./source-map.ts";
import type { SourceMaps } from "./source-maps.ts";

/** A script that is there, or about to be compiled. */
export interface Arrival {
  path: string;
  where: Where;
  /** Tells two versions of one file apart. */
  key: string;
  map?: SourceMap;
  script?: Script;
  text(): Promise<string>;
}

export interface Binder {
  /** Which scripts it must see before they run. */
  readonly holding: Holding;
  /** Which it wants to see at all. */
  wants(path: string, hasMap: boolean): boolean;
  bind(arrival: Arrival): Promise<void>;
}

export class Arrivals {
  readonly #cdp: Cdp;
  readonly #scripts: Scripts;
  readonly #maps: SourceMaps;
  readonly #gate: Gate;
  readonly #log: (message: string) => void;
  readonly #binders: Binder[] = [];
  readonly #shown = new Map<string, Promise<void>>();
  /** Files shown before they were compiled; their script needs no second look. */
  readonly #early = new Set<string>();

  constructor(tools: {
    cdp: Cdp;
    scripts: Scripts;
    maps: SourceMaps;
    gate: Gate;
    log: (message: string) => void;
  }) {
    this.#cdp = tools.cdp;
    this.#scripts = tools.scripts;
    this.#maps = tools.maps;
    this.#gate = tools.gate;
    this.#log = tools.log;
  }

  add(...binders: Binder[]): void {
    this.#binders.push(...binders);
  }

  /** V8 has compiled a script. */
  parsed(script: Script): void {
    const { path, sourceMapUrl } = script;
    if (path === undefined || this.#early.has(earlyKey(path, sourceMapUrl))) return;
    if (this.#binders.some((binder) => binder.wants(path, sourceMapUrl !== undefined)))
      this.#show(script).catch((error: unknown) => this.#log(`breakpoints in ${path}: ${reasonOf(error)}`));
  }

  /** A script is held before its first line: returns when it may run. */
  async settle(held: Held): Promise<void> {
    try {
      if (held.kind === "module") {
        const script = this.#scripts.get(held.scriptId);
        if (script?.path !== undefined && !script.internal) await this.#show(script);
        return;
      }
      const wantsText = this.#binders.some((binder) => binder.holding === "all");
      const { path: given, mapUrl, text } = await this.#gate.compiling(held.callFrameId, wantsText);
      const path = realPath(given);
      this.#early.add(earlyKey(path, mapUrl));
      const url = pathToFileURL(path).href;
      const map = mapUrl === undefined ? undefined : await this.#maps.read(url, mapUrl);
      await this.#offer({
        path,
        where: { url },
        key: `${url}\n${mapUrl ?? ""}`,
        // It is held until everyone has had a look.
        text: async () => text ?? (await this.#gate.compiling(held.callFrameId, true)).text ?? "",
        ...(map === undefined ? {} : { map }),
      });
    } catch (error) {
      this.#log(`a held script continues without its breakpoints: ${reasonOf(error)}`);
    }
  }

  /** Loaded scripts that came from this file, itself or as part of them. */
  async from(path: string): Promise<Arrival[]> {
    const inLibrary = isLibraryPath(path);
    const candidates = this.#scripts
      .files()
      .filter((script) => script.sourceMapUrl !== undefined && (inLibrary || !script.library));
    const arrivals = await Promise.all(candidates.map((script) => this.arrival(script)));
    return arrivals.filter(({ map }) => map?.sourceAt(path) !== undefined);
  }

  async arrival(script: Script): Promise<Arrival> {
    const map = await this.#maps.of(script);
    return {
      path: script.path ?? "",
      where: { scriptId: script.id, url: script.url },
      key: script.id,
      script,
      text: async () =>
        (await this.#cdp.send("Debugger.getScriptSource", { scriptId: script.id })).scriptSource,
      ...(map === undefined ? {} : { map }),
    };
  }

  #show(script: Script): Promise<void> {
    const known = this.#shown.get(script.id);
    if (known !== undefined) return known;
    const shown = this.arrival(script).then((arrival) => this.#offer(arrival));
    this.#shown.set(script.id, shown);
    return shown;
  }

  async #offer(arrival: Arrival): Promise<void> {
    const wanting = this.#binders.filter((binder) => binder.wants(arrival.path, arrival.map !== undefined));
    await Promise.all(wanting.map((binder) => binder.bind(arrival)));
  }
}

const earlyKey = (path: string, mapUrl: string | undefined): string => `${path}\n${mapUrl ?? ""}`;
