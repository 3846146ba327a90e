/** Conditions in Rust's words, which LLDB's own expressions do not know: checked by lldb_evaluate.py at each hit. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { command } from "./ask.ts";
import { plainRefusal } from "./values.ts";

interface Asked {
  breakpoints?: { condition?: string; hitCondition?: string; logMessage?: string }[];
}

export class Conditions {
  readonly #rust: boolean;
  /** By LLDB's number. */
  readonly #rules = new Map<number, string>();

  constructor({ rust }: { rust: boolean }) {
    this.#rust = rust;
  }

  /** What LLDB is told: a count is of hits where the condition holds, so it goes with it. */
  sent<T extends Asked>(args: T): T {
    if (!this.#rust) return args;
    const breakpoints = (args.breakpoints ?? []).map((one) => {
      if (ruleOf(one) === undefined) return one;
      const { condition: _, hitCondition: __, ...rest } = one;
      return rest;
    });
    return { ...args, breakpoints };
  }

  /** Why the condition of one of these could not be told. */
  async failure(ids: readonly number[], wire: Wire): Promise<string | undefined> {
    for (const id of ids) {
      const said = await command(wire, `script lldb_evaluate.reason(${id})`).catch(() => "");
      const why: unknown = JSON.parse(/^sonde (".*")$/m.exec(said)?.[1] ?? "null");
      if (typeof why === "string") return plainRefusal(why);
    }
    return undefined;
  }

  of(ids: readonly number[]): number[] {
    return ids.filter((id) => this.#rules.has(id));
  }

  /** To be called with what LLDB answered to those. */
  async put<T extends { breakpoints: DebugProtocol.Breakpoint[] }>(
    args: Asked,
    body: T,
    wire: Wire,
  ): Promise<T> {
    if (!this.#rust) return body;
    for (const [index, one] of (args.breakpoints ?? []).entries()) {
      const id = body.breakpoints[index]?.id;
      const rule = ruleOf(one);
      if (id === undefined || this.#rules.get(id) === rule) continue;
      if (rule === undefined) {
        this.#rules.delete(id);
        await command(wire, `breakpoint command delete ${id}`).catch(() => {});
      } else {
        this.#rules.set(id, rule);
        await command(wire, `breakpoint command add -F lldb_evaluate.hit -k rule -v ${rule} ${id}`);
      }
    }
    return body;
  }
}

function ruleOf({
  condition,
  hitCondition,
  logMessage,
}: NonNullable<Asked["breakpoints"]>[number]): string | undefined {
  if (condition === undefined || logMessage !== undefined) return undefined;
  return `${Buffer.from(condition).toString("hex")}.${hitCondition ?? 1}`;
}
