/** Moving the program: continue, the steps, pause, restarting a frame. Knows what the user last asked for. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Protocol } from "devtools-protocol";
import { isBlankFrom } from "../javascript/code-text.ts";
import { isInsideFinally } from "../javascript/enclosing-blocks.ts";
import type { Cdp } from "../target.ts";
import type { Ahead } from "./ahead.ts";
import type { Current } from "./current.ts";
import { DapError, reasonOf } from "./host.ts";
import { Landing } from "./landing.ts";
import type { ScriptTexts } from "./script-texts.ts";
import { IDLE_URL } from "./script-url.ts";
import type { Sources } from "./sources.ts";
import { type Spot, Step, type StepKind, type StepMove } from "./stepping.ts";

type Paused = Protocol.Debugger.PausedEvent;
type CallFrame = Protocol.Debugger.CallFrame;
type StopReason = Omit<DebugProtocol.StoppedEvent["body"], "threadId">;

/** What a pause of a program is called that runs nothing of the user's. */
export const IDLE: StopReason = {
  reason: "pause",
  description: "idle: waiting for timers, I/O or messages",
};

const COMMANDS = {
  over: "Debugger.stepOver",
  into: "Debugger.stepInto",
  out: "Debugger.stepOut",
} as const;

/** A program that waits for events runs no code to pause in; after this long it is given some. */
const IDLE_MS = 150;
const INSIST_MS = 2000;

