/**
 * Scopes and variables asked for before it is known that they are the right ones. Many adapters give the same numbers at every stop; of
 * those, scopes and variables are asked for in the same breath as the stack, which spares each step two waits. If the stack then names
 * another frame, nothing of it is used; nor is an answer that overtook the one it rests on, as it may be of the stop before.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Debuggee } from "../debuggee.ts";

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

export interface Guess extends Path {
  scopes: Promise<DebugProtocol.Scope[]>;
  variables: Map<number, Promise<DebugProtocol.Variable[]>>;
}

export class ReadAhead {
  #last = new WeakMap<Debuggee, Path>();
  /** Those whose last two stops were read by the same numbers. */
  #steady = new WeakSet<Debuggee>();
  #guesses = new Map<Debuggee, Guess>();

  ask(debuggee: Debuggee, stack: Promise<unknown>): void {
    const last = this.#last.get(debuggee);
    if (last === undefined || !this.#steady.has(debuggee)) return;
    const asked = askScopes(debuggee, last.frameId);
    const scopes = after(stack, asked);
    const variables = new Map(last.references.map((one) => [one, after(asked, askVariables(debuggee, one))]));
    for (const one of [scopes, ...variables.values()]) one.catch(() => {}); // asked again by whoever needs it
    this.#guesses.set(debuggee, { ...last, scopes, variables });
  }

  took(debuggee: Debuggee, path: Path): void {
    const last = this.#last.get(debuggee);
    const same = last?.frameId === path.frameId && String(last.references) === String(path.references);
    this.#last.set(debuggee, path);
    if (same) this.#steady.add(debuggee);
    else this.#steady.delete(debuggee);
  }

  /** Once: what was guessed for this stop, if anything. */
  take(debuggee: Debuggee): Guess | undefined {
    const guess = this.#guesses.get(debuggee);
    this.#guesses.delete(debuggee);
    return guess;
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

export async function askScopes(debuggee: Debuggee, frameId: number): Promise<DebugProtocol.Scope[]> {
  const { scopes } = await debuggee.client.request("scopes", { frameId });
  return scopes.map(withHint);
}

export async function askVariables(
  debuggee: Debuggee,
  variablesReference: number,
  page?: Page,
): Promise<DebugProtocol.Variable[]> {
  const { variables } = await debuggee.client.request("variables", { variablesReference, ...page });
  return variables;
}

/** Older adapters say only by its name what a scope holds. */
function withHint(scope: DebugProtocol.Scope): DebugProtocol.Scope {
  if (scope.presentationHint !== undefined) return scope;
  const [hint] =
    /^(locals|arguments)/.exec(scope.name.toLowerCase().replace(/^(local|argument)\b/, "$1s")) ?? [];
  return hint === undefined ? scope : { ...scope, presentationHint: hint };
}
