/** report, clear-cache: what would be done is shown, asked, and done. */
import { askYes } from "./asking.ts";
import type { Terminal } from "./terminal.ts";
import { throughDaemon } from "./through-daemon.ts";
import { flagWords } from "./words.ts";

interface Confirmation {
  command: string;
  args: Readonly<Record<string, unknown>>;
  question: string;
  /** Whether there is anything to ask, by the answer's data. */
  isWorth?(data: Record<string, unknown>): boolean;
}

export async function confirm(
  { command, args, question, isWorth }: Confirmation,
  terminal: Terminal,
): Promise<number> {
  const session = terminal.session === undefined ? [] : ["-s", terminal.session];
  const words = [...session, command, ...flagWords(args)];
  const shown = await throughDaemon(words, terminal);
  show(shown.text, shown.stderr);
  if (shown.exit !== 0) return shown.exit;
  if (isWorth && !isWorth(dataOf((await throughDaemon([...words, "--json"], terminal)).text))) return 0;
  if (!(await askYes(question))) {
    process.stdout.write("nothing was done\n");
    return 0;
  }
  const done = await throughDaemon([...words, "--yes"], terminal);
  show(done.text, done.stderr);
  return done.exit;
}

function dataOf(text: string): Record<string, unknown> {
  const { data } = JSON.parse(text) as { data?: Record<string, unknown> };
  return data ?? {};
}

function show(text: string, stderr: string): void {
  process.stdout.write(text);
  process.stderr.write(stderr);
}
