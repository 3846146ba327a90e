/**
 * Scopes and variables as read at this stop. Adapters hand out new references each time they are asked, so asking once is what
 * keeps a value's handle the same from one command to the next. Dropped when the program moves or something is changed in it.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Debuggee } from "./debuggee.ts";

export interface Page {
  start: number;
  count: number;
  filter?: "indexed";
}

export class Reads {
  #cache = new Map<Debuggee, Map<string, Promise<unknown>>>();

  scopes(debuggee: Debuggee, frameId: number): Promise<DebugProtocol.Scope[]> {
    return this.#once(debuggee, `frame ${frameId}`, async () => {
      const { scopes } = await debuggee.client.request("scopes", { frameId });
      return scopes.map(withHint);
    });
  }

  variables(debuggee: Debuggee, variablesReference: number, page?: Page): Promise<DebugProtocol.Variable[]> {
    const key = `value ${variablesReference} ${page ? `${page.start}+${page.count} ${page.filter}` : ""}`;
    return this.#once(debuggee, key, async () => {
      const { variables } = await debuggee.client.request("variables", { variablesReference, ...page });
      return variables;
    });
  }

  drop(debuggee: Debuggee): void {
    this.#cache.delete(debuggee);
  }

  #once<T>(debuggee: Debuggee, key: string, ask: () => Promise<T>): Promise<T> {
    const mine = this.#cache.get(debuggee) ?? new Map<string, Promise<unknown>>();
    this.#cache.set(debuggee, mine);
    const known = mine.get(key) as Promise<T> | undefined;
    if (known) return known;
    const asked = ask();
    mine.set(key, asked);
    asked.catch(() => mine.delete(key));
    return asked;
  }
}

/** Older adapters say only by its name what a scope holds. */
function withHint(scope: DebugProtocol.Scope): DebugProtocol.Scope {
  if (scope.presentationHint !== undefined) return scope;
  const [hint] =
    /^(locals|arguments)/.exec(scope.name.toLowerCase().replace(/^(local|argument)\b/, "$1s")) ?? [];
  return hint === undefined ? scope : { ...scope, presentationHint: hint };
}
