/**
 * Answers for a client without a JSON parser: a line of a word and byte counts, then the bytes.
 * `accepted` · `chunk <n>` · `stdin` · `exit <status> <n> <m>`: n bytes for standard output, m for standard error.
 * Anything else, which such a client leaves to the Node one, stays JSON.
 */
import type { DaemonMessage } from "../client/wire.ts";

export function plainFrame(message: DaemonMessage): string | undefined {
  if ("accepted" in message) return "accepted\n";
  if ("need" in message) return `${message.need}\n`;
  if ("chunk" in message) return `chunk ${bytes(message.chunk)}\n${message.chunk}`;
  if (!("exit" in message)) return undefined;
  const { exit, text, stderr = "" } = message;
  return `exit ${exit} ${bytes(text)} ${bytes(stderr)}\n${text}${stderr}`;
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}
