/**
 * What is done at hits, by lldb_hits.py inside LLDB: counts and log messages, which LLDB's own way has for stops that are no hits too,
 * and conditions in Rust's words, which LLDB's expressions do not know.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";
import { type LogPart, parseLogMessage } from "../kit/log-message.ts";
import { command } from "./ask.ts";
import { plainRefusal } from "./values.ts";

interface Asked {
  breakpoints?: { condition?: string; hitCondition?: string; logMessage?: string }[];
}

interface Rule {
  condition?: string;
  /** The number of the first hit that counts. */
  first?: number;
  log?: LogPart[];
}

/** What is said at a hit: a log breakpoint's message, that hits may be counted wrong, or the thread that cannot get past one. */
type Told = { log: string } | { unsure: string } | { pass: number };

export class Rules {
  readonly #rust: boolean;
  /** lldb-dap can pass on what is said at a hit. Where it cannot, log messages are its own. */
  readonly #tells: boolean;
  /** By LLDB's number. */
  readonly #rules = new Map<number, { text: string; conditional: boolean }>();

  constructor({ rust, tells }: { rust: boolean; tells: boolean }) {
    this.#rust = rust;
    this.#tells = tells;
  }

  /** What LLDB is told. A count is of hits where the condition holds, so it goes with one that LLDB does not know. */
  sent<T extends Asked>(args: T): T {
    if (!this.#rust) return args;
    const breakpoints = (args.breakpoints ?? []).map((one) => {
      if (!this.#isOurs(one)) return one;
      const { condition: _, hitCondition: __, ...rest } = one;
      return rest;
    });
    return { ...args, breakpoints };
  }

  /** Why the condition of one of these could not be told. */
  async failure(ids: readonly number[], wire: Wire): Promise<string | undefined> {
    for (const id of ids) {
      const said = await command(wire, `script lldb_hits.reason(${id})`).catch(() => "");
      const why: unknown = JSON.parse(/^sonde (".*")$/m.exec(said)?.[1] ?? "null");
      if (typeof why === "string") return plainRefusal(why);
    }
    return undefined;
  }

  /** Those of them with a condition of ours. */
  conditional(ids: readonly number[]): number[] {
    return ids.filter((id) => this.#rules.get(id)?.conditional);
  }

  /** To be called with what LLDB answered. `all`: LLDB's numbers for one of the client's. */
  async put<T extends { breakpoints: DebugProtocol.Breakpoint[] }>(
    args: Asked,
    body: T,
    wire: Wire,
    all: (id: number) => readonly number[] = (id) => [id],
  ): Promise<T> {
    for (const [index, one] of (args.breakpoints ?? []).entries()) {
      const id = body.breakpoints[index]?.id;
      if (id === undefined) continue;
      const rule = this.#ruleOf(one);
      const text = rule === undefined ? "" : Buffer.from(JSON.stringify(rule)).toString("hex");
      if ((this.#rules.get(id)?.text ?? "") === text) continue;
      if (rule === undefined) this.#rules.delete(id);
      else this.#rules.set(id, { text, conditional: rule.condition !== undefined });
      await command(wire, `script lldb_hits.rule([${all(id).join(", ")}], "${text}")`);
    }
    return body;
  }

  #isOurs({ condition, logMessage }: NonNullable<Asked["breakpoints"]>[number]): boolean {
    return this.#rust && condition !== undefined && (logMessage === undefined || this.#tells);
  }

  #ruleOf(one: NonNullable<Asked["breakpoints"]>[number]): Rule | undefined {
    const { condition, hitCondition, logMessage } = one;
    const rule: Rule = {
      ...(this.#isOurs(one) && condition !== undefined ? { condition } : {}),
      ...(hitCondition === undefined ? {} : { first: Number(hitCondition) }),
      ...(logMessage !== undefined && this.#tells ? { log: parseLogMessage(logMessage) } : {}),
    };
    return Object.keys(rule).length === 0 ? undefined : rule;
  }
}

/** What lldb_hits.py says in an event. */
export function toldIn({ told }: { told?: string }): Told | undefined {
  return told === undefined ? undefined : (JSON.parse(Buffer.from(told, "hex").toString()) as Told);
}
