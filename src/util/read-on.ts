/**
 * A program that runs on without us goes on printing: a process of its own reads that from here on, as long as there is anybody who
 * writes. We may end before the program does, and it would die of writing to nobody.
 */
import { spawn } from "node:child_process";
import type { Readable } from "node:stream";

/** The stream is over for us; where no such process can be had, it stays and is read on. */
export function readOn(stream: Readable | null): void {
  const descriptor = (stream as { _handle?: { fd?: unknown } } | null)?._handle?.fd;
  if (stream === null || typeof descriptor !== "number" || descriptor < 0) return;
  const reader = spawn("cat", [], { stdio: [descriptor, "ignore", "ignore"], detached: true, cwd: "/" });
  reader.on("error", () => {}); // told by the missing pid
  reader.unref();
  // At once: it is the reader's now, who waits in every read.
  if (reader.pid !== undefined) stream.destroy();
}
