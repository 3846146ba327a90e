/** A question at the terminal, before something is written or removed. */
import { createInterface } from "node:readline/promises";

/** No unless it is said. The end of the input and Ctrl-C mean no. */
export async function askYes(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new AbortController();
  lines.once("close", () => ended.abort());
  lines.once("SIGINT", () => ended.abort());
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `, { signal: ended.signal })).trim());
  } catch {
    process.stdout.write("\n");
    return false;
  } finally {
    lines.close();
  }
}
