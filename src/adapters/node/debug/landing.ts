/** Breakpoints for one step: wherever the functions on the user's part of the stack can go on. */
import type { Protocol } from "devtools-protocol";
import type { Cdp } from "../target.ts";
import { reasonOf } from "./host.ts";
import type { Sources } from "./sources.ts";

type CallFrame = Protocol.Debugger.CallFrame;

/** Frames of the user's to come back to; a throw may pass the first. */
const FRAMES = 3;
const PER_FUNCTION = 200;

export class Landing {
  readonly #cdp: Cdp;
  readonly #sources: Sources;
  readonly #ids = new Set<string>();

  constructor(cdp: Cdp, sources: Sources) {
    this.#cdp = cdp;
    this.#sources = sources;
  }

  get isSet(): boolean {
    return this.#ids.size > 0;
  }

  async set(stack: CallFrame[]): Promise<void> {
    const frames = stack
      .filter(({ location }) => !this.#sources.isInternal(location.scriptId))
      .slice(0, FRAMES);
    const functions = new Map(frames.map((frame) => [JSON.stringify(frame.functionLocation), frame]));
    await Promise.all([...functions.values()].map((frame) => this.#cover(frame)));
  }

  async clear(): Promise<void> {
    const ids = [...this.#ids];
    this.#ids.clear();
    await Promise.all(
      ids.map((breakpointId) => this.#cdp.send("Debugger.removeBreakpoint", { breakpointId })),
    );
  }

  async #cover({ functionLocation, location }: CallFrame): Promise<void> {
    // V8 takes the function around `start`; at the function's own beginning that may be one inside it.
    const ahead = this.#cdp.send("Debugger.getPossibleBreakpoints", {
      start: location,
      restrictToFunction: true,
    });
    const behind =
      functionLocation === undefined
        ? { locations: [] }
        : this.#cdp.send("Debugger.getPossibleBreakpoints", { start: functionLocation, end: location });
    const found = (await Promise.all([ahead, behind])).flatMap(({ locations }) => locations);
    await Promise.all(found.slice(0, PER_FUNCTION).map((one) => this.#place(one)));
  }

  async #place({ scriptId, lineNumber, columnNumber = 0 }: Protocol.Debugger.BreakLocation): Promise<void> {
    try {
      const { breakpointId } = await this.#cdp.send("Debugger.setBreakpoint", {
        location: { scriptId, lineNumber, columnNumber },
      });
      this.#ids.add(breakpointId);
    } catch (error) {
      // The user's own breakpoint is there: it stops as well.
      if (!/already exists/.test(reasonOf(error))) throw error;
    }
  }
}
