/** Counts of hits, kept here: gdb takes only "let so many pass", and begins anew whenever the list of breakpoints is sent. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { counted } from "../cdt-gdb/gates.ts";

type Asked = DebugProtocol.SourceBreakpoint & DebugProtocol.FunctionBreakpoint;

export class HitCounts {
  /** By gdb's number. */
  readonly #counts = new Map<number, { hitCondition: string; hits: number }>();

  sent(asked: readonly Asked[]): unknown[] {
    return asked.map(({ hitCondition: _, ...rest }) => rest);
  }

  placed(asked: readonly Asked[], answers: readonly DebugProtocol.Breakpoint[]): void {
    asked.forEach(({ hitCondition }, index) => {
      const id = answers[index]?.id;
      if (id === undefined) return;
      if (hitCondition === undefined) this.#counts.delete(id);
      else if (this.#counts.get(id)?.hitCondition !== hitCondition)
        this.#counts.set(id, { hitCondition, hits: 0 });
    });
  }

  /** That none of the breakpoints hit is to stop the program. */
  skips(ids: readonly number[]): boolean {
    const stopping = ids.filter((id) => {
      const count = this.#counts.get(id);
      if (count === undefined) return true;
      count.hits += 1;
      return counted(count.hitCondition, count.hits);
    });
    return ids.length > 0 && stopping.length === 0;
  }
}
