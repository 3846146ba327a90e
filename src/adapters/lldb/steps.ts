/** A step that something else interrupted: LLDB remembers it, and would end a later continue where the step was going. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { command } from "./ask.ts";

type Stopped = DebugProtocol.StoppedEvent["body"];

export class Steps {
  #pausing = false;
  /** The thread that is stepping. */
  #stepping: number | undefined;
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
  moving(wire: Wire, threadId: number, isStep: boolean): void {
    for (const id of this.#cut) {
      void command(wire, `thread select -t ${id}`).catch(() => {});
      void command(wire, "thread plan discard 1").catch(() => {});
    }
    this.#cut.clear();
    this.#stepping = isStep ? threadId : undefined;
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
