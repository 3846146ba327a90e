/** report in a terminal: shows what would be in it, and asks. */
import { confirm } from "./confirm.ts";
import type { Terminal } from "./terminal.ts";

export function report(args: Readonly<Record<string, unknown>>, terminal: Terminal): Promise<number> {
  return confirm({ command: "report", args, question: "write this report?" }, terminal);
}
