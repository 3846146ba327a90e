/**
 * Scopes and variables as read at this stop. Adapters hand out new references each time they are asked, so asking once is what
 * keeps a value's handle the same from one command to the next. Dropped when the program moves or something is changed in it.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Debuggee } from "../debuggee.ts";
import { reading } from "./lost-reading.ts";

export interface Page {
  start: number;
  count: number;
  filter?: "indexed" | "named";
}

/** What a snapshot read at a stop: the scopes of one frame, and their variables. */
interface Path {
  frameId: number;
  references: number[];
}

/** A path asked for before it is known whether it is the right one. */
interface Guess extends Path {
  scopes: Promise<DebugProtocol.Scope[]>;
  variables: Map<number, Promise<DebugProtocol.Variable[]>>;
}

export class Reads {
  readonly #adapter: string;
  #cache = new Map<Debuggee, Map<string, Promise<unknown>>>();
  #last = new WeakMap<Debuggee, Path>();
  /** Those whose last two stops were read by the same numbers. */
  #steady = new WeakSet<Debuggee>();
  #guesses = new Map<Debuggee, Guess>();
  /** What the numbers of this stop are of. */
  #names = new WeakMap<Debuggee, Map<number, string>>();

  constructor(adapter: string) {
    this.#adapter = adapter;
  }

  /**
   * While the stack is being asked for. Many adapters give the same numbers at every stop; of those, scopes and variables are
   * asked for in the same breath, which spares each step two waits. If the stack then names another frame, nothing of it is used;
   * nor of an answer that overtook the one it rests on, as it may be of the stop before.
   */
  ahead(debuggee: Debuggee, stack: Promise<unknown>): void {
    const last = this.#last.get(debuggee);
    if (last === undefined || !this.#steady.has(debuggee) || this.#cache.has(debuggee)) return;
    const asked = askScopes(debuggee, last.frameId);
    const scopes = after(stack, asked);
    const variables = new Map(last.references.map((one) => [one, after(asked, askVariables(debuggee, one))]));
    for (const one of [scopes, ...variables.values()]) one.catch(() => {}); // asked again by whoever needs it
    this.#guesses.set(debuggee, { ...last, scopes, variables });
  }

  /** What a snapshot read at this stop. */
  took(debuggee: Debuggee, frameId: number, references: number[]): void {
    const last = this.#last.get(debuggee);
    const same = last?.frameId === frameId && String(last.references) === String(references);
    this.#last.set(debuggee, { frameId, references });
    if (same) this.#steady.add(debuggee);
    else this.#steady.delete(debuggee);
  }

  async scopes(debuggee: Debuggee, frameId: number): Promise<DebugProtocol.Scope[]> {
    return this.#named(debuggee, await this.#scopes(debuggee, frameId));
  }

  #scopes(debuggee: Debuggee, frameId: number): Promise<DebugProtocol.Scope[]> {
    return this.#once(debuggee, `frame ${frameId}`, async () => {
      const guess = this.#guesses.get(debuggee);
      this.#guesses.delete(debuggee);
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

  async variables(
    debuggee: Debuggee,
    variablesReference: number,
    page?: Page,
  ): Promise<DebugProtocol.Variable[]> {
    const key = variablesKey(variablesReference, page);
    const asked = this.#once(debuggee, key, () => askVariables(debuggee, variablesReference, page));
    const name = this.#names.get(debuggee)?.get(variablesReference);
    return this.#named(debuggee, await reading(this.#adapter, asked, name));
  }

  #named<T extends { name: string; evaluateName?: string; variablesReference: number }>(
    debuggee: Debuggee,
    all: T[],
  ): T[] {
    const names = this.#names.get(debuggee) ?? new Map<number, string>();
    this.#names.set(debuggee, names);
    for (const { name, evaluateName, variablesReference } of all)
      if (variablesReference > 0) names.set(variablesReference, evaluateName ?? name);
    return all;
  }

  drop(debuggee: Debuggee): void {
    this.#names.delete(debuggee);
    this.#cache.delete(debuggee);
    this.#guesses.delete(debuggee);
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

/** The answer, if the other was there before it. */
function after<T>(earlier: Promise<unknown>, answer: Promise<T>): Promise<T> {
  let there = false;
  earlier.then(
    () => {
      there = true;
    },
    () => {}, // then nothing that rests on it is used
  );
  return answer.then((found) => {
    if (there) return found;
    throw new Error("answered out of turn");
  });
}

async function askScopes(debuggee: Debuggee, frameId: number): Promise<DebugProtocol.Scope[]> {
  const { scopes } = await debuggee.client.request("scopes", { frameId });
  return scopes.map(withHint);
}

async function askVariables(debuggee: Debuggee, variablesReference: number, page?: Page) {
  const { variables } = await debuggee.client.request("variables", { variablesReference, ...page });
  return variables;
}

function variablesKey(reference: number, page?: Page): string {
  return `value ${reference} ${page ? `${page.start}+${page.count} ${page.filter}` : ""}`;
}

/** Older adapters say only by its name what a scope holds. */
function withHint(scope: DebugProtocol.Scope): DebugProtocol.Scope {
  if (scope.presentationHint !== undefined) return scope;
  const [hint] =
    /^(locals|arguments)/.exec(scope.name.toLowerCase().replace(/^(local|argument)\b/, "$1s")) ?? [];
  return hint === undefined ? scope : { ...scope, presentationHint: hint };
}
