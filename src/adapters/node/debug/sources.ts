/** Scripts and the files they came from, as DAP sources. A file on disk goes by its path, all else by a reference. */
import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Protocol } from "devtools-protocol";
import { DapError } from "./host.ts";
import { offsetOf, type ScriptTexts } from "./script-texts.ts";
import { isLibraryPath } from "./script-url.ts";
import type { Script, Scripts } from "./scripts.ts";
import type { MappedSource, Point } from "./source-map.ts";
import type { SourceMaps } from "./source-maps.ts";

export interface Place {
  source: DebugProtocol.Source;
  /** 0-based. */
  line: number;
  column: number;
  /** Not the user's own code. */
  foreign: boolean;
  /** The script has a map; `unmapped` if this very point came from nowhere. */
  mapped: boolean;
  unmapped: boolean;
}

type Text = { script: Script } | { mapped: MappedSource };

export class Sources {
  readonly #scriptTexts: ScriptTexts;
  readonly #scripts: Scripts;
  readonly #maps: SourceMaps;
  readonly #references = new Map<string, number>();
  readonly #texts: Text[] = [];
  readonly #onDisk = new Map<string, boolean>();

  constructor(texts: ScriptTexts, scripts: Scripts, maps: SourceMaps) {
    this.#scriptTexts = texts;
    this.#scripts = scripts;
    this.#maps = maps;
  }

  /** Where the user sees a generated point. Maps of libraries count only where someone set a breakpoint by them. */
  async place(scriptId: string, point: Point, inLibraries = false): Promise<Place> {
    const script = this.#scripts.get(scriptId);
    if (script === undefined) {
      const source = { name: "(unknown script)", presentationHint: "deemphasize" as const };
      return { source, ...point, foreign: true, mapped: false, unmapped: false };
    }
    // Maps inside node_modules mostly name files that were not shipped.
    const map = (script.library && !inLibraries) || script.internal ? undefined : await this.#maps.of(script);
    const original = map?.original(await this.#statementOf(scriptId, point));
    if (original !== undefined)
      return {
        source: this.ofMapped(original.source, script),
        line: original.line,
        column: original.column,
        foreign: isLibraryPath(original.source.path ?? ""),
        mapped: true,
        unmapped: false,
      };
    const foreign = script.internal || script.library;
    const isSameFile = script.path !== undefined && map?.sourceAt(script.path) !== undefined;
    return {
      source: isSameFile ? this.#generated(script) : this.ofScript(script),
      ...point,
      foreign,
      mapped: map !== undefined,
      unmapped: map !== undefined,
    };
  }

  /** What a loader put around a file's code: it goes by the file's name, but its lines are not the file's. */
  #generated(script: Script): DebugProtocol.Source {
    return {
      name: `${basename(script.path ?? script.url)} (generated)`,
      sourceReference: this.#reference(`script ${script.id}`, { script }),
      presentationHint: "deemphasize",
      origin: "generated",
    };
  }

  /** V8 stops for `return x}` at the brace, which belongs to another line than the statement. */
  async #statementOf(scriptId: string, { line, column }: Point): Promise<Point> {
    const text = await this.#scriptTexts.text(scriptId);
    const at = offsetOf(text, line, column);
    const isBehindReturn =
      text[at] === "}" && /\breturn\b[^;{}]*$/.test(text.slice(Math.max(0, at - 200), at));
    return { line, column: isBehindReturn && column > 0 ? column - 1 : column };
  }

  /** A function's text from its beginning. */
  async functionText(call: Protocol.Debugger.CallFrame): Promise<string> {
    return (await this.#scriptTexts.within(call)).text;
  }

  isInternal(scriptId: string): boolean {
    return this.#scripts.get(scriptId)?.internal === true;
  }

  ofScript(script: Script): DebugProtocol.Source {
    const { path, url } = script;
    if (script.internal)
      return {
        name: url,
        sourceReference: this.#reference(`script ${script.id}`, { script }),
        presentationHint: "deemphasize",
        origin: "node internals",
      };
    const isFile = path !== undefined && this.#exists(path);
    return {
      name: path === undefined ? url || `(evaluated ${script.id})` : basename(path),
      ...(isFile ? { path } : { sourceReference: this.#reference(`script ${script.id}`, { script }) }),
      ...(script.library ? { presentationHint: "deemphasize" as const, origin: "library" } : {}),
    };
  }

  ofMapped(mapped: MappedSource, script: Script): DebugProtocol.Source {
    if (mapped.path !== undefined) return { name: basename(mapped.path), path: mapped.path };
    return {
      name: mapped.name,
      ...(mapped.content === undefined
        ? {}
        : { sourceReference: this.#reference(`${script.id} ${mapped.index}`, { mapped }) }),
    };
  }

  async text(args: DebugProtocol.SourceArguments): Promise<{ content: string; mimeType?: string }> {
    const reference = args.source?.sourceReference || args.sourceReference;
    const found = reference > 0 ? this.#texts[reference - 1] : undefined;
    const script = found === undefined ? this.#scripts.atPath(args.source?.path ?? "").at(-1) : undefined;
    if (found !== undefined && "mapped" in found) return { content: found.mapped.content ?? "" };
    const wanted = found?.script ?? script;
    if (wanted === undefined)
      throw new DapError(
        reference > 0 ? `no source ${reference}` : `${args.source?.path ?? "this source"} is not loaded`,
      );
    return { content: await this.#scriptTexts.text(wanted.id), mimeType: "text/javascript" };
  }

  /** The user's files first, then libraries; Node's own are left out. */
  async loaded(): Promise<DebugProtocol.Source[]> {
    const found = new Map<string, DebugProtocol.Source>();
    const put = (source: DebugProtocol.Source) =>
      found.set(source.path ?? `#${source.sourceReference}`, source);
    const files = this.#scripts.files().sort((a, b) => Number(a.library) - Number(b.library));
    for (const script of files) {
      const map = script.library ? undefined : await this.#maps.of(script);
      for (const mapped of map?.sources ?? []) put(this.ofMapped(mapped, script));
      put(this.ofScript(script));
    }
    return [...found.values()];
  }

  #reference(key: string, text: Text): number {
    const known = this.#references.get(key);
    if (known !== undefined) return known;
    const made = this.#texts.push(text);
    this.#references.set(key, made);
    return made;
  }

  #exists(path: string): boolean {
    const known = this.#onDisk.get(path) ?? existsSync(path);
    this.#onDisk.set(path, known);
    return known;
  }
}
