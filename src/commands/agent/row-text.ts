/** A run in a list. Pure. */
import type { SessionRow } from "../../agent/store/sessions.ts";
import { oneLine } from "../../util/text.ts";

/** What is run, in its own words. */
export function whatRuns({ client, argv, name }: Pick<SessionRow, "client" | "argv" | "name">): string {
  const words = argv?.join(" ");
  return oneLine([name, words ?? client ?? "agent"].filter(Boolean).join(": ")).slice(0, 120);
}
