/**
 * Scopes and variables as read at this stop. Adapters hand out new references each time they are asked, so asking once is what
 * keeps a value's handle the same from one command to the next. Dropped when the program moves or something is changed in it.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { isUnset } from "../../dap/unset.ts";
import type { Debuggee } from "../debuggee.ts";
import { type Named, reading } from "./lost-reading.ts";
import { askScopes, askVariables, type Guess, type Page, ReadAhead } from "./read-ahead.ts";

export type { Page } from "./read-ahead.ts";

export class Reads {
  readonly #adapter: string;
  #cache = new Map<Debuggee, Map<string, Promise<unknown>>>();
  readonly #ahead = new ReadAhead();
  /** Which value each of this stop's references belongs to. */
  #names = new WeakMap<Debuggee, Map<number, Named>>();
  readonly #unread: ReadonlySet<string>;

  /** @param unread Values that must not be read, by the keys of `reading`. */
  constructor(adapter: string, unread: ReadonlySet<string> = new Set()) {
    this.#adapter = adapter;
    this.#unread = unread;
  }

  /** Asks in advance, while the stack is being asked for. */
  ahead(debuggee: Debuggee, stack: Promise<unknown>): void {
    if (!this.#cache.has(debuggee)) this.#ahead.ask(debuggee, stack);
  }

  /** What a snapshot read at this stop. */
  took(debuggee: Debuggee, frameId: number, references: number[]): void {
    this.#ahead.took(debuggee, { frameId, references });
  }

  async scopes(debuggee: Debuggee, frameId: number): Promise<DebugProtocol.Scope[]> {
    return this.#named(debuggee, await this.#scopes(debuggee, frameId), `frame ${frameId} `);
  }

  #scopes(debuggee: Debuggee, frameId: number): Promise<DebugProtocol.Scope[]> {
    return this.#once(debuggee, `frame ${frameId}`, async () => {
      const guess = this.#ahead.take(debuggee);
      if (guess?.frameId !== frameId) return askScopes(debuggee, frameId);
      try {
        const scopes = await guess.scopes;
        for (const { variablesReference } of scopes) this.#keep(debuggee, variablesReference, guess);
        return scopes;
      } catch {
        return askScopes(debuggee, frameId);
      }
    });
  }

  /** Those that have a value. */
  async variables(
    debuggee: Debuggee,
    variablesReference: number,
    page?: Page,
  ): Promise<DebugProtocol.Variable[]> {
    return (await this.declared(debuggee, variablesReference, page)).filter((one) => !isUnset(one));
  }

  /** Also those whose declaration has not run yet. */
  async declared(
    debuggee: Debuggee,
    variablesReference: number,
    page?: Page,
  ): Promise<DebugProtocol.Variable[]> {
    const value = this.#names.get(debuggee)?.get(variablesReference);
    if (value !== undefined && this.#unread.has(value.key)) return [];
    const key = variablesKey(variablesReference, page);
    const asked = this.#once(debuggee, key, () => askVariables(debuggee, variablesReference, page));
    return this.#named(debuggee, await reading(this.#adapter, asked, value));
  }

  #named<T extends { name: string; evaluateName?: string; variablesReference: number }>(
    debuggee: Debuggee,
    all: T[],
    of = "",
  ): T[] {
    const names = this.#names.get(debuggee) ?? new Map<number, Named>();
    this.#names.set(debuggee, names);
    for (const { name, evaluateName = name, variablesReference } of all)
      if (variablesReference > 0)
        names.set(variablesReference, { name: evaluateName, key: `${of}${evaluateName}` });
    return all;
  }

  drop(debuggee: Debuggee): void {
    this.#names.delete(debuggee);
    this.#cache.delete(debuggee);
    this.#ahead.take(debuggee);
  }

  #keep(debuggee: Debuggee, reference: number, { variables }: Guess): void {
    const guessed = variables.get(reference);
    if (guessed === undefined) return;
    const key = variablesKey(reference);
    void this.#once(debuggee, key, () => guessed.catch(() => askVariables(debuggee, reference)));
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

function variablesKey(reference: number, page?: Page): string {
  return `value ${reference} ${page ? `${page.start}+${page.count} ${page.filter}` : ""}`;
}
