/** A run in a list. Pure. */
import type { SessionRow } from "../../agent/store/sessions.ts";
import { oneLine } from "../../util/text.ts";

/** How a run that is over has ended. */
export function ending({ ended, exit, signal }: Pick<SessionRow, "ended" | "exit" | "signal">): string {
  if (signal !== undefined) return `ended by ${oneLine(signal)}`;
  if (typeof exit === "number") return `exited with ${exit}`;
  return ended === "died" ? "its process died" : "it ended";
}

/** What is run, in its own words. */
export function whatRuns({ client, argv, name }: Pick<SessionRow, "client" | "argv" | "name">): string {
  const words = argv?.join(" ");
  return oneLine([name, words ?? client ?? "agent"].filter(Boolean).join(": ")).slice(0, 120);
}
