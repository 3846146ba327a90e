/**
 * Hit counts in LLDB's words. It knows one kind, the Nth hit and all after it, and takes any other text for none at all. A plain
 * number means that hit alone, so its breakpoint is switched off once it was hit; what LLDB cannot count is not sent.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { command } from "./ask.ts";

type Kind = "breakpoint" | "watchpoint";

interface Asked {
  breakpoints?: { hitCondition?: string }[];
}

const CANNOT = "LLDB counts hits only as 5, >=5 or >5";

export class HitCounts {
  /** Numbered apart: there is a breakpoint 1 and a watchpoint 1. */
  readonly #once = { breakpoint: new Set<number>(), watchpoint: new Set<number>() };

  asked<T extends Asked>(args: T): T {
    const breakpoints = (args.breakpoints ?? []).flatMap((one) => {
      if (one.hitCondition === undefined) return [one];
      const rule = ruleOf(one.hitCondition);
      return rule ? [{ ...one, hitCondition: String(rule.from) }] : [];
    });
    return { ...args, breakpoints };
  }

  /** `args` as they were before `asked`: answers come in the order in which breakpoints were sent. */
  answered<T extends { breakpoints: DebugProtocol.Breakpoint[] }>(kind: Kind, body: T, args: Asked): T {
    const answers = [...body.breakpoints];
    const breakpoints = (args.breakpoints ?? []).flatMap(({ hitCondition }) => {
      const rule = hitCondition === undefined ? undefined : ruleOf(hitCondition);
      if (hitCondition !== undefined && !rule) return [{ verified: false, message: CANNOT }];
      const answer = answers.shift();
      if (answer?.id !== undefined) this.#once[kind][rule?.once ? "add" : "delete"](answer.id);
      return answer ? [answer] : [];
    });
    return { ...body, breakpoints };
  }

  /** Has had its hit: whatever is asked next finds it switched off. */
  hit(ids: readonly number[], reason: string, wire: Wire): void {
    const kind = reason === "data breakpoint" ? "watchpoint" : "breakpoint";
    for (const id of ids)
      if (this.#once[kind].delete(id)) void command(wire, `${kind} disable ${id}`).catch(() => {});
  }
}

function ruleOf(text: string): { from: number; once: boolean } | undefined {
  const [, sign = "", digits] = /^\s*(==|>=|>)?\s*(\d+)\s*$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return { from: Number(digits) + (sign === ">" ? 1 : 0), once: sign === "" || sign === "==" };
}
