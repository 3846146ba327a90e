/** Requests of our own to lldb-dap, and its commands. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Wire } from "../kit/dialect.ts";

/** The body, or its refusal as an error. */
// biome-ignore lint/suspicious/noExplicitAny: bodies are the adapter's; each caller knows what it asked for
export async function passed(wire: Wire, command: string, args?: unknown): Promise<any> {
  const answer = await wire.ask(command, args);
  if (answer.success) return answer.body ?? {};
  throw new Error(refusalText(answer));
}

function refusalText({ message, body }: DebugProtocol.Response): string {
  const format = (body as { error?: { format?: string } } | undefined)?.error?.format;
  return format || message || "lldb-dap refused";
}

/** A command of LLDB's own; an error it prints is an error. */
export async function command(wire: Wire, words: string): Promise<string> {
  const { result = "" } = await passed(wire, "evaluate", { expression: `\`${words}`, context: "repl" });
  // Older versions repeat the command first.
  const text = String(result).replace(/^\(lldb\) .*\n/, "");
  if (/^error: /.test(text)) throw new Error(text.replace(/^error: /, "").trim());
  return text;
}

/** An expression in the newest frame of a thread; nothing if it has no value. */
export async function valueIn(wire: Wire, frameId: number, expression: string): Promise<string | undefined> {
  const answer = await wire.ask("evaluate", { expression, context: "watch", frameId });
  const result = answer.success ? (answer.body as { result?: string } | undefined)?.result : undefined;
  return result === undefined || /^error: /.test(result) ? undefined : result;
}

export async function frames(
  wire: Wire,
  threadId: number,
  levels: number,
): Promise<DebugProtocol.StackFrame[]> {
  const answer = await wire.ask("stackTrace", { threadId, startFrame: 0, levels });
  return answer.success
    ? ((answer.body as { stackFrames?: DebugProtocol.StackFrame[] }).stackFrames ?? [])
    : [];
}