export class Motion {
  readonly #cdp: Cdp;
  readonly #current: Current;
  readonly #sources: Sources;
  readonly #texts: ScriptTexts;
  readonly #landing: Landing;
  readonly #ahead: Ahead;
  #step: Step | undefined;
  /** A call the user wants to step into: run there first. */
  #target: Protocol.Debugger.Location | undefined;
  #pauseAsked = false;
  #restarting = false;
  #last: { callFrames: CallFrame[]; spot: Spot } | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(tools: { cdp: Cdp; current: Current; sources: Sources; texts: ScriptTexts; ahead: Ahead }) {
    this.#cdp = tools.cdp;
    this.#current = tools.current;
    this.#sources = tools.sources;
    this.#texts = tools.texts;
    this.#ahead = tools.ahead;
    this.#landing = new Landing(tools.cdp, tools.sources);
  }

  async continue(): Promise<void> {
    this.#current.need();
    this.#current.move();
    this.#ahead.ask();
    await this.#cdp.send("Debugger.resume", {});
  }

  async step(kind: StepKind, target?: Protocol.Debugger.Location): Promise<void> {
    const { top, frames } = this.#current.need();
    // Idle: there is no line to step from.
    if (frames.length === 0) return this.continue();
    const calls = frames.flatMap(({ frame }) => (frame.kind === "live" ? [frame.call] : []));
    this.#step = top === undefined ? undefined : new Step(kind, await this.#spot(calls, top));
    this.#target = target;
    this.#current.move();
    if (target === undefined) this.#ahead.ask();
    if (target !== undefined) await this.#cdp.send("Debugger.continueToLocation", { location: target });
    else if (kind === "into") await this.#cdp.send("Debugger.stepInto", { breakOnAsyncCall: true });
    else {
      if (this.#step?.needsNet === true) {
        this.#step.letGo();
        await this.#landing.set(kind === "out" ? calls.slice(1) : calls);
      }
      await this.#cdp.send(COMMANDS[kind]);
    }
  }

  get isRestarting(): boolean {
    return this.#restarting;
  }

  /** V8 may refuse, and then the program stays where it is: only its `resumed` event says that it moved. */
  async restartFrame({ callFrameId, canBeRestarted }: CallFrame): Promise<void> {
    if (canBeRestarted === false) throw new DapError("this frame cannot be restarted");
    this.#restarting = true;
    try {
      await this.#cdp.send("Debugger.restartFrame", { callFrameId, mode: "StepInto" });
    } catch (error) {
      this.#restarting = false;
      throw new DapError(`this frame cannot be restarted: ${reasonOf(error)}`);
    }
  }

  async pause(): Promise<void> {
    if (this.#current.pause !== undefined) throw new DapError("the program is already stopped");
    this.#pauseAsked = true;
    await this.#cdp.send("Debugger.pause");
    this.#insist(IDLE_MS);
  }

  /** V8 drops a request to pause that comes while it is still leaving the last pause: ask until it is heard. */
  #insist(afterMs: number): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      if (!this.#pauseAsked) return;
      // The evaluation is answered only when the program goes on again; the pause itself arrives as an event.
      const expression = `0 //# sourceURL=${IDLE_URL}`;
      const asked = [this.#cdp.send("Debugger.pause"), this.#cdp.send("Runtime.evaluate", { expression })];
      Promise.all(asked).catch(() => {});
      this.#insist(INSIST_MS);
    }, afterMs);
    this.#idleTimer.unref();
  }

  /** A stop is shown: nothing is under way any more. */
  finish(): void {
    this.#step = undefined;
    this.#target = undefined;
    this.#pauseAsked = false;
    this.#restarting = false;
    clearTimeout(this.#idleTimer);
    if (this.#landing.isSet) this.#landing.clear().catch(() => {});
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
    const keepsStep = this.#target !== undefined || event.reason === "instrumentation";
    if (this.#step === undefined || this.#pauseAsked || keepsStep) return this.goOn();
    await this.#go("land", event.callFrames);
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
    if (this.#pauseAsked) {
      const isIdle = callFrames.every(({ location }) => this.#sources.isInternal(location.scriptId));
      return isIdle ? IDLE : { reason: "pause", description: "paused on request" };
    }
    if (this.#step !== undefined && top !== undefined) {
      const move = this.#step.next(await this.#spot(callFrames, top));
      if (move === undefined) return { reason: "step", description: "paused after a step" };
      await this.#go(move, callFrames);
      return "onward";
    }
    return { reason: "breakpoint", description: "debugger statement" };
  }

  async #go(move: StepMove, stack: CallFrame[]): Promise<void> {
    if (move === "land" && this.#step !== undefined) {
      this.#step.letGo();
      const { reach } = this.#step;
      if (!this.#landing.isSet && reach > 0) await this.#landing.set(stack.slice(-reach));
      return this.goOn();
    }
    if (move === "land" || move === "resume") {
      if (!this.#landing.isSet) this.#step = undefined;
      return this.goOn();
    }
    await this.#cdp.send(COMMANDS[move]);
  }

  /** Where one step ended is where the next begins. */
  async #spot(stack: CallFrame[], frame: CallFrame): Promise<Spot> {
    const { callFrames, spot } = this.#last ?? {};
    if (spot !== undefined && callFrames?.length === stack.length && callFrames[0] === frame) return spot;
    const found = await this.#look(stack, frame);
    this.#last = { callFrames: stack, spot: found };
    return found;
  }

  async #look(stack: CallFrame[], frame: CallFrame): Promise<Spot> {
    const { scriptId, lineNumber, columnNumber = 0 } = frame.location;
    const place = await this.#sources.place(scriptId, { line: lineNumber, column: columnNumber });
    const from = frame.functionLocation;
    const { text, offset } = await this.#texts.within(frame);
    return {
      inFinally: isInsideFinally(text, offset),
      isTail: isBlankFrom(text, offset),
      depth: stack.length,
      function: `${scriptId}:${from?.lineNumber}:${from?.columnNumber}`,
      place: place.unmapped ? undefined : `${place.source.path ?? place.source.name}:${place.line}`,
      mapped: place.mapped,
      internal: this.#sources.isInternal(scriptId),
      hasUserBelow: stack.slice(1).some(({ location }) => !this.#sources.isInternal(location.scriptId)),
    };
  }
}
