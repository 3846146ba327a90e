/** clear-cache in a terminal: shows what would go, and asks. */
import { confirm } from "./confirm.ts";
import type { Terminal } from "./terminal.ts";

export function clearCache(args: Readonly<Record<string, unknown>>, terminal: Terminal): Promise<number> {
  const isWorth = ({ count }: Record<string, unknown>) => count !== 0;
  return confirm({ command: "clear-cache", args, question: "remove it?", isWorth }, terminal);
}
