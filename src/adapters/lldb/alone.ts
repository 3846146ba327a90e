/** `continue` of one thread: lldb-dap resumes all of them, and LLDB can hold the others. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { command, passed } from "./ask.ts";

export class Alone {
  #held = false;

  async run({ threadId }: DebugProtocol.ContinueArguments, wire: Wire): Promise<unknown> {
    this.#held = true;
    await command(wire, `script lldb_threads.only(${threadId})`);
    await passed(wire, "continue", { threadId });
    return { allThreadsContinued: false };
  }

  /** From here on they move with it again, unless the next move is of one thread too. */
  stopped(wire: Wire): void {
    if (!this.#held) return;
    this.#held = false;
    void command(wire, "script lldb_threads.everyone()").catch(() => {}); // it has ended
  }
}
