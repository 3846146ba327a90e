/**
 * A thread that cannot get past a breakpoint, because a signal interrupts each step over it. The breakpoint is taken out, the thread runs
 * to what comes next, and it is put back. Nobody is told of these stops (lldb_hits.py).
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { command } from "./ask.ts";

type Stopped = DebugProtocol.StoppedEvent["body"];

/** Where a thread was stopped that is to go on. */
export interface From {
  line: number | undefined;
  /** In a call that is stepped over, or on the way out of a function. */
  inside: boolean;
}

export class Passing {
  /** The thread whose next stop is to get it past. */
  #stuck: number | undefined;
  /** Breakpoints of ours, at what comes next. */
  readonly #ways = new Set<number>();
  /** Of the breakpoint that is in the way. */
  #line: number | undefined;
  readonly #resume: (threadId: number, from: From, wire: Wire) => Promise<void>;

  /** @param resume Goes on as it was going. */
  constructor(resume: (threadId: number, from: From, wire: Wire) => Promise<void>) {
    this.#resume = resume;
  }

  stuck(threadId: number): void {
    this.#stuck = threadId;
  }

  /** What is to be told of a stop; nothing of one that is ours alone. */
  stopped(body: Stopped, ids: readonly number[], wire: Wire): readonly number[] | undefined {
    const { threadId = 0 } = body;
    if (threadId === this.#stuck && body.reason === "breakpoint") {
      this.#stuck = undefined;
      void this.#takeOut(threadId, wire);
      return undefined;
    }
    if (!ids.some((id) => this.#ways.has(id))) return ids;
    // LLDB's own, of the step that was under way, are no reason to tell of it.
    const others = ids.filter((id) => !this.#ways.has(id) && id > 0);
    this.#ways.clear();
    void this.#putBack(threadId, wire, others.length === 0);
    return others.length > 0 ? others : undefined;
  }

  async #putBack(threadId: number, wire: Wire, goesOn: boolean): Promise<void> {
    const said = await command(wire, `script lldb_hits.put_back(${threadId})`).catch(() => ""); // it has ended
    const { inside = false } = JSON.parse(/^sonde (\{.*\})$/m.exec(said)?.[1] ?? "{}") as {
      inside?: boolean;
    };
    if (goesOn) await this.#resume(threadId, { line: this.#line, inside }, wire);
  }

  async #takeOut(threadId: number, wire: Wire): Promise<void> {
    const said = await command(wire, `script lldb_hits.take_out(${threadId})`).catch(() => "");
    const { ways, alone, line } = JSON.parse(/^sonde (\{.*\})$/m.exec(said)?.[1] ?? "{}") as {
      ways?: number[];
      alone?: boolean;
      line?: number;
    };
    this.#line = line;
    for (const id of ways ?? []) this.#ways.add(id);
    // Another thread's stop is told.
    if (alone !== false) await wire.ask("continue", { threadId });
  }
}
