/** Asking a session for something and waiting for its answer: over its socket, or by its commands.jsonl where it has none. */
import { randomUUID } from "node:crypto";
import { SondeError } from "../../errors.ts";
import { isSameProcess } from "../../util/process-facts.ts";
import type { AgentCommand, CommandAnswer } from "../core/commands.ts";
import type { SessionRow } from "../store/listing.ts";
import { askByFile } from "./ask-by-file.ts";
import { askBySocket, type SocketOutcome } from "./ask-by-socket.ts";

export interface AskOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** setTimeout fires at once for anything longer. */
const LONGEST_TIMER = 2 ** 31 - 1;

export async function askAgent(
  session: SessionRow,
  type: string,
  data: Record<string, unknown> = {},
  { signal, timeoutMs = DEFAULT_TIMEOUT_MS }: AskOptions = {},
): Promise<CommandAnswer> {
  if (hasEnded(session)) throw endedError(session);
  const stop = new AbortController();
  const end = () => stop.abort();
  const timer = setTimeout(end, Math.min(timeoutMs, LONGEST_TIMER));
  signal?.addEventListener("abort", end);
  if (signal?.aborted) end();
  const id = `sonde-${randomUUID().slice(0, 13)}`;
  try {
    const answer = await ask(session, { type, id, data, timestamp: new Date().toISOString() }, stop.signal);
    if (answer !== undefined) return answer;
    if (signal?.aborted)
      throw new SondeError("CANCELLED", `${type}: cancelled before ${session.id} answered`);
    throw hasEnded(session) || !stop.signal.aborted
      ? endedError(session)
      : unanswered(session, type, timeoutMs);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** Undefined when it was stopped first. */
async function ask(
  session: SessionRow,
  command: AgentCommand,
  signal: AbortSignal,
): Promise<CommandAnswer | undefined> {
  const { socket } = session;
  if (socket === undefined) return askByFile(session, command, signal);
  const outcome: SocketOutcome = await askBySocket(socket, command, signal);
  switch (outcome.kind) {
    case "answer":
      return outcome.answer;
    case "stopped":
      return undefined;
    case "unreachable":
      // It may have ended just now, and taken its socket along.
      if (hasEnded(session)) throw endedError(session);
      return askByFile(session, command, signal);
    case "closed":
      // It may have been done: asking again by the file could do it twice.
      if (hasEnded(session)) throw endedError(session);
      throw new SondeError(
        "REQUEST_FAILED",
        `${session.id} closed the connection before it answered ${command.type}`,
        { hint: "its events show whether the command was executed" },
      );
  }
}

/** What is not known to have ended is asked: some tools do not say which process they are. */
function hasEnded({ ended, pid, processStart, foreign }: SessionRow): boolean {
  if (foreign && pid === 0) return ended === "clean";
  return ended !== undefined || !isSameProcess(pid, processStart);
}

function endedError({ id, endTime }: SessionRow): SondeError {
  return new SondeError("SESSION_ENDED", `agent session ${id} has ended${endTime ? ` (${endTime})` : ""}`, {
    hint: "its recording can still be read and replayed",
  });
}

function unanswered(session: SessionRow, type: string, timeoutMs: number): SondeError {
  const seconds = `${Math.round(timeoutMs / 100) / 10} s`;
  const what =
    session.socket === undefined
      ? `${type} was written to ${session.folder.commands}, but ${session.id} has not answered within ${seconds}`
      : `${type} was sent to ${session.id}, which has not answered within ${seconds}`;
  return new SondeError("TIMEOUT", what, {
    hint: `its process (pid ${session.pid}) is alive: it may be busy, or not be watching for commands`,
  });
}
