/**
 * Older versions number the scopes of every frame alike and mean the frame they were asked about last. Here the scopes of a second
 * frame get numbers of our own, and before such a scope is read LLDB is asked about its frame again.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { passed } from "./ask.ts";

interface Scope {
  name: string;
  frameId: number;
  /** LLDB's own number. */
  reference: number;
}

/** Far from LLDB's own, which begin at 1. */
const FIRST = 1_000_000_000;

export class Scopes {
  /** By the number that the client knows. */
  readonly #known = new Map<number, Scope>();
  #next = FIRST;
  /** The frame that LLDB was asked about last. */
  #current: number | undefined;

  moved(): void {
    this.#known.clear();
    this.#current = undefined;
  }

  known(variablesReference: number): Scope | undefined {
    return this.#known.get(variablesReference);
  }

  answered(body: DebugProtocol.ScopesResponse["body"], { frameId }: DebugProtocol.ScopesArguments) {
    this.#current = frameId;
    return {
      scopes: body.scopes.map((scope) => {
        const { name, variablesReference: reference } = scope;
        const variablesReference = this.#numberFor(frameId, reference);
        this.#known.set(variablesReference, { name, frameId, reference });
        return { ...scope, variablesReference };
      }),
    };
  }

  #numberFor(frameId: number, reference: number): number {
    const owner = this.#known.get(reference);
    if (owner === undefined || owner.frameId === frameId) return reference;
    for (const [number, one] of this.#known)
      if (one.frameId === frameId && one.reference === reference) return number;
    return this.#next++;
  }

  /** LLDB's own arguments for a request about a scope; what is sent first is done first. */
  asked<T extends { variablesReference: number }>(args: T, wire: Wire): T {
    const scope = this.#known.get(args.variablesReference);
    if (scope === undefined) return args;
    if (scope.frameId !== this.#current) {
      this.#current = scope.frameId;
      void passed(wire, "scopes", { frameId: scope.frameId }).catch(() => {}); // the request itself will tell
    }
    return { ...args, variablesReference: scope.reference };
  }
}
