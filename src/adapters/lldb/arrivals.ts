/**
 * A step that ends at a breakpoint. Newer versions of LLDB report the step alone, and the breakpoint when the program is to go on, at
 * the same place: a reader would see a step that leads nowhere. What is hit there is asked for at the end of the step (lldb_hits.py).
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { command } from "./ask.ts";

type Stopped = DebugProtocol.StoppedEvent["body"];

export class Arrivals {
  /** How many breakpoints there are, by what LLDB replaces as a whole. */
  readonly #set = new Map<string, number>();
  /** lldb_hits.py knows of a hit that LLDB is still to meet. */
  #isTold = false;

  asked(
    group: string,
    { source, breakpoints }: { source?: DebugProtocol.Source; breakpoints: object[] },
  ): void {
    this.#set.set(`${group} ${source?.path ?? ""}`, breakpoints.length);
  }

  /** Whether there may be one where a step ended. */
  mayBeAt({ reason, threadId }: Stopped, wire: Wire): boolean {
    if (reason === "step" && threadId !== undefined)
      return this.#isTold || [...this.#set.values()].some((count) => count > 0);
    if (this.#isTold) void command(wire, "script lldb_hits.forget()").catch(() => {}); // it has ended
    this.#isTold = false;
    return false;
  }

  /** The stop as a hit, if it is one. `known`: the client's numbers for LLDB's. */
  async told(body: Stopped, wire: Wire, known: (ids: readonly number[]) => number[]): Promise<Stopped> {
    const said = await command(wire, `script lldb_hits.arrive(${body.threadId})`).catch(() => ""); // it has ended
    const ids = JSON.parse(/^sonde (\[.*\])$/m.exec(said)?.[1] ?? "[]") as number[];
    this.#isTold = ids.length > 0;
    if (ids.length === 0) return body;
    const { description: _step, text: _text, ...rest } = body;
    return { ...rest, reason: "breakpoint", hitBreakpointIds: known(ids) };
  }
}
