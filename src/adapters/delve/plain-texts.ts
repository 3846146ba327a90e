/** dlv's words, cleaned. */
import type { DebugProtocol } from "@vscode/debugprotocol";

/** Why it refused: the long form is in the body. */
export function refusalText({ message, body }: DebugProtocol.Response): string {
  const long: unknown = body?.error?.format;
  const text = typeof long === "string" ? long : (message ?? "no reason given");
  return text.replace(/^Unable to (evaluate expression|set variable|lookup variable): /i, "");
}

/** Of a variable of optimised code that has no place at this instruction. */
const NO_PLACE = /^\(unreadable could not find loclist entry .*\)$/;

/** dlv writes every unsigned number twice, `5 = 0x5`; of an address the second form is the one to read. */
export function plainValue(value: string, type = ""): string {
  if (NO_PLACE.test(value)) return "<unavailable>";
  if (/^(uint(8|16|32|64)?|byte)$/.test(type)) return value.replace(/^(\d+) = 0x[0-9a-f]+$/, "$1");
  // Behind the last entry of a map stands a comma; what stands in a text is the program's own.
  return value.replace(/"(?:[^"\\]|\\.)*"|, \]/g, (found) => (found === ", ]" ? "]" : found));
}

/** `* [Go 20 job:7] main.work (Thread 4711)` → `goroutine 20 job:7`: where it is, and which is current, its frames tell. */
export function goroutineName({ id, name }: DebugProtocol.Thread): string {
  return `goroutine ${id}${/^\*?\s*\[Go \d+([^\]]*)\]/.exec(name)?.[1] ?? ""}`;
}
