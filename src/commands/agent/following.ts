/** The events of a run as they come, until it is over. */
import { connect } from "node:net";
import type { AgentEvent } from "../../agent/events.ts";
import { followLines } from "../../agent/store/follow.ts";
import type { SessionRow } from "../../agent/store/sessions.ts";
import { parseEvent } from "../../agent/store/tail.ts";

export interface Following {
  from: number | "end";
  signal: AbortSignal;
}

/** In batches, up to the end of the session, the end of its process, or the caller's. */
export async function* followRun(row: SessionRow, { from, signal }: Following): AsyncGenerator<AgentEvent[]> {
  const over = new AbortController();
  const stop = () => over.abort();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const forget = whenGone(row, stop);
  try {
    for await (const lines of followLines(row.folder.events, { from, signal: over.signal })) {
      const events = lines.flatMap((line) => parseEvent(line) ?? []);
      if (events.length > 0) yield events;
      if (events.some(({ type }) => type === "session_end")) return;
    }
  } finally {
    forget();
    signal.removeEventListener("abort", stop);
  }
}

/** What it wrote last may still be read after its process has gone. */
const LAST_WORDS_MS = 300;

/** A process that is killed writes no last event; its socket closes all the same. */
function whenGone({ socket }: SessionRow, gone: () => void): () => void {
  if (socket === undefined) return () => {};
  let timer: NodeJS.Timeout | undefined;
  const connection = connect(socket);
  const soon = () => {
    timer ??= setTimeout(gone, LAST_WORDS_MS);
  };
  connection.on("error", soon).on("close", soon).resume();
  return () => {
    clearTimeout(timer);
    connection
      .removeAllListeners("close")
      .on("error", () => {})
      .destroy();
  };
}
