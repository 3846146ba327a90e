/**
 * What the adapter cannot do at a breakpoint is done here, when it is hit: messages with values in them, conditions of function
 * breakpoints, and counts other than "from the nth on", which gdb itself does.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";

type Asked = DebugProtocol.SourceBreakpoint | DebugProtocol.FunctionBreakpoint | DebugProtocol.DataBreakpoint;

interface Gate {
  asked: Asked;
  /** Hits that gdb let pass or that came here. */
  count: number;
  /** The condition is ours to check. */
  checks: boolean;
}

/** In this frame, or the reason why not. */
export type Evaluate = (expression: string) => Promise<{ value: string } | { error: string }>;

export class Gates {
  /** By gdb's number. */
  readonly #gates = new Map<number, Gate>();
  /** By file or kind: those that gdb has, and so counts on. */
  readonly #placed = new Map<string, Map<string, number>>();

  /** What is sent in place of what was asked. One that gdb has already goes without its count, which would make it anew. */
  sent<T extends Asked>(group: string, asked: readonly T[]): T[] {
    return asked.map((one) => {
      const { hitCondition, ...rest } = one as DebugProtocol.SourceBreakpoint;
      delete rest.logMessage;
      const ignored = this.#placed.get(group)?.has(key(one)) ? 0 : ignoredBy(hitCondition);
      return { ...rest, ...(ignored > 0 ? { hitCondition: `>${ignored}` } : {}) } as T;
    });
  }

  /** gdb's answer, in the order of what was asked. */
  placed(
    group: string,
    asked: readonly Asked[],
    answers: readonly DebugProtocol.Breakpoint[],
    checks: boolean,
  ): void {
    const before = this.#placed.get(group) ?? new Map<string, number>();
    const now = new Map<string, number>();
    asked.forEach((one, index) => {
      const { id, verified } = answers[index] ?? {};
      if (id === undefined || !verified) return;
      now.set(key(one), id);
      if (before.get(key(one)) === id) return;
      const ours = checks && one.condition !== undefined;
      if (ours || one.hitCondition !== undefined || messageOf(one) !== undefined)
        this.#gates.set(id, { asked: one, count: ignoredHere(one, checks), checks: ours });
    });
    for (const id of before.values()) if (![...now.values()].includes(id)) this.#gates.delete(id);
    this.#placed.set(group, now);
  }

  /** gdb had it before. */
  hadBefore(group: string, one: Asked, id: number): boolean {
    return this.#placed.get(group)?.get(key(one)) === id;
  }

  has(id: number): boolean {
    return this.#gates.has(id);
  }

  /** Whether the program is to stop; a message is printed on the way. */
  async opens(id: number, evaluate: Evaluate, wire: Wire): Promise<boolean> {
    const gate = this.#gates.get(id);
    if (!gate) return true;
    const { asked, checks } = gate;
    if (checks) {
      const found = await evaluate(asked.condition ?? "");
      if ("error" in found) {
        const output = `breakpoint condition \`${asked.condition}\`: ${found.error}\n`;
        wire.emit("output", { category: "important", output, about: "failed-condition" });
        return true;
      }
      if (/^(0|false)$/.test(found.value)) return false;
    }
    gate.count += 1;
    if (!counted(asked.hitCondition, gate.count)) return false;
    const message = messageOf(asked);
    if (message === undefined) return true;
    wire.emit("output", { category: "console", output: `${await filled(message, evaluate)}\n` });
    return false;
  }
}

function key(one: Asked): string {
  const place =
    "name" in one
      ? one.name
      : "dataId" in one
        ? `${one.accessType} ${one.dataId}`
        : `${one.line}:${one.column ?? ""}`;
  return JSON.stringify([place, one.condition, one.hitCondition, messageOf(one)]);
}

function messageOf(one: Asked): string | undefined {
  return "logMessage" in one ? one.logMessage : undefined;
}

function parts(hitCondition: string): { operator: string; number: number } {
  const [, operator = "==", digits = "0"] = /^(==|>=|<=|>|<|%)?\s*(\d+)$/.exec(hitCondition.trim()) ?? [];
  return { operator, number: Number(digits) };
}

/** How many hits gdb can let pass by itself. */
export function ignoredBy(hitCondition: string | undefined): number {
  if (hitCondition === undefined) return 0;
  const { operator, number } = parts(hitCondition);
  if (operator === ">") return number;
  return operator === "==" || operator === ">=" ? Math.max(0, number - 1) : 0;
}

/** The adapter passes no count on with a function breakpoint. */
function ignoredHere(one: Asked, isFunction: boolean): number {
  return isFunction ? 0 : ignoredBy(one.hitCondition);
}

/** Whether the nth hit is meant. */
export function counted(hitCondition: string | undefined, count: number): boolean {
  if (hitCondition === undefined) return true;
  const { operator, number } = parts(hitCondition);
  if (operator === ">") return count > number;
  if (operator === ">=") return count >= number;
  if (operator === "<") return count < number;
  if (operator === "<=") return count <= number;
  if (operator === "%") return number > 0 && count % number === 0;
  return count === number;
}

/** `{expression}` in a message; what cannot be evaluated says why. */
async function filled(message: string, evaluate: Evaluate): Promise<string> {
  const pieces = await Promise.all(
    message.split(/(\{[^{}]+\})/).map(async (piece) => {
      if (!/^\{.+\}$/.test(piece)) return piece;
      const found = await evaluate(piece.slice(1, -1));
      return "error" in found ? `{${piece.slice(1, -1)}: ${found.error}}` : found.value;
    }),
  );
  return pieces.join("");
}
