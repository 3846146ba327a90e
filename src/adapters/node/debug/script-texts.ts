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

/** Where the lines of a few texts begin: a stop asks for a dozen places of the same file. */
const lineStarts = new Map<string, Uint32Array>();
const KEPT_STARTS = 8;
/** Longer ones would be kept in memory by it. */
const LONGEST = 1_000_000;
/** Up to here it is quicker to look again. */
const NEAR = 30;

export function offsetOf(text: string, line: number, column: number): number {
  if (line > NEAR && text.length <= LONGEST) {
    const start = startsOf(text)[line];
    return start === undefined ? text.length : start + column;
  }
  let at = 0;
  for (let i = 0; i < line; i++) {
    const next = text.indexOf("\n", at);
    if (next < 0) return text.length;
    at = next + 1;
  }
  return at + column;
}

function startsOf(text: string): Uint32Array {
  const known = lineStarts.get(text);
  if (known !== undefined) return known;
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const made = Uint32Array.from(starts);
  if (lineStarts.size >= KEPT_STARTS) lineStarts.clear();
  lineStarts.set(text, made);
  return made;
}
