/** One command over a session's socket. */
import { connect } from "node:net";
import { WholeLines } from "../../util/whole-lines.ts";
import type { AgentCommand, CommandAnswer } from "../core/commands.ts";
import { isObject } from "../store/record.ts";

export type SocketOutcome =
  | { kind: "answer"; answer: CommandAnswer }
  /** Nobody listens there: nothing was sent. */
  | { kind: "unreachable" }
  /** It was sent, and the connection ended without an answer. */
  | { kind: "closed" }
  /** By the caller's signal. */
  | { kind: "stopped" };

/** A whole request to a model may be in it. */
const LONGEST_ANSWER = 256 << 20;

export function askBySocket(
  path: string,
  command: AgentCommand,
  signal: AbortSignal,
): Promise<SocketOutcome> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ kind: "stopped" });
    const socket = connect(path);
    const lines = new WholeLines(0, LONGEST_ANSWER);
    let sent = false;
    const finish = (outcome: SocketOutcome) => {
      signal.removeEventListener("abort", stopped);
      socket.destroy();
      resolve(outcome);
    };
    const stopped = () => finish({ kind: "stopped" });
    signal.addEventListener("abort", stopped);
    socket.once("connect", () => {
      sent = true;
      socket.write(`${JSON.stringify(command)}\n`);
    });
    socket.on("data", (bytes: Buffer) => {
      for (const line of lines.push(bytes)) {
        const answer = answerIn(line, command.id);
        if (answer !== undefined) return finish({ kind: "answer", answer });
      }
    });
    socket.on("error", () => {}); // "close" follows
    socket.once("close", () => finish({ kind: sent ? "closed" : "unreachable" }));
  });
}

function answerIn(line: string, id: string): CommandAnswer | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isAnswer = isObject(value) && value.commandId === id && typeof value.ok === "boolean";
    return isAnswer ? (value as CommandAnswer) : undefined;
  } catch {
    return undefined; // not from one of ours
  }
}
