/** One thing to stop at: what the user asked for, and what the adapters say of it. */

import type { Told } from "../../advice/advice.ts";
import type { RefusedPart } from "../../dap/refused-part.ts";

/** Which use of a watched place stops the program, in DAP's words. */
export type Access = "write" | "read" | "readWrite";

/** The frame whose variable is watched, so that it can be found again at later stops. */
export interface FrameMark {
  threadId: number;
  name: string;
  path?: string;
  /** Counted from the bottom of the stack, where that could be read. */
  depth?: number;
}

/** What a data breakpoint watches. */
export interface Watched {
  dataId: string;
  access: Access;
  /** The adapter promises that `dataId` means the same in the next launch. */
  lasts: boolean;
  /** Set for a variable of a frame: it is gone when the frame is. */
  frame?: FrameMark;
  /** As last seen, whole. */
  value?: string;
}

export interface BreakpointSpec {
  kind: "line" | "function" | "instruction" | "data";
  /** As the user wrote it; keys in answers stay that way. For a data breakpoint the expression. */
  asked: string;
  path?: string;
  line?: number;
  column?: number;
  name?: string;
  /** An instruction's address. */
  reference?: string;
  watched?: Watched;
  /** Addresses mean something in one debuggee only. */
  only?: number;
  condition?: string;
  hitCondition?: string;
  logMessage?: string;
  once?: boolean;
  /** Ours, not the user's (`until`): it has no number and is in no list. */
  hidden?: boolean;
}

/** What one adapter says about a breakpoint. */
export interface Binding {
  adapterId?: number;
  verified: boolean;
  path?: string;
  line?: number;
  message?: Told;
  /** It may hold later: its file is not loaded yet. */
  pending?: true;
  /** What of it the adapter cannot do, where that is the reason. */
  refusedPart?: RefusedPart;
  /** …with any words: the adapter has no such thing. */
  lacking?: true;
  /** The number of the breakpoint that the adapter keeps in its place. */
  overwrittenBy?: number;
}

export interface Breakpoint extends BreakpointSpec {
  id: number;
  enabled: boolean;
  /** How often it was reached by its last stop, in this launch: with a hit count, more often than it stopped. */
  hits: number;
  stops: number;
  bindings: Map<number, Binding>;
  /** Why its address means nothing any more; it is not sent until it is set again. */
  lost?: Told;
  /** Its place has a name, so it can be looked for again at the first stop of the next run. */
  renew?: boolean;
}

/** A stop at a breakpoint: which, and the how manyeth. */
export interface Hit {
  id: number;
  hit: number;
  at: string;
  /** Left out for those whose place is the stop's place. */
  kind?: "instruction" | "data";
}

/** How often a place with this hit count was reached when it stops for the nth time. Adapters agree on what the signs mean. */
export function reached(hitCondition: string | undefined, stops: number): number {
  const [, sign = "==", digits] = /^\s*(==|>=|>|%)?\s*(\d+)\s*$/.exec(hitCondition ?? "") ?? [];
  if (digits === undefined) return stops;
  const count = Number(digits);
  if (sign === "%") return count * stops;
  return (sign === ">" ? count + 1 : count) + stops - 1;
}

/** The best that any debuggee says: one that holds anywhere holds. */
export function binding(breakpoint: Breakpoint): Binding | undefined {
  if (breakpoint.lost !== undefined) return { verified: false, message: breakpoint.lost };
  const all = [...breakpoint.bindings.values()];
  return all.find((one) => one.verified) ?? all[0];
}

/** One that does not hold, as answers name it. */
export interface NotBound {
  id: number;
  at: string;
  why: Told;
  kind?: "instruction" | "data";
}

export function notBound(breakpoint: Breakpoint): NotBound {
  const { id, asked, kind } = breakpoint;
  const why = binding(breakpoint)?.message ?? "the debugger gives no reason";
  return { id, at: asked, why, ...(kind === "data" || kind === "instruction" ? { kind } : {}) };
}

/** Addresses are one debuggee's; other places are looked for in all of them. */
export function isIn(breakpoint: BreakpointSpec, debuggee: { id: number }): boolean {
  return breakpoint.only === undefined || breakpoint.only === debuggee.id;
}

/** What users call it. */
export function called(breakpoint: Pick<Breakpoint, "id" | "kind">): string {
  return `${breakpoint.kind === "data" ? "watch" : "breakpoint"} ${breakpoint.id}`;
}
