/** `hitCondition: "4"` means the fourth hit; to LLDB it means the fourth and all after it. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { command } from "./ask.ts";

interface Asked {
  breakpoints?: { hitCondition?: string }[];
}

export class HitCounts {
  readonly #counted = new Set<number>();

  /** Answers come in the order in which breakpoints were sent. */
  answered<T extends { breakpoints: DebugProtocol.Breakpoint[] }>(body: T, args: Asked): T {
    body.breakpoints.forEach(({ id }, index) => {
      if (id === undefined) return;
      if (args.breakpoints?.[index]?.hitCondition === undefined) this.#counted.delete(id);
      else this.#counted.add(id);
    });
    return body;
  }

  /** Has had its hit: whatever is asked next finds it switched off. */
  hit(ids: readonly number[], wire: Wire): void {
    for (const id of ids)
      if (this.#counted.delete(id)) void command(wire, `breakpoint disable ${id}`).catch(() => {});
  }
}
