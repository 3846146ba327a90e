/** Handles (`@v7`) for values that can be opened. One belongs to a stop: the same value asked for twice has the same handle, and none outlives the resume. */
import { advice, blank, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Debuggee } from "../debuggee.ts";

export interface Held {
  debuggee: Debuggee;
  reference: number;
  /** How many elements it has, where that is known. */
  indexed?: number | undefined;
}

export class Values {
  #held = new Map<string, Held>();
  #byReference = new Map<string, string>();
  #issued = 0;

  handle(debuggee: Debuggee, reference: number, indexed?: number): string {
    const key = `${debuggee.id}:${reference}`;
    const known = this.#byReference.get(key);
    if (known) return known;
    const handle = `@v${++this.#issued}`;
    this.#held.set(handle, { debuggee, reference, indexed });
    this.#byReference.set(key, handle);
    return handle;
  }

  resolve(handle: string): Held {
    const held = this.#held.get(handle);
    if (held) return held;
    const number = /^@v(\d+)$/.exec(handle)?.[1];
    if (number !== undefined && Number(number) >= 1 && Number(number) <= this.#issued) {
      throw new SondeError(
        "STALE_HANDLE",
        `${handle} belonged to an earlier stop; the program has moved since`,
        {
          hint: advice`${call("locals")} or ${call("print", { expression: blank("expr") })} gives a new handle`,
        },
      );
    }
    const word = handle.replace(/^@/, "");
    const isName = /^[\p{L}_$][\p{L}\p{N}_$.]*$/u.test(word) && !/^v?\d+$/.test(word);
    throw new SondeError("BAD_ARGUMENT", `${isName ? `\`${word}\`` : handle} is not a handle`, {
      hint: isName
        ? advice`${call("print", { expression: word })} opens a variable; handles look like @v7`
        : "handles look like @v7 and are shown after values that can be opened",
    });
  }

  /** The debuggee moves on; its references mean nothing from here. */
  drop(debuggee: Debuggee): void {
    for (const [handle, held] of this.#held) if (held.debuggee === debuggee) this.#held.delete(handle);
    const prefix = `${debuggee.id}:`;
    for (const key of this.#byReference.keys()) if (key.startsWith(prefix)) this.#byReference.delete(key);
  }
}
