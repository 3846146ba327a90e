/** Expressions: dlv wants `call` before whatever runs code of the program, and takes assignments only behind it. */
import type { Wire } from "../kit/dialect.ts";
import type { Calls } from "./calls.ts";
import { pointedTo } from "./memory.ts";
import { plainValue, refusalText } from "./plain-texts.ts";
import { unsetIn } from "./unset.ts";

interface Asked {
  expression: string;
  context?: string;
  frameId?: number;
}

/** `unset`: variables of the frame that have no value yet. */
export async function evaluate(
  wire: Wire,
  { unset, ...asked }: Asked & { unset: readonly string[] },
  isRunning: () => boolean,
  calls: Calls,
): Promise<unknown> {
  const why = asked.frameId === undefined ? undefined : unsetIn(asked.expression, unset);
  if (why !== undefined) throw new Error(why);
  const mayChange = asked.context === "repl";
  const raw = mayChange && asked.frameId === undefined;
  if (raw && CONSOLE_COMMAND.test(asked.expression)) return runCommand(wire, asked);
  const assignment = mayChange ? assignmentOf(asked.expression) : undefined;
  if (assignment) return assign(wire, assignment, asked.frameId);
  const plain = await wire.ask("evaluate", asked);
  if (plain.success) {
    const { type = "" } = plain.body;
    const body = { ...plain.body, result: plainValue(plain.body.result, type) };
    if (mayChange || isRunning()) return body;
    // Of a function: where its code is.
    const pointer = type.startsWith("func(") ? `&${asked.expression}` : asked.expression;
    if (pointer === asked.expression && !type.startsWith("*")) return body;
    const found = await pointedTo(wire, pointer, asked.frameId);
    const shownAs = /^\*/.test(body.result) ? { pointer: found.memoryReference } : {};
    return { ...body, ...found, ...shownAs };
  }
  const refusal = refusalText(plain);
  if (!/without using 'call'/.test(refusal))
    throw new Error(raw ? `${refusal}${consoleHint(asked.expression)}` : refusal);
  if (!mayChange) throw new Error(`${asked.expression} calls a function, which may have side effects`);
  const called = await calls.ask(wire, { ...asked, expression: `call ${asked.expression}` });
  if (!called.success) throw new Error(refusalText(called));
  return called.body;
}

const CONSOLE = ["help", "config", "sources", "types", "target", "examinemem"];
/** With its arguments, and not an expression that begins with such a name. */
const CONSOLE_COMMAND = new RegExp(`^\\s*(dlv\\s+\\S|(${CONSOLE.join("|")})\\s*($|\\s[-\\w"/.^]))`);

/** dlv's console, as far as DAP has it: marked by a word in front. */
async function runCommand(wire: Wire, asked: Asked): Promise<unknown> {
  const command = asked.expression.trim();
  const expression = /^dlv\s/.test(command) ? command : `dlv ${command}`;
  const answer = await wire.ask("evaluate", { ...asked, expression });
  if (!answer.success) throw new Error(refusalText(answer));
  return answer.body;
}

function consoleHint(expression: string): string {
  const instead = /^\s*(goroutines?|grs?|threads?)\b/.test(expression) ? "; goroutines are threads here" : "";
  return ` (over DAP, delve's console accepts an expression, or ${CONSOLE.join(", ")}${instead})`;
}

interface Assignment {
  target: string;
  value: string;
}

export async function assign(
  wire: Wire,
  { target, value }: Assignment,
  frameId: number | undefined,
): Promise<unknown> {
  const set = await wire.ask("evaluate", {
    expression: `call ${target} = ${value}`,
    context: "repl",
    frameId,
  });
  if (!set.success) throw new Error(refusalText(set));
  const now = await wire.ask("evaluate", { expression: target, context: "watch", frameId });
  if (!now.success) throw new Error(refusalText(now));
  return now.body;
}

/** A name, and what may follow it; or what a pointer points to. */
const TARGET = /^\*?[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}\p{N}_]+|\[[^\]]*\])*$/u;

/** `n = 3`, `n += 3`, `n++`; not `n == 3`. */
export function assignmentOf(expression: string): Assignment | undefined {
  const step = /^([\s\S]*\S)\s*(\+\+|--)\s*$/.exec(expression);
  if (step?.[1] !== undefined && TARGET.test(step[1].trim())) {
    const target = step[1].trim();
    return { target, value: `${target} ${step[2]?.[0]} 1` };
  }
  const [, left = "", operator = "", right = ""] =
    /^([^=!<>+\-*/%&|^]*|\*[^=!<>+\-*/%&|^]*?)\s*(\+|-|\*|\/|%|&\^|&|\||\^|<<|>>)?=(?!=)([\s\S]+)$/.exec(
      expression,
    ) ?? [];
  const target = left.trim();
  if (!TARGET.test(target)) return undefined;
  const value = right.trim();
  return { target, value: operator === "" ? value : `${target} ${operator} (${value})` };
}
