/**
 * A step into a call that a signal interrupts: LLDB ends it in the signal's handler. The handler runs to its end, and the step goes on
 * (lldb_handlers.py). Nobody is told of these stops.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { command } from "./ask.ts";

type Stopped = DebugProtocol.StoppedEvent["body"];

/** What is left of a step: to run on, or a step of this kind; or the breakpoints that were hit where it went on. */
interface Rest {
  run?: boolean;
  step?: "stepIn" | "stepOut";
  hit?: number[];
  way?: number;
}

export class Handlers {
  /** The thread whose step into a call is under way. */
  #stepping: number | undefined;
  /** The breakpoint where a handler returns to. */
  #way: number | undefined;

  /** Called before any move; with the thread if it steps into a call, in a program that has handlers. */
  moving(threadId: number | undefined, wire: Wire): void {
    this.#stepping = threadId;
    // Requests are carried out in the order in which they are sent. If this one cannot be, the step ends where LLDB says.
    if (threadId !== undefined) void command(wire, `script lldb_handlers.begin(${threadId})`).catch(() => {});
  }

  /** Tells of a stop, as it is to be told, unless it is one of these. `ids`: the breakpoints that LLDB names. */
  stopped(body: Stopped, ids: readonly number[], wire: Wire, tell: (body: Stopped) => void): void {
    const { threadId, reason } = body;
    const isBack = this.#way !== undefined && ids.includes(this.#way);
    const mine = threadId !== undefined && threadId === this.#stepping;
    if (mine && (isBack || reason === "step")) return void this.#ended(body, threadId, isBack, wire, tell);
    if (this.#stepping !== undefined) void command(wire, "script lldb_handlers.forget()").catch(() => {}); // it has ended
    this.#way = undefined;
    this.#stepping = undefined;
    tell(body);
  }

  async #ended(
    body: Stopped,
    threadId: number,
    isBack: boolean,
    wire: Wire,
    tell: (body: Stopped) => void,
  ): Promise<void> {
    const said = await command(wire, `script lldb_handlers.ended(${threadId})`).catch(() => ""); // it has ended
    const { run, step, hit, way }: Rest = JSON.parse(/^sonde (\{.*\})$/m.exec(said)?.[1] ?? "{}");
    this.#way = way;
    if (run) return void (await wire.ask("continue", { threadId }));
    if (step !== undefined) return void (await wire.ask(step, { threadId }));
    this.#stepping = undefined;
    const { description: _place, text: _text, hitBreakpointIds: _way, ...rest } = body;
    if (hit !== undefined) tell({ ...rest, reason: "breakpoint", hitBreakpointIds: hit });
    else tell(isBack ? { ...rest, reason: "step" } : body);
  }
}
