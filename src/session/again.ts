/** How a program comes to run anew: one that was attached to is not ours to start. */
import type { Opening } from "../adapters/adapter.ts";

/** `what` follows "`sonde restart` …", for a program that we started. */
export function again({ opening }: { opening: Opening }, what: string): string {
  return opening.request === "attach"
    ? "start the program again, then `sonde attach <pid>`"
    : `\`sonde restart\` ${what}`;
}
