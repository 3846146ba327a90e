/**
 * A step that something else interrupted: LLDB remembers it, and would end a later continue where the step was going. One that a signal
 * interrupts at a breakpoint, where it begins, it gives up: the program stops there again, for no reason. Such a step is made again.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { command, frames } from "./ask.ts";
import type { From } from "./passing.ts";

type Stopped = DebugProtocol.StoppedEvent["body"];

export interface Step {
  command: "next" | "stepIn" | "stepOut";
  args: { threadId: number };
}

/** A timer whose signals come faster than LLDB steps over a breakpoint is lldb_hits.py's business. */
const TRIES = 20;

export class Steps {
  #pausing = false;
  /** The thread that is stepping. */
  #stepping: number | undefined;
  /** The last move, if it was a step. */
  #step: Step | undefined;
  #tries = 0;
  /** Threads with a step that was cut short. */
  readonly #cut = new Set<number>();

  pausing(): void {
    this.#pausing = true;
  }

  /**
   * A pause that comes while LLDB is at a breakpoint of its own, where libraries are loaded, or steps over it, is reported as that:
   * a stop at a breakpoint that nobody has set, or a step that nobody asked for.
   */
  stopped(body: Stopped): Stopped {
    const { reason, threadId } = body;
    const stray =
      this.#pausing && this.#stepping === undefined && (reason === "step" || isAtOwnBreakpoint(body));
    if (this.#stepping !== undefined && (reason !== "step" || threadId !== this.#stepping))
      this.#cut.add(this.#stepping);
    this.#stepping = undefined;
    this.#pausing = false;
    return stray ? asPause(body) : body;
  }

  /** Called before any move: drops interrupted steps. Requests are carried out in the order in which they are sent. */
  moving(wire: Wire, step: Step | undefined): void {
    this.#tries = 0;
    this.#begin(wire, step);
  }

  /** Whether it is a step that LLDB gave up where it began, and goes on. */
  repeats({ reason, threadId }: Partial<Stopped>, wire: Wire): boolean {
    const step = this.#step;
    if (reason !== undefined || this.#pausing || this.#stepping === undefined) return false;
    if (step === undefined || threadId !== this.#stepping || ++this.#tries > TRIES) return false;
    this.#cut.add(this.#stepping);
    this.#begin(wire, step);
    void wire.ask(step.command, step.args);
    return true;
  }

  /** As the program was moving before it was stopped for a purpose of ours: steps on, or runs on. */
  async resume(threadId: number, { line, inside }: From, wire: Wire): Promise<void> {
    const step = this.#stepping === threadId ? this.#step : undefined;
    if (step === undefined || inside) return void (await wire.ask("continue", { threadId }));
    const [top] = await frames(wire, threadId, 1);
    this.#cut.add(threadId);
    if (step.command !== "stepOut" && top?.line !== line) {
      wire.emit("stopped", { reason: "step", threadId, allThreadsStopped: true });
      this.#stepping = undefined;
      return;
    }
    this.#begin(wire, step);
    await wire.ask(step.command, step.args);
  }

  #begin(wire: Wire, step: Step | undefined): void {
    for (const id of this.#cut) {
      void command(wire, `thread select -t ${id}`).catch(() => {});
      void command(wire, "thread plan discard 1").catch(() => {});
    }
    this.#cut.clear();
    this.#step = step;
    this.#stepping = step?.args.threadId;
  }
}

/** LLDB gives its own breakpoints negative numbers: `breakpoint -1.1`; one of the user's at the same place is named too. */
function isAtOwnBreakpoint({ reason, description = "", hitBreakpointIds = [] }: Stopped): boolean {
  return (
    reason === "breakpoint" &&
    /^breakpoint -\d+\.\d+( -\d+\.\d+)*$/.test(description) &&
    hitBreakpointIds.every((id) => id < 0)
  );
}

function asPause({ description: _place, text: _text, hitBreakpointIds: _own, ...body }: Stopped): Stopped {
  return { ...body, reason: "pause" };
}
