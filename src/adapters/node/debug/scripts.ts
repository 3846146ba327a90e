/** Every script V8 has told us of. Paths are real paths; two scripts may share one (a module loaded again). */
import type { Protocol } from "devtools-protocol";
import { isBootFile } from "../process/boot-file.ts";
import { isInternalUrl, isLibraryScript, pathOfUrl } from "./script-url.ts";

export interface Script {
  id: string;
  url: string;
  path?: string;
  isModule: boolean;
  sourceMapUrl?: string;
  contextId: number;
  endLine: number;
  /** Node's own code, and our preload's. */
  internal: boolean;
  /** Somebody else's code: under node_modules. */
  library: boolean;
}

/** Scripts of ours, compiled to learn where code is; nobody else must see them. */
export const CHECK_URL = "sonde-check:";

const ANONYMOUS_LIMIT = 500;

export class Scripts {
  readonly #byId = new Map<string, Script>();
  readonly #byPath = new Map<string, Script[]>();
  /** Code without a URL, oldest first: each evaluation makes one, so only the latest are kept. */
  readonly #anonymous: string[] = [];

  add(event: Protocol.Debugger.ScriptParsedEvent): Script | undefined {
    if (event.url.startsWith(CHECK_URL)) return undefined;
    const path = pathOfUrl(event.url);
    const script: Script = {
      id: event.scriptId,
      url: event.url,
      isModule: event.isModule === true,
      contextId: event.executionContextId,
      endLine: event.endLine,
      internal: isInternalUrl(event.url) || (path !== undefined && isBootFile(path)),
      library: path !== undefined && isLibraryScript(path, Boolean(event.sourceMapURL)),
      ...(path === undefined ? {} : { path }),
      ...(event.sourceMapURL ? { sourceMapUrl: event.sourceMapURL } : {}),
    };
    this.#byId.set(script.id, script);
    if (path !== undefined) this.#byPath.set(path, [...(this.#byPath.get(path) ?? []), script]);
    if (event.url === "") this.#keepFew(script.id);
    return script;
  }

  get(id: string): Script | undefined {
    return this.#byId.get(id);
  }

  atPath(path: string): Script[] {
    return this.#byPath.get(path) ?? [];
  }

  all(): Iterable<Script> {
    return this.#byId.values();
  }

  /** Scripts a user may mean: not Node's own, not evaluated snippets. */
  files(): Script[] {
    return [...this.#byId.values()].filter((script) => !script.internal && script.path !== undefined);
  }

  #keepFew(id: string): void {
    this.#anonymous.push(id);
    if (this.#anonymous.length > ANONYMOUS_LIMIT) this.#byId.delete(this.#anonymous.shift() ?? "");
  }
}
