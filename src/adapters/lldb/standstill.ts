/**
 * Several threads that are stopped at the same time. LLDB reports each thread that has a reason to be stopped, not always the one that
 * matters first; and a thread that did not move while another one stepped is reported as if it had arrived again. Such a thread has
 * not been on a processor since.
 */
import { readFileSync } from "node:fs";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { WithRan } from "../../dap/refused-part.ts";
import type { Wire } from "../kit/dialect.ts";

type Stopped = DebugProtocol.StoppedEvent["body"] & WithRan;

/** LLDB reports all of them within this time; if the one that matters is not among them, the others are passed on all the same. */
const BREATH_MS = 100;

export class Standstill {
  /** The stop that matters has been passed on. */
  #told = false;
  #waiting: { body: Stopped; tell: (body: Stopped) => void }[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** How often each thread had been on a processor when it was reported to be at a breakpoint. */
  readonly #turns = new Map<number, string>();

  moving(): void {
    this.#told = false;
  }

  /** Undefined if its thread has not moved since it was last reported. */
  looked(body: Stopped, pid: number | undefined): Stopped | undefined {
    const { threadId, hitBreakpointIds = [], preserveFocusHint } = body;
    if (threadId === undefined || pid === undefined) return body;
    const before = this.#turns.get(threadId);
    const now = hitBreakpointIds.length > 0 ? turnsOf(pid, threadId) : undefined;
    if (now === undefined) this.#turns.delete(threadId);
    else this.#turns.set(threadId, now);
    if (before === undefined || now === undefined || !preserveFocusHint) return body;
    return before === now ? undefined : { ...body, ran: true };
  }

  /** Whether it is held back until the stop that matters has been passed on. */
  keeps(body: Stopped, tell: (body: Stopped) => void): boolean {
    if (!body.preserveFocusHint || this.#told) return false;
    this.#waiting.push({ body, tell });
    this.#timer ??= setTimeout(() => this.#release(), BREATH_MS).unref();
    return true;
  }

  /** For what tells of the stop that counts: the others are told behind it. */
  watched(wire: Wire): Wire {
    return {
      emit: (event, body) => {
        wire.emit(event, body);
        if (event === "stopped") this.#release();
      },
      ask: (command, args, withinMs) => wire.ask(command, args, withinMs),
      askClient: (command, args) => wire.askClient(command, args),
    };
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#told = true;
    for (const { body, tell } of this.#waiting.splice(0)) tell(body);
  }
}

/** Nothing where the system does not tell. */
function turnsOf(pid: number, threadId: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/task/${threadId}/schedstat`, "latin1").trim().split(" ")[2];
  } catch {
    return undefined;
  }
}
