/** The command's standard input, whole, to the daemon that asked for it. */
import { createReadStream } from "node:fs";
import type { Connection } from "../client/connection.ts";

const PIECE = 1024 * 1024;

export async function sendStdin(connection: Pick<Connection, "send">, id: number): Promise<void> {
  try {
    for await (const piece of createReadStream("", { fd: 0, highWaterMark: PIECE })) {
      connection.send({ id, stdin: (piece as Buffer).toString("base64"), more: true });
    }
  } catch {
    // A closed descriptor reads as an empty one.
  }
  connection.send({ id, stdin: "" });
}
