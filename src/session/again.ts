/** Advice on how to run a program again: one that was attached to is not ours to start. */
import type { Opening } from "../adapters/adapter.ts";
import { type Advice, advice, blank, call } from "../advice/advice.ts";

/** `what` is the rest of the sentence that begins with the restart command. */
export function again({ opening }: { opening: Opening }, what: string): Advice {
  return opening.request === "attach"
    ? advice`start the program again, then ${call("attach", { pid: blank("pid") })}`
    : advice`${call("restart")} ${what}`;
}
