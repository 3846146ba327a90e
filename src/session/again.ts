/** How a program comes to run anew: one that was attached to is not ours to start. */
import type { Opening } from "../adapters/adapter.ts";
import { type Advice, advice, blank, call } from "../advice/advice.ts";

/** `what` follows the restart of a program that we started. */
export function again({ opening }: { opening: Opening }, what: string): Advice {
  return opening.request === "attach"
    ? advice`start the program again, then ${call("attach", { pid: blank("pid") })}`
    : advice`${call("restart")} ${what}`;
}
