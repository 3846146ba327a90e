/** The text of loaded scripts, as V8 has it; a few are kept. */
import type { Protocol } from "devtools-protocol";
import type { Cdp } from "../target.ts";

const KEPT = 50;

export class ScriptTexts {
  readonly #cdp: Cdp;
  readonly #texts = new Map<string, Promise<string>>();

  constructor(cdp: Cdp) {
    this.#cdp = cdp;
  }

  text(scriptId: string): Promise<string> {
    const known = this.#texts.get(scriptId);
    if (known !== undefined) return known;
    const text = this.#cdp
      .send("Debugger.getScriptSource", { scriptId })
      .then(({ scriptSource }) => scriptSource);
    text.catch(() => this.#texts.delete(scriptId));
    if (this.#texts.size >= KEPT) this.#texts.clear();
    this.#texts.set(scriptId, text);
    return text;
  }

  /** A function's text from its beginning, and how far into it the frame stands. */
  async within({
    location,
    functionLocation,
  }: Protocol.Debugger.CallFrame): Promise<{ text: string; offset: number }> {
    const text = await this.text(location.scriptId);
    const start = offsetOf(text, functionLocation?.lineNumber ?? 0, functionLocation?.columnNumber ?? 0);
    return {
      text: text.slice(start),
      offset: offsetOf(text, location.lineNumber, location.columnNumber ?? 0) - start,
    };
  }

  /** A live edit has replaced it. */
  forget(scriptId: string): void {
    this.#texts.delete(scriptId);
  }
}

export function offsetOf(text: string, line: number, column: number): number {
  let at = 0;
  for (let i = 0; i < line; i++) {
    const next = text.indexOf("\n", at);
    if (next < 0) return text.length;
    at = next + 1;
  }
  return at + column;
}
