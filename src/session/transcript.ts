/** The last protocol messages of a session, kept as they were for `sonde logs --protocol`. */
import type { WithBytes } from "../dap/refused-part.ts";

const KEPT = 400;
/** Longer ones are cut when they are read: big values pass through here by reference. */
const LONGEST = 4000;

export interface TranscriptEntry {
  at: number;
  direction: "in" | "out";
  message: object;
}

export class Transcript {
  #entries: TranscriptEntry[] = [];

  add(direction: "in" | "out", message: object): void {
    this.#entries.push({ at: Date.now(), direction, message: withoutOutput(message) });
    if (this.#entries.length > KEPT * 2) this.#entries = this.#entries.slice(-KEPT);
  }

  lines(): string[] {
    return this.#entries.slice(-KEPT).map(({ at, direction, message }) => {
      const text = JSON.stringify(message);
      const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
      return `${new Date(at).toISOString()} ${direction === "in" ? "<-" : "->"} ${shown}`;
    });
  }
}

/** A noisy program's output is kept by session/output within its limits; here a reference to it would keep it alive. */
function withoutOutput(message: object): object {
  const event = message as { event?: string; body?: { category?: string; output?: string } & WithBytes };
  const { bytes, ...body } = event.body ?? {};
  if (bytes) return { ...event, body: { ...body, output: `… (${bytes.length} bytes)` } };
  if (event.event !== "output" || (event.body?.output?.length ?? 0) < 200) return message;
  // Through bytes, because a slice of a string keeps the whole string.
  const start = Buffer.from(event.body?.output?.slice(0, 100) ?? "").toString();
  const output = `${start}… (${event.body?.output?.length} characters)`;
  return { ...event, body: { ...event.body, output } };
}
