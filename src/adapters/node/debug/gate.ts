/**
 * Holds scripts before their first line runs, so that breakpoints in them are in place in time. A script with a source map
 * cannot have its breakpoints before the map is read; a function's place is not known before its text is.
 *
 * ES modules stop at an instrumentation breakpoint. CommonJS never does, so a breakpoint is put on the function that
 * compiles modules. Both are invisible: whoever handles the pause resumes it.
 */
import type { Protocol } from "devtools-protocol";
import type { Cdp } from "../target.ts";
import { reasonOf } from "./host.ts";

/** Which scripts are held. */
export type Holding = "none" | "mapped" | "all";

export type Held =
  | { kind: "module"; scriptId: string }
  | { kind: "compile"; callFrameId: string };

const ORDER: Holding[] = ["none", "mapped", "all"];

export class Gate {
  readonly #cdp: Cdp;
  readonly #log: (message: string) => void;
  #holding: Holding = "none";
  #installing: Promise<void> = Promise.resolve();
  #compileId: string | undefined;
  #moduleId: string | undefined;

  constructor(cdp: Cdp, log: (message: string) => void) {
    this.#cdp = cdp;
    this.#log = log;
  }

  get holding(): Holding {
    return this.#holding;
  }

  /** Holds at least these scripts from now on. */
  hold(want: Holding): Promise<void> {
    if (ORDER.indexOf(want) <= ORDER.indexOf(this.#holding)) return this.#installing;
    this.#holding = want;
    const before = this.#installing;
    this.#installing = (async () => {
      await before;
      await Promise.all([this.#holdModules(want), this.#holdCompiles(want)]);
    })();
    return this.#installing;
  }

  heldBy(event: Protocol.Debugger.PausedEvent): Held | undefined {
    const top = event.callFrames[0];
    if (event.reason === "instrumentation") {
      const { scriptId } = (event.data ?? {}) as { scriptId?: string };
      return { kind: "module", scriptId: scriptId ?? top?.location.scriptId ?? "" };
    }
    const hits = event.hitBreakpoints ?? [];
    const isCompile = this.#compileId !== undefined && hits.length > 0 && hits.every((id) => id === this.#compileId);
    return isCompile && top !== undefined ? { kind: "compile", callFrameId: top.callFrameId } : undefined;
  }

  /** What is about to be compiled. The text is sent only if someone wants to search it. */
  async compiling(callFrameId: string, withText: boolean): Promise<{ path: string; mapUrl?: string; text?: string }> {
    const { result } = await this.#cdp.send("Debugger.evaluateOnCallFrame", {
      callFrameId,
      expression: `({ path: filename, tail: content.slice(Math.max(0, content.lastIndexOf("sourceMappingURL="))), text: ${withText ? "content" : "undefined"} })`,
      returnByValue: true,
      silent: true,
    });
    const { path, tail, text } = result.value as { path: string; tail: string; text?: string };
    const mapUrl = /^sourceMappingURL=([^\s'"]+)/.exec(tail)?.[1];
    return { path, ...(mapUrl === undefined ? {} : { mapUrl }), ...(text === undefined ? {} : { text }) };
  }

  async #holdModules(want: Holding): Promise<void> {
    const instrumentation = want === "all" ? "beforeScriptExecution" : "beforeScriptWithSourceMapExecution";
    const old = this.#moduleId;
    const { breakpointId } = await this.#cdp.send("Debugger.setInstrumentationBreakpoint", { instrumentation });
    this.#moduleId = breakpointId;
    if (old !== undefined) await this.#cdp.send("Debugger.removeBreakpoint", { breakpointId: old });
  }

  async #holdCompiles(want: Holding): Promise<void> {
    try {
      const { result } = await this.#cdp.send("Runtime.evaluate", {
        expression: "require('module').prototype._compile",
        includeCommandLineAPI: true,
        silent: true,
      });
      if (result.objectId === undefined) throw new Error("Module.prototype._compile is not to be had");
      if (this.#compileId !== undefined) await this.#cdp.send("Debugger.removeBreakpoint", { breakpointId: this.#compileId });
      const mapped = want === "all" ? "" : " && content.includes('sourceMappingURL=')";
      const { breakpointId } = await this.#cdp.send("Debugger.setBreakpointOnFunctionCall", {
        objectId: result.objectId,
        condition: `typeof content === 'string' && !filename.includes('/node_modules/')${mapped}`,
      });
      this.#compileId = breakpointId;
      void this.#cdp.send("Runtime.releaseObject", { objectId: result.objectId }).catch(() => {});
    } catch (error) {
      this.#log(`CommonJS modules are not held before they run: ${reasonOf(error)}`);
    }
  }
}
