/**
 * Who will catch a throw. V8 predicts it, but calls everything "caught" that is thrown while an ES module's body runs (the
 * loader holds its promise), and pauses for what Node and libraries throw and catch inside themselves. The text of the
 * functions on the stack tells more: the innermost one whose `try` encloses the point is the one that catches.
 */
import type { Protocol } from "devtools-protocol";
import { valueUse } from "../javascript/call-value.ts";
import { isInsideTry } from "../javascript/enclosing-blocks.ts";
import { offsetOf, type ScriptTexts } from "./script-texts.ts";
import type { Script, Scripts } from "./scripts.ts";

type CallFrame = Protocol.Debugger.CallFrame;

/** "others": it never gets to the user's code; "program": someone catches it; "nobody": it leaves the body of an ES module. */
export type Fate = "others" | "program" | "nobody";

export class ThrowFates {
  readonly #texts: ScriptTexts;
  readonly #scripts: Scripts;

  constructor(texts: ScriptTexts, scripts: Scripts) {
    this.#texts = texts;
    this.#scripts = scripts;
  }

  /**
   * Whether any code of the user's has to do with it: loaders throw and catch dozens before the program begins, and a main file
   * that does not compile is thrown by Node, which prints more of it than its own frames could tell.
   */
  concernsUser({ callFrames, asyncStackTrace }: Protocol.Debugger.PausedEvent, isUncaught: boolean): boolean {
    if (callFrames.some(({ location }) => this.#isUsers(location.scriptId))) return true;
    for (let trace = asyncStackTrace; trace !== undefined; trace = trace.parent) {
      // Whoever set a timer does not get what is thrown in it; whoever awaits does.
      if (!isUncaught && trace.description !== "await") return false;
      if (trace.callFrames.some(({ scriptId }) => this.#isUsers(scriptId))) return true;
    }
    return false;
  }

  areUsers(calls: Protocol.Runtime.CallFrame[]): boolean {
    return calls.some(({ scriptId }) => this.#isUsers(scriptId));
  }

  async of({ callFrames, asyncStackTrace }: Protocol.Debugger.PausedEvent): Promise<Fate> {
    let hasPassedUser = false;
    for (const frame of callFrames) {
      hasPassedUser ||= this.#isUsers(frame.location.scriptId);
      const { text, offset } = await this.#texts.within(frame);
      if (isInsideTry(text, offset)) return hasPassedUser ? "program" : "others";
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

  /**
   * A promise was rejected that has no handler yet: may it still get one before Node looks? By then the call that made it has
   * returned, so what matters is what its callers do with its value. One that was given away before an `await` had its time.
   */
  async mayBeHandled({ callFrames }: Protocol.Debugger.PausedEvent): Promise<boolean> {
    const texts = await Promise.all(callFrames.map(({ location }) => this.#texts.text(location.scriptId)));
    const maker = callFrames.findIndex((frame, at) => isAsync(frame, texts[at] ?? ""));
    for (const frame of callFrames.slice(maker + 1)) {
      const script = this.#scripts.get(frame.location.scriptId);
      if (script?.internal === true) return TAKES_PROMISES.test(script.url);
      if (script?.library === true) return true;
      const { text, offset } = await this.#texts.within(frame);
      const use = valueUse(text, offset);
      if (use !== "passed") return use === "used";
    }
    return false;
  }

  /** From Node's own function that ran the user's text: the frames it came from are gone. */
  isRethrown({ callFrames: [top] }: Protocol.Debugger.PausedEvent): boolean {
    return top !== undefined && this.#scripts.get(top.location.scriptId)?.internal === true;
  }

  #isUsers(scriptId: string): boolean {
    const script = this.#scripts.get(scriptId);
    return script === undefined || !(script.internal || script.library);
  }

  #isModuleBody(scriptId: string, functionName: string): boolean {
    const script = this.#scripts.get(scriptId);
    return functionName === "" && script !== undefined && !script.internal && isHeldByNode(script);
  }
}

/** What of Node's own looks after the promises that functions return to it. */
const TAKES_PROMISES = /^node:(?:internal\/)?(?:test|assert|stream|async|vm|modules)/;

/** By the word before its parameters. */
function isAsync({ functionLocation }: CallFrame, text: string): boolean {
  if (functionLocation === undefined) return false;
  const start = offsetOf(text, functionLocation.lineNumber, functionLocation.columnNumber ?? 0);
  return /\basync\s*(?:function\b\s*)?\*?\s*[\w$#]*\s*$/.test(text.slice(Math.max(0, start - 200), start));
}

const hasNoLocals = ({ scopeChain }: CallFrame): boolean =>
  scopeChain.every(({ type }) => type !== "local" && type !== "closure");

/** Bodies whose throws V8 calls caught, because Node takes them up and throws them again: ES modules, and the text of `node -e`. */
function isHeldByNode({ isModule, url }: Script): boolean {
  return isModule || url === "[eval]";
}
