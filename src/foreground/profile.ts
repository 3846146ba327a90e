/** profile cpu, heap and work in a terminal: how far it is, on one line; Enter or Ctrl-C ends it, and what there is by then is the profile. */
import type { Terminal } from "./terminal.ts";
import { throughDaemon } from "./through-daemon.ts";

const CLEAR = "\r\u001b[K";

export async function profile(_args: unknown, terminal: Terminal): Promise<number> {
  const { argv } = terminal;
  const end = argv.indexOf("--");
  const words = argv.toSpliced(end < 0 ? argv.length : end, 0, "--follow");
  const ended = new AbortController();
  const stop = () => {
    if (ended.signal.aborted) return;
    line("ending…");
    ended.abort();
  };
  process.on("SIGINT", stop);
  process.stdin.on("data", stop);
  process.stdin.resume();
  line("starting…");
  try {
    const { text, stderr, exit } = await throughDaemon(words, terminal, {
      signal: ended.signal,
      onChunk: (chunk) => {
        const last = chunk.trimEnd().split("\n").at(-1) ?? "";
        if (!ended.signal.aborted) line(`${last}  (Enter ends it and keeps what there is)`);
      },
    });
    process.stderr.write(CLEAR);
    process.stdout.write(text);
    process.stderr.write(stderr);
    return exit;
  } finally {
    process.off("SIGINT", stop);
    process.stdin.off("data", stop);
    process.stdin.pause();
  }
}

function line(text: string): void {
  process.stderr.write(`${CLEAR}${text}`);
}
