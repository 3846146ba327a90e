/**
 * Targets that were offered to the client and wait for its second session, which is served by another adapter object in the
 * same process. Nobody waits here for ever: after a while the target is let go.
 */
import { randomUUID } from "node:crypto";
import type { Arrival } from "./arrival.ts";

const PATIENCE_MS = 10_000;

const waiting = new Map<string, { arrival: Arrival; timer: NodeJS.Timeout }>();

/** Returns the token under which it can be taken. */
export function admit(arrival: Arrival, onExpired: () => void): string {
  const token = randomUUID();
  const expire = () => {
    if (waiting.delete(token)) onExpired();
  };
  waiting.set(token, { arrival, timer: setTimeout(expire, PATIENCE_MS) });
  return token;
}

export function take(token: string): Arrival | undefined {
  const entry = waiting.get(token);
  if (entry === undefined) return undefined;
  clearTimeout(entry.timer);
  waiting.delete(token);
  return entry.arrival;
}
