/** What a run did last, from its files. */
import type { AgentEvent } from "../../agent/events.ts";
import { lastEvents } from "../../agent/store/reader.ts";

const RECENT = 300;

/** None of a run that has written nothing yet. */
export async function recentEvents(path: string, count = RECENT): Promise<AgentEvent[]> {
  try {
    return await lastEvents(path, count);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw thrown;
  }
}

/** How many calls are held, as far as these events tell. Other tools hold one at a time and give it no number. */
export function heldIn(events: readonly AgentEvent[]): number {
  const held = new Set<unknown>();
  for (const { type, data } of events) {
    const { stop, stopId } = data as { stop?: { id?: unknown }; stopId?: unknown };
    if (type === "paused") held.add(stop?.id);
    else if (type === "resumed") held.delete(stopId);
    else if (type === "session_end") held.clear();
  }
  return held.size;
}

/** How often the breakpoint was hit that led to this stop. */
export function hitsIn(events: readonly AgentEvent[], stopId: string): number | undefined {
  for (const { type, data } of events) {
    const { stop, breakpoint } = data as { stop?: { id?: unknown }; breakpoint?: { hits?: unknown } };
    if (type !== "breakpoint_hit" || stop?.id !== stopId) continue;
    return typeof breakpoint?.hits === "number" ? breakpoint.hits : undefined;
  }
  return undefined;
}
