/** gdb's own machine interface, through the adapter. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";

export interface FramePlace {
  threadId: number;
  level: number;
}

/** A request as it is, answered with its body. */
// biome-ignore lint/suspicious/noExplicitAny: the adapter's; who asks knows what it looks at
export async function passed(command: string, args: unknown, wire: Wire): Promise<any> {
  const answer = await wire.ask(command, args);
  if (!answer.success) throw new Error(textOf(answer));
  return answer.body ?? {};
}

/** A gdb/MI command, answered with its result and what gdb printed. */
export function execute(wire: Wire, command: string): Promise<DebugProtocol.Response> {
  return wire.ask("cdt-gdb-tests/executeCommand", { command });
}

/** An expression's whole value as text, where the adapter gives a summary; or gdb's reason why there is none. */
export async function valueText(
  wire: Wire,
  expression: string,
  { threadId, level }: FramePlace,
): Promise<{ value: string } | { error: string }> {
  const where = `--thread ${threadId} --frame ${level}`;
  const answer = await execute(wire, `-data-evaluate-expression ${where} ${miString(expression)}`);
  return answer.success ? { value: String(answer.body?.result?.value ?? "") } : { error: textOf(answer) };
}

export function textOf(answer: DebugProtocol.Response): string {
  return answer.body?.error?.format ?? answer.message ?? "gdb gave no reason";
}

export function miString(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}
