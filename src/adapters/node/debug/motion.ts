/** Moving the program: continue, the steps, pause, restarting a frame. Knows what the user last asked for. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Protocol } from "devtools-protocol";
import type { Cdp } from "../target.ts";
import type { Current } from "./current.ts";
import { DapError, reasonOf } from "./host.ts";
import type { Sources } from "./sources.ts";
import { type Spot, Step, type StepCommand, type StepKind } from "./stepping.ts";

type Paused = Protocol.Debugger.PausedEvent;
type CallFrame = Protocol.Debugger.CallFrame;
type StopReason = Omit<DebugProtocol.StoppedEvent["body"], "threadId">;

const COMMANDS: Record<StepKind, StepCommand> = {
  over: "Debugger.stepOver",
  into: "Debugger.stepInto",
  out: "Debugger.stepOut",
};

/** A program that waits for events runs no code to pause in; after this long it is given some. */
const IDLE_MS = 150;
/** Its script is known to nobody but us. */
const IDLE_URL = "sonde-idle:";

export class Motion {
  readonly #cdp: Cdp;
  readonly #current: Current;
  readonly #sources: Sources;
  #step: Step | undefined;
  /** A call the user wants to step into: run there first. */
  #target: Protocol.Debugger.Location | undefined;
  #pauseAsked = false;
  #restarting = false;
  #idleTimer: NodeJS.Timeout | undefined;

  readonly #hidden: string[];

  /** `hidden`: patterns of URLs that steps never stop in. */
  constructor(cdp: Cdp, current: Current, sources: Sources, hidden: string[]) {
    this.#cdp = cdp;
    this.#hidden = hidden;
    this.#current = current;
    this.#sources = sources;
  }

  async continue(): Promise<void> {
    this.#current.need();
    this.#current.move();
    await this.#cdp.send("Debugger.resume", {});
  }

  async step(kind: StepKind, target?: Protocol.Debugger.Location): Promise<void> {
    const { top, frames } = this.#current.need();
    const depth = frames.filter(({ frame }) => frame.kind === "live").length;
    this.#step = top === undefined ? undefined : new Step(kind, await this.#spot(top, depth));
    this.#target = target;
    this.#current.move();
    if (target !== undefined) await this.#cdp.send("Debugger.continueToLocation", { location: target });
    else if (kind === "into") await this.#cdp.send("Debugger.stepInto", { breakOnAsyncCall: true });
    else await this.#cdp.send(COMMANDS[kind]);
  }

  async restartFrame(callFrameId: string): Promise<void> {
    this.#restarting = true;
    this.#current.move();
    await this.#cdp.send("Debugger.restartFrame", { callFrameId, mode: "StepInto" });
  }

  async pause(): Promise<void> {
    if (this.#current.pause !== undefined) throw new DapError("the program is already stopped");
    this.#pauseAsked = true;
    await this.#cdp.send("Debugger.pause");
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      // Answered only when the program goes on again; the pause itself arrives as an event.
      if (this.#pauseAsked)
        this.#cdp.send("Runtime.evaluate", { expression: `0 //# sourceURL=${IDLE_URL}` }).catch(() => {});
    }, IDLE_MS);
  }

  /** A stop is shown: nothing is under way any more. */
  finish(): void {
    if (this.#step?.isReturning === true) void this.#hide(this.#hidden);
    this.#step = undefined;
    this.#target = undefined;
    this.#pauseAsked = false;
    this.#restarting = false;
    clearTimeout(this.#idleTimer);
  }

  async goOn(): Promise<void> {
    try {
      // V8 ignores a request to pause while it is paused, so it is repeated behind the resume.
      const resumed = this.#cdp.send("Debugger.resume", {});
      if (this.#pauseAsked) await this.#cdp.send("Debugger.pause");
      await resumed;
    } catch (error) {
      // A program held before its start tells of pauses (in what we evaluate there) that it does not make.
      if (!/while paused/.test(reasonOf(error))) throw error;
    }
  }

  /** Leaves a pause that was not the user's, with the user's step still in force. */
  async goOnAfterHold(event: Paused): Promise<void> {
    if (this.#step === undefined || this.#target !== undefined || event.reason === "instrumentation")
      return this.goOn();
    await this.#cdp.send(this.#step.afterHold());
  }

  /** V8 stopped for a step, a `debugger` statement or a request to pause. */
  async arrive({ callFrames }: Paused): Promise<StopReason | "onward"> {
    const [top] = callFrames;
    if (this.#restarting) return { reason: "restart", description: "frame restarted" };
    if (this.#target !== undefined) {
      this.#target = undefined;
      await this.#cdp.send("Debugger.stepInto", {});
      return "onward";
    }
    if (this.#step !== undefined && top !== undefined) {
      const wasReturning = this.#step.isReturning;
      const command = this.#step.next(await this.#spot(top, callFrames.length));
      if (wasReturning && !this.#step.isReturning) await this.#hide(this.#hidden);
      if (command === undefined) return { reason: "step", description: "paused after a step" };
      await this.#cdp.send(command);
      return "onward";
    }
    if (this.#pauseAsked) {
      const isIdle = callFrames.length === 1 && (await this.#isIdle(top));
      return {
        reason: "pause",
        description: isIdle ? "paused while waiting for events" : "paused on request",
      };
    }
    return { reason: "breakpoint", description: "debugger statement" };
  }

  async #hide(patterns: string[]): Promise<void> {
    await this.#cdp.send("Debugger.setBlackboxPatterns", { patterns });
  }

  async #isIdle(frame: CallFrame | undefined): Promise<boolean> {
    if (frame === undefined) return true;
    const { source } = await this.#sources.place(frame.location.scriptId, { line: 0, column: 0 });
    return source.name === IDLE_URL;
  }

  async #spot(frame: CallFrame, depth: number): Promise<Spot> {
    const { scriptId, lineNumber, columnNumber = 0 } = frame.location;
    const place = await this.#sources.place(scriptId, { line: lineNumber, column: columnNumber });
    const from = frame.functionLocation;
    return {
      depth,
      function: `${scriptId}:${from?.lineNumber}:${from?.columnNumber}`,
      place: place.unmapped ? undefined : `${place.source.path ?? place.source.name}:${place.line}`,
      mapped: place.mapped,
      internal: place.source.origin === "node internals",
    };
  }
}
