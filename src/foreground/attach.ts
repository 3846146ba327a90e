/** agent attach: a live view of a run. What is typed in it goes the way of all commands, through the daemon. */
import type { AgentEvent } from "../agent/events.ts";
import { Blobs, isStoredBlob } from "../agent/store/blobs.ts";
import type { SessionRow } from "../agent/store/sessions.ts";
import { attach as view } from "../agent/view/attach.ts";
import { runToRead } from "../commands/agent/choosing.ts";
import { splitLines, splitWords } from "../util/shell-words.ts";
import { asking, type Terminal } from "./terminal.ts";
import { throughDaemon } from "./through-daemon.ts";

interface Arguments {
  source?: string;
  plain?: boolean;
  dir?: string;
}

export async function attach(args: Arguments, terminal: Terminal): Promise<number> {
  const { row } = await runToRead(asking(terminal, args.source), args);
  const ended = new AbortController();
  const interrupted = () => ended.abort();
  process.once("SIGTERM", interrupted).once("SIGHUP", interrupted);
  try {
    await view({
      session: row,
      input: process.stdin,
      output: process.stdout,
      plain: args.plain ?? (!process.stdout.isTTY || !process.stdin.isTTY),
      execute: (words) => execute(words, row, args.dir, terminal),
      split: (line) => (splitLines(line) === undefined ? undefined : splitWords(line)),
      whole: async (event) => whole(event, row),
      signal: ended.signal,
    });
  } finally {
    process.off("SIGTERM", interrupted).off("SIGHUP", interrupted);
  }
  return 0;
}

async function execute(
  words: string[],
  row: SessionRow,
  dir: string | undefined,
  terminal: Terminal,
): Promise<{ text: string; exit: number }> {
  const end = words.indexOf("--");
  const of = ["-s", row.id, ...(dir === undefined ? [] : ["--dir", dir])];
  const argv = ["agent", ...words.toSpliced(end < 0 ? words.length : end, 0, ...of)];
  const { text, stderr, exit } = await throughDaemon(argv, terminal);
  return { text: `${text}${stderr}`, exit };
}

/** What an event keeps beside the log, put into it. */
function whole(event: AgentEvent, { folder }: SessionRow): unknown {
  const blobs = new Blobs(folder.blobs);
  const filled = (value: unknown): unknown => {
    if (isStoredBlob(value) || isPieces(value)) return blobs.shown(value);
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one)]));
  };
  return filled(event);
}

function isPieces(value: unknown): value is { pieces: string; bytes: number; preview: string } {
  return typeof value === "object" && value !== null && "pieces" in value && typeof value.pieces === "string";
}
