/** A session's events for somebody on a socket: from the file, so that a slow reader costs no memory and misses nothing. */
import { once } from "node:events";
import type { Socket } from "node:net";
import { followLines } from "../store/follow.ts";
import { offsetBefore } from "../store/seek.ts";
import { parseEvent } from "../store/tail.ts";

/** The part of an EventLog that is needed. */
export interface EventSource {
  readonly folder: { readonly events: string };
  readonly seq: number;
  flush(): void;
}

export interface Subscription {
  /** Events with a higher number come. */
  readonly since: number;
  begin(): void;
  end(): void;
}

/** `since`: from now on, if left out. */
export function subscribe(source: EventSource, socket: Socket, since: number = source.seq): Subscription {
  const stop = new AbortController();
  return {
    since,
    begin: () => {
      source.flush();
      // Only a file that cannot be read ends it before its time; the reader is told by the end of the connection.
      send(source.folder.events, socket, since, stop.signal).catch(() => socket.destroy());
    },
    end: () => stop.abort(),
  };
}

async function send(path: string, socket: Socket, since: number, signal: AbortSignal): Promise<void> {
  const from = offsetBefore(path, since);
  let isPast = false;
  for await (const lines of followLines(path, { from, signal, persistent: false })) {
    const wanted = lines.filter((line) => {
      isPast ||= (parseEvent(line)?.seq ?? 0) > since;
      return isPast && line !== "";
    });
    if (wanted.length === 0 || !socket.writable) continue;
    if (!socket.write(`${wanted.join("\n")}\n`)) await drained(socket, signal);
  }
}

async function drained(socket: Socket, signal: AbortSignal): Promise<void> {
  try {
    await once(socket, "drain", { signal });
  } catch {
    // The reader has gone: the loop sees that too.
  }
}
