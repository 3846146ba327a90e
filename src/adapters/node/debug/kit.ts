/** The program-side kit, made once per JavaScript context (the main one, and those of `vm`, which jest uses). */
import type { Protocol } from "devtools-protocol";
import type { Cdp } from "../target.ts";
import { DapError } from "./host.ts";
import { type Described, KIT_SOURCE, type Members, type Reach } from "./kit-source.ts";

/** Objects shown during one pause are let go together. */
export const PAUSE_GROUP = "sonde-pause";
const KIT_GROUP = "sonde-kit";

type Argument = Protocol.Runtime.CallArgument;

export class Kit {
  readonly #cdp: Cdp;
  readonly #isEverythingHeld: () => boolean;
  readonly #byContext = new Map<number, Promise<string>>();
  readonly #ids = new Map<number, string>();

  constructor(cdp: Cdp, isEverythingHeld: () => boolean) {
    this.#cdp = cdp;
    this.#isEverythingHeld = isEverythingHeld;
  }

  /** The text of `holder.v`, where the holder was made by an evaluation. */
  describe(holder: string, hex: boolean): Promise<Described> {
    return this.#call(holder, "return kit.text(this.v, a)", [hex]);
  }

  whole(holder: string, limit: number): Promise<string> {
    return this.#call(holder, "return kit.whole(this.v, a)", [limit]);
  }

  members(object: string, filter: string, start: number, limit: number, hex: boolean): Promise<Members> {
    return this.#call(object, "return kit.members(this, a, b, c, d)", [filter, start, limit, hex]);
  }

  scope(parts: string[], hidden: string[], limit: number, hex: boolean, self?: Argument): Promise<Members> {
    const [first, ...rest] = parts;
    if (first === undefined) throw new DapError("a scope without an object");
    const body = "return kit.scope([this, ...rest], a, b, c, d ? { value: self } : undefined)";
    return this.#call(first, body, [hidden, limit, hex, self !== undefined], { self, rest });
  }

  /** A member by reference, inside a holder. */
  async child(object: string, reach: Reach, key: string | number): Promise<string> {
    return this.#reference(object, "return { __proto__: null, v: kit.child(this, a, b) }", [reach, key]);
  }

  /** The object inside a holder, as an id of its own. */
  unwrap(holder: string): Promise<string> {
    return this.#reference(holder, "return this.v", []);
  }

  /** A holder for an object that came without one. */
  wrap(object: string): Promise<string> {
    return this.#reference(object, "return { __proto__: null, v: this }", []);
  }

  names(holder: string, prefix: string, limit: number): Promise<{ n: string; f: 0 | 1 }[]> {
    return this.#call(holder, "return kit.names(this.v, a, b)", [prefix, limit]);
  }

  causes(object: string): Promise<{ name: string; message: string; stack: string }[]> {
    return this.#call(object, "return kit.cause(this)", []);
  }

  /** Runs an accessor under a time limit; the result in a holder. Paused, a frame is needed: see evaluation.ts. */
  async runGetter(
    object: string,
    member: { r: Reach; k: string | number },
    timeout: number,
    callFrameId: string | undefined,
  ): Promise<Protocol.Runtime.EvaluateResponse> {
    // Only evaluations take a time limit and only calls take objects: `$_` (the last result of the group "console") is
    // the bridge between the two, and leaves no global behind.
    await this.#send(object, "return kit.thunk(this, a, b)", [member.r, member.k], { group: "console" });
    const common = {
      expression: "$_()",
      includeCommandLineAPI: true,
      objectGroup: PAUSE_GROUP,
      silent: true,
      timeout,
    };
    if (callFrameId !== undefined)
      return this.#cdp.send("Debugger.evaluateOnCallFrame", { ...common, callFrameId });
    return this.#cdp.send("Runtime.evaluate", { ...common, contextId: contextOf(object) });
  }

  /** The kit itself, for code that installs itself in the program. */
  idIn(contextId?: number): Promise<string> {
    const key = contextId ?? 0;
    const known = this.#byContext.get(key);
    if (known !== undefined) return known;
    const made = this.#unpaused(() => this.#make(contextId));
    this.#byContext.set(key, made);
    made.then(
      (id) => this.#ids.set(contextOf(id), id),
      () => this.#byContext.delete(key),
    );
    return made;
  }

  forgetContext(contextId: number): void {
    this.#byContext.delete(contextId);
    this.#ids.delete(contextId);
  }

  /** Those that are made. */
  known(): string[] {
    return [...this.#ids.values()];
  }

  /** Where every script is held before it runs, ours would be as well. */
  async #unpaused<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#isEverythingHeld()) return work();
    const off = this.#cdp.send("Debugger.setSkipAllPauses", { skip: true });
    const result = work();
    const on = this.#cdp.send("Debugger.setSkipAllPauses", { skip: false });
    return (await Promise.all([result, off, on]))[0];
  }

  async #make(contextId?: number): Promise<string> {
    const making = this.#cdp.send("Runtime.evaluate", {
      expression: KIT_SOURCE,
      includeCommandLineAPI: true,
      objectGroup: KIT_GROUP,
      silent: true,
      ...(contextId === undefined ? {} : { contextId }),
    });
    const { result, exceptionDetails } = await making;
    if (result.objectId === undefined || exceptionDetails !== undefined)
      throw new DapError(
        `values cannot be shown here: ${exceptionDetails?.exception?.description ?? "no kit"}`,
      );
    return result.objectId;
  }

  async #call<T>(object: string, body: string, values: unknown[], extra: Extra = {}): Promise<T> {
    const { result } = await this.#send(object, body, values, { ...extra, byValue: true });
    return result.value as T;
  }

  async #reference(object: string, body: string, values: unknown[]): Promise<string> {
    const { result } = await this.#send(object, body, values, {});
    if (result.objectId === undefined) throw new DapError("this value has no members");
    return result.objectId;
  }

  async #send(
    object: string,
    body: string,
    values: unknown[],
    extra: Extra & { byValue?: boolean; group?: string },
  ) {
    const kit = await this.idIn(contextOf(object));
    const padded = [...values, undefined, undefined, undefined, undefined].slice(0, 4);
    const answer = await this.#cdp.send("Runtime.callFunctionOn", {
      objectId: object,
      functionDeclaration: `function (kit, self, a, b, c, d, ...rest) { ${body} }`,
      arguments: [
        { objectId: kit },
        extra.self ?? {},
        ...padded.map((value) => (value === undefined ? {} : { value })),
        ...(extra.rest ?? []).map((objectId) => ({ objectId })),
      ],
      objectGroup: extra.group ?? PAUSE_GROUP,
      returnByValue: extra.byValue === true,
      silent: true,
    });
    if (answer.exceptionDetails !== undefined)
      throw new DapError(
        `this value cannot be shown: ${answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text}`,
      );
    return answer;
  }
}

interface Extra {
  self?: Argument | undefined;
  rest?: string[];
}

/** V8's object ids read "isolate.context.number". */
export function contextOf(objectId: string): number {
  return Number(objectId.split(".")[1]);
}
