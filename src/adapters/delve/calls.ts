/**
 * Calls of the program's functions for an expression. A breakpoint inside one stops it there, on a goroutine of the call's own,
 * and dlv gives its value to nobody any more: it is let run to its end, so that the program stands where it stood.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { refusalText } from "./plain-texts.ts";

type Stopped = DebugProtocol.StoppedEvent["body"];

/** A breakpoint in a loop stops it as often as that goes round. */
const MOST_STOPS = 100;

export class Calls {
  #heard: ((body: Stopped) => void) | undefined;
  #last: Stopped | undefined;
  #ran = false;

  /** Whether a stop is of a call that is under way, and nobody else's. */
  takes(body: Stopped): boolean {
    this.#last = body;
    this.#heard?.(body);
    return this.#heard !== undefined;
  }

  /** Whether it went on for a call since this was asked last. */
  ranProgram(): boolean {
    const ran = this.#ran;
    this.#ran = false;
    return ran;
  }

  async ask(wire: Wire, args: DebugProtocol.EvaluateArguments): Promise<DebugProtocol.Response> {
    const thread = this.#last?.threadId || 1;
    this.#heard = () => {};
    this.#ran = true;
    try {
      const called = await wire.ask("evaluate", args);
      if (called.success || refusalText(called) !== "call stopped") return called;
      const where = await topOf(wire, this.#last?.threadId ?? 1);
      const over = await this.#end(wire, thread);
      wire.emit("stopped", { reason: "evaluation", threadId: thread, allThreadsStopped: true });
      const end = over
        ? "it ran to its end, and its value is lost"
        : `it stopped ${MOST_STOPS} times and has not ended`;
      throw new Error(
        `a breakpoint stopped the call at ${where.place}; ${end}: disable that breakpoint, then evaluate it again`,
      );
    } finally {
      this.#heard = undefined;
      this.#last = { reason: "evaluation", threadId: thread };
    }
  }

  async #end(wire: Wire, thread: number): Promise<boolean> {
    for (let stops = 0; stops < MOST_STOPS; stops++) {
      const next = new Promise<Stopped>((resolve) => {
        this.#heard = resolve;
      });
      await wire.ask("continue", { threadId: thread });
      await next;
      if (!(await topOf(wire, thread)).inCall) return true;
    }
    return false;
  }
}

async function topOf(wire: Wire, threadId: number): Promise<{ place: string; inCall: boolean }> {
  const { body } = await wire.ask("stackTrace", { threadId, startFrame: 0, levels: 3 });
  const frames: DebugProtocol.StackFrame[] = body?.stackFrames ?? [];
  const [top] = frames;
  return {
    place: top ? `${top.source?.name ?? "?"}:${top.line}` : "an unknown location",
    inCall: frames.some(({ name }) => /^runtime\.debugCall/.test(name)),
  };
}
