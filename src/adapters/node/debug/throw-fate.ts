/**
 * Who will catch a throw. V8 predicts it, but calls everything "caught" that is thrown while an ES module's body runs (the
 * loader holds its promise), and pauses for what Node throws and catches inside itself. The text of the functions on the
 * stack tells more: the innermost one whose `try` encloses the point is the one that catches.
 */
import type { Protocol } from "devtools-protocol";
import { isInsideTry } from "./enclosing-blocks.ts";
import { offsetOf, type ScriptTexts } from "./script-texts.ts";
import type { Scripts } from "./scripts.ts";

type CallFrame = Protocol.Debugger.CallFrame;

/** "node" and "program": whose code catches it; "nobody": it leaves the body of an ES module. */
export type Fate = "node" | "program" | "nobody";

export class ThrowFates {
  readonly #texts: ScriptTexts;
  readonly #scripts: Scripts;

  constructor(texts: ScriptTexts, scripts: Scripts) {
    this.#texts = texts;
    this.#scripts = scripts;
  }

  async of({ callFrames, asyncStackTrace }: Protocol.Debugger.PausedEvent): Promise<Fate> {
    for (const frame of callFrames) {
      const script = this.#scripts.get(frame.location.scriptId);
      const { text, offset } = await this.#texts.within(frame);
      if (isInsideTry(text, offset)) return script?.internal === true ? "node" : "program";
      if (this.#isModuleBody(frame.location.scriptId, frame.functionName) && hasNoLocals(frame))
        return "nobody";
    }
    // What an `await` waits for is thrown at the `await`.
    for (let trace = asyncStackTrace; trace?.description === "await"; trace = trace.parent) {
      for (const { scriptId, functionName, lineNumber, columnNumber } of trace.callFrames) {
        const text = await this.#texts.text(scriptId);
        if (isInsideTry(text, offsetOf(text, lineNumber, columnNumber))) return "program";
        if (this.#isModuleBody(scriptId, functionName)) return "nobody";
      }
    }
    return "program";
  }

  #isModuleBody(scriptId: string, functionName: string): boolean {
    const script = this.#scripts.get(scriptId);
    return functionName === "" && script?.isModule === true && !script.internal;
  }
}

const hasNoLocals = ({ scopeChain }: CallFrame): boolean =>
  scopeChain.every(({ type }) => type !== "local" && type !== "closure");
