/** How a run ended, in the one wording that every answer has. Pure. */
import { oneLine } from "../../util/text.ts";

export interface RunEnd {
  exit?: number | null | undefined;
  signal?: string | undefined;
  ended?: "clean" | "died" | undefined;
}

/** `exited with 0` */
export function endText({ exit, signal, ended }: RunEnd): string {
  if (signal !== undefined) return `ended by ${oneLine(signal)}`;
  if (typeof exit === "number") return `exited with ${exit}`;
  return ended === "died" ? "its process died" : "it ended";
}
