/** V8's answers that cannot be taken at their word: a breakpoint put outside the function it was asked for. */
import type { Protocol } from "devtools-protocol";
import { hasStrayed } from "../javascript/function-bodies.ts";
import type { ScriptTexts } from "./script-texts.ts";
import type { Point } from "./source-map.ts";

export class Strays {
  readonly #texts: ScriptTexts;
  /** Answers still being looked at, by V8's breakpoint. */
  readonly #open = new Map<string, Promise<unknown>>();

  constructor(texts: ScriptTexts) {
    this.#texts = texts;
  }

  /** `text`: the script's, if it is at hand. */
  async has(asked: Point, location: Protocol.Debugger.Location, text?: string): Promise<boolean> {
    if (isAt(asked, location)) return false;
    const taken = { line: location.lineNumber, column: location.columnNumber ?? 0 };
    return hasStrayed(text ?? (await this.#texts.text(location.scriptId)), asked, taken);
  }

  /** The program may run into a breakpoint before it is known whether it is where it should be. */
  watch(breakpointId: string, work: Promise<unknown>): void {
    this.#open.set(breakpointId, work);
    const done = () => {
      if (this.#open.get(breakpointId) === work) this.#open.delete(breakpointId);
    };
    work.then(done, done);
  }

  /** Returns when nothing about these is open; at once if nothing is. */
  async settled(breakpointIds: string[]): Promise<void> {
    await Promise.allSettled(breakpointIds.flatMap((id) => this.#open.get(id) ?? []));
  }
}

export function isAt({ line, column }: Point, location: Protocol.Debugger.Location): boolean {
  return location.lineNumber === line && (location.columnNumber ?? 0) === column;
}

/** As far as the file told before it was loaded: where V8 put it is in the function that it was asked for. */
export function staysInFunction(
  { text, aim }: { text?: string; aim?: Point },
  { lineNumber, columnNumber = 0 }: Protocol.Debugger.Location,
): boolean {
  const taken = { line: lineNumber, column: columnNumber };
  return text !== undefined && aim !== undefined && !hasStrayed(text, aim, taken);
}
