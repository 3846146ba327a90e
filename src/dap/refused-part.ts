/** Fields of our own. One in an adapter's answer: which part of a breakpoint it cannot do, so that others need not read it from words. */

import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Told } from "../advice/advice.ts";

export type RefusedPart = "condition" | "hitCondition" | "logMessage";

/** And one in a stop: those of its breakpoints whose condition could not be told, by the adapter's numbers. */
export interface WithFailedConditions {
  failedConditions?: number[];
}

/** And another: its frames are not the first that the adapter has numbered since the program stands. */
export interface WithTakenFrames {
  framesTaken?: boolean;
}

/** One in the answer to `evaluate`: where a pointer points that is shown as what is there. */
export interface WithPointer {
  pointer?: string;
}

/** And a third, of a thread that stood before: it has run since, and so has come to where it stands. */
export interface WithRan {
  ran?: true;
}

/** One in `output`: the text as UTF-8, in its place. It is there only while the event is told. */
export interface WithBytes {
  bytes?: Buffer;
}

/** What a debugger's own message (`output` of category `important`) is about, for those who look for it. */
export type About = "missing-hits" | "failed-condition";

export interface WithAbout {
  about?: About;
}

export interface PartlyRefused extends DebugProtocol.Breakpoint {
  refusedPart?: RefusedPart;
  /** Its message, where there are calls in it. */
  told?: Told;
}

/** With the reason for its state. */
export function reasoned<One extends DebugProtocol.Breakpoint>(one: One, why: Told): One & PartlyRefused {
  return { ...one, message: String(why), ...(typeof why === "string" ? {} : { told: why }) };
}
