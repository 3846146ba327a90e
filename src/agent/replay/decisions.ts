/** What was decided by hand about the tool calls of a recorded run: a replay must not run what was stopped then. */
import type { DecidedBefore } from "../core/bridge.ts";
import type { Stored } from "../events.ts";
import { Blobs } from "../store/blobs.ts";
import type { SessionFolder } from "../store/layout.ts";
import { readEvents } from "../store/reader.ts";

export async function decisionsIn({
  events,
  blobs,
}: Pick<SessionFolder, "events" | "blobs">): Promise<Map<string, DecidedBefore>> {
  const decided = new Map<string, DecidedBefore>();
  const texts = new Blobs(blobs);
  for await (const batch of readEvents(events))
    for (const { type, data } of batch) {
      if (typeof data.toolId !== "string") continue;
      if (type === "tool_call_cancel") decided.set(data.toolId, { cancelled: String(data.reason ?? "") });
      if (type === "tool_call_edit") decided.set(data.toolId, edited(texts.text(data.after as Stored)));
    }
  return decided;
}

/** Secrets are not kept, so what held one cannot be run again. */
const MASKED = /\[masked:/;

function edited(text: string): DecidedBefore {
  if (MASKED.test(text))
    return { cancelled: "the edited input held a secret, which the recording does not have" };
  return { input: JSON.parse(text) as unknown };
}
