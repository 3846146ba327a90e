/**
 * Hit counts in LLDB's words. It knows one kind, the Nth hit and all after it, and takes any other text for none at all. A plain
 * number means that hit alone, so its breakpoint is switched off once it was hit, and not sent again: LLDB would call it unbound,
 * or count anew. What LLDB cannot count is not sent either.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { PartlyRefused } from "../../dap/refused-part.ts";
import type { Wire } from "../kit/dialect.ts";
import { command } from "./ask.ts";

type Kind = "breakpoint" | "watchpoint";

interface Asked {
  source?: { path?: string };
  breakpoints?: { hitCondition?: string }[];
}

/** What stops once, and what LLDB said of it. */
interface Once {
  key: string;
  answer: DebugProtocol.Breakpoint;
}

const CANNOT: PartlyRefused = {
  verified: false,
  message: "LLDB counts hits only as 5, >=5 or >5",
  refusedPart: "hitCondition",
};

export class HitCounts {
  /** Numbered apart: there is a breakpoint 1 and a watchpoint 1. */
  readonly #once = { breakpoint: new Map<number, Once>(), watchpoint: new Map<number, Once>() };
  /** Has had its hit; by group and what was asked, until the group is sent without it. */
  readonly #done = new Map<string, DebugProtocol.Breakpoint>();
  /** Our own answers for what is not sent, by place in the list. It may have its hit before LLDB has answered. */
  readonly #answers = new WeakMap<Asked, (DebugProtocol.Breakpoint | undefined)[]>();

  /** `group`: what LLDB replaces as a whole, within a file where there is one. */
  asked<T extends Asked>(group: string, args: T): T {
    const wanted = args.breakpoints ?? [];
    const keys = wanted.map((one) => keyOf(group, args, one));
    const start = keyOf(group, args, undefined);
    for (const key of this.#done.keys())
      if (key.startsWith(start) && !keys.includes(key)) this.#done.delete(key);
    const answers = wanted.map(({ hitCondition }, index) =>
      hitCondition === undefined
        ? undefined
        : ruleOf(hitCondition)
          ? this.#done.get(keys[index] ?? "")
          : CANNOT,
    );
    this.#answers.set(args, answers);
    const breakpoints = wanted.flatMap((one, index) => {
      if (answers[index]) return [];
      const rule = one.hitCondition === undefined ? undefined : ruleOf(one.hitCondition);
      return [rule ? { ...one, hitCondition: String(rule.from) } : one];
    });
    return { ...args, breakpoints };
  }

  /** `args` as they were before `asked`: answers come in the order in which breakpoints were sent. */
  answered<T extends { breakpoints: DebugProtocol.Breakpoint[] }>(
    kind: Kind,
    group: string,
    body: T,
    args: Asked,
  ): T {
    const answers = [...body.breakpoints];
    const own = this.#answers.get(args) ?? [];
    const breakpoints = (args.breakpoints ?? []).flatMap((one, index) => {
      const answer = own[index] ?? answers.shift();
      if (answer?.id === undefined) return answer ? [answer] : [];
      const key = keyOf(group, args, one);
      const had = this.#done.get(key); // since it was sent
      if (had) return [had];
      if (one.hitCondition !== undefined && ruleOf(one.hitCondition)?.once)
        this.#once[kind].set(answer.id, { key, answer });
      else this.#once[kind].delete(answer.id);
      return [answer];
    });
    return { ...body, breakpoints };
  }

  /** Has had its hit: whatever is asked next finds it switched off. */
  hit(ids: readonly number[], reason: string, wire: Wire): void {
    const kind = reason === "data breakpoint" ? "watchpoint" : "breakpoint";
    for (const id of ids) {
      const once = this.#once[kind].get(id);
      if (!once) continue;
      this.#once[kind].delete(id);
      // Without its number: LLDB is to forget it, and what it says of that is of no interest.
      const { id: _, ...answer } = once.answer;
      this.#done.set(once.key, { ...answer, verified: true, message: "done: it was hit" });
      void command(wire, `${kind} disable ${id}`).catch(() => {});
    }
  }
}

/** Without a breakpoint: what the keys of its group begin with. */
function keyOf(group: string, { source }: Asked, one: object | undefined): string {
  return `${group} ${JSON.stringify(source?.path ?? "")} ${one === undefined ? "" : JSON.stringify(one)}`;
}

function ruleOf(text: string): { from: number; once: boolean } | undefined {
  const [, sign = "", digits] = /^\s*(==|>=|>)?\s*(\d+)\s*$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return { from: Number(digits) + (sign === ">" ? 1 : 0), once: sign === "" || sign === "==" };
}
