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
import { LIBRARY } from "./script-url.ts";

/** Which scripts are held. */
export type Holding = "none" | "mapped" | "all";

export type Held = { kind: "module"; scriptId: string } | { kind: "compile"; callFrameId: string };

interface Wish {
  holding: Holding;
  words: string[];
}

const ORDER: Holding[] = ["none", "mapped", "all"];

export class Gate {
  readonly #cdp: Cdp;
  readonly #log: (message: string) => void;
  readonly #wishes = new Map<string, Wish>();
  #holding: Holding = "none";
  #inForce = "";
  #isRunning: boolean;
  #modulesHeld: Holding = "none";
  #installing: Promise<void> = Promise.resolve();
  #compileId: string | undefined;
  #moduleId: string | undefined;

  /**
   * `isRunning`: not held before its start. While it is, Node takes a pause of a script of ours (every evaluation is one)
   * for one it need not make, and never goes on: modules without a map are held only from its start on.
   */
  constructor(cdp: Cdp, log: (message: string) => void, isRunning: boolean) {
    this.#cdp = cdp;
    this.#log = log;
    this.#isRunning = isRunning;
  }

  /** Every script is held, ours among them. */
  get holdsEverything(): boolean {
    return this.#modulesHeld === "all";
  }

  /** The program has been let go, and has come as far as a script of its own. */
  started(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    if (this.#holding === "all") this.#install(() => this.#holdModules("all"));
  }

  /**
   * What one party needs held; the most anyone needs is done. `words`: of CommonJS files without a map only those that
   * contain one are held. Returns when it is in force.
   */
  hold(who: string, holding: Holding, words: string[] = []): Promise<void> {
    this.#wishes.set(who, { holding, words });
    const wishes = [...this.#wishes.values()];
    const most = ORDER.findLast((level) => wishes.some((wish) => wish.holding === level)) ?? "none";
    const all = wishes.flatMap((wish) => wish.words);
    const wanted = JSON.stringify([most, all]);
    if (wanted === this.#inForce || (most === "none" && this.#holding === "none")) return this.#installing;
    this.#inForce = wanted;
    this.#holding = most;
    return this.#install(async () => {
      // In this order: from then on every evaluation of ours is a script that is held, too.
      await this.#holdCompiles(most, all);
      await this.#holdModules(most);
    });
  }

  #install(work: () => Promise<void>): Promise<void> {
    this.#installing = this.#installing.then(work, work);
    // Nobody may be waiting for it.
    this.#installing.catch((error: unknown) => this.#log(`scripts are not held: ${reasonOf(error)}`));
    return this.#installing;
  }

  heldBy(event: Protocol.Debugger.PausedEvent): Held | undefined {
    const top = event.callFrames[0];
    if (event.reason === "instrumentation") {
      const { scriptId } = (event.data ?? {}) as { scriptId?: string };
      return { kind: "module", scriptId: scriptId ?? top?.location.scriptId ?? "" };
    }
    const hits = event.hitBreakpoints ?? [];
    const isCompile =
      this.#compileId !== undefined && hits.length > 0 && hits.every((id) => id === this.#compileId);
    return isCompile && top !== undefined ? { kind: "compile", callFrameId: top.callFrameId } : undefined;
  }

  /** What is about to be compiled. The text is sent only if someone wants to search it. */
  async compiling(
    callFrameId: string,
    withText: boolean,
  ): Promise<{ path: string; mapUrl?: string; text?: string }> {
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
    const level = want === "all" && !this.#isRunning ? "mapped" : want;
    if (level === this.#modulesHeld) return;
    const old = this.#moduleId;
    this.#moduleId = undefined;
    this.#modulesHeld = level;
    if (level !== "none") {
      const instrumentation =
        level === "all" ? "beforeScriptExecution" : "beforeScriptWithSourceMapExecution";
      const { breakpointId } = await this.#cdp.send("Debugger.setInstrumentationBreakpoint", {
        instrumentation,
      });
      this.#moduleId = breakpointId;
    }
    await this.#remove(old);
  }

  async #holdCompiles(want: Holding, words: string[]): Promise<void> {
    await this.#remove(this.#compileId);
    this.#compileId = undefined;
    if (want === "none") return;
    try {
      const { result } = await this.#cdp.send("Runtime.evaluate", {
        expression: "require('module').prototype._compile",
        includeCommandLineAPI: true,
        silent: true,
      });
      if (result.objectId === undefined) throw new Error("Module.prototype._compile is not available");
      const signs = ["sourceMappingURL=", ...words].map(
        (word) => `content.includes(${JSON.stringify(word)})`,
      );
      const { breakpointId } = await this.#cdp.send("Debugger.setBreakpointOnFunctionCall", {
        objectId: result.objectId,
        condition: `typeof content === 'string' && !${LIBRARY}.test(filename) && (${signs.join(" || ")})`,
      });
      this.#compileId = breakpointId;
      void this.#cdp.send("Runtime.releaseObject", { objectId: result.objectId }).catch(() => {});
    } catch (error) {
      this.#log(`CommonJS modules are not held before they run: ${reasonOf(error)}`);
    }
  }

  async #remove(breakpointId: string | undefined): Promise<void> {
    if (breakpointId !== undefined) await this.#cdp.send("Debugger.removeBreakpoint", { breakpointId });
  }
}
