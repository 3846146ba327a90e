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
  /** It may be bound later: its file is not loaded yet. */
  pending?: true;
  /** The part of it (a condition, a log message) that the adapter cannot do, if that is why it was refused. */
  refusedPart?: RefusedPart;
  /** …not however it is written: the adapter does not support that part at all. */
  lacking?: true;
  /** The number of the breakpoint that the adapter keeps in its place. */
  overwrittenBy?: number;
}

export interface Breakpoint extends BreakpointSpec {
  id: number;
  enabled: boolean;
  /** How often its place had been reached at its last stop, in this launch; with a hit count, that is more than its stops. */
  hits: number;
  /** By debuggee: each counts its own hits, a forked child from none. */
  stops: Map<number, number>;
  bindings: Map<number, Binding>;
  /** Why its address means nothing any more; it is not sent until it is set again. */
  lost?: Told;
  /** Its place has a name, so it can be looked for again at the first stop of the next run. */
  renew?: boolean;
}

/** A stop at a breakpoint: which one, and how often it had been hit by then. */
export interface Hit {
  id: number;
  hit: number;
  at: string;
  /** Left out for those whose place is the stop's place. */
  kind?: "instruction" | "data";
}

/** How often a place has been reached when a breakpoint with this hit count stops for the nth time. Adapters agree on the signs. */
export function reached(hitCondition: string | undefined, stops: number): number {
  const [, sign = "==", digits] = /^\s*(==|>=|>|%)?\s*(\d+)\s*$/.exec(hitCondition ?? "") ?? [];
  if (digits === undefined) return stops;
  const count = Number(digits);
  if (sign === "%") return count * stops;
  return (sign === ">" ? count + 1 : count) + stops - 1;
}

/** Counts a stop of that debuggee. Which hit it is: with a hit count the debuggee's own, as its debugger counts them. */
export function hitIn(breakpoint: Breakpoint, { id }: { id: number }): number {
  const { hitCondition, stops } = breakpoint;
  stops.set(id, (stops.get(id) ?? 0) + 1);
  const all = [...stops.values()].map((count) => reached(hitCondition, count));
  breakpoint.hits = all.reduce((sum, one) => sum + one, 0);
  return hitCondition === undefined ? breakpoint.hits : reached(hitCondition, stops.get(id) ?? 0);
}

/** The best answer of any debuggee: bound in one of them is bound. */
export function binding(breakpoint: Breakpoint): Binding | undefined {
  if (breakpoint.lost !== undefined) return { verified: false, message: breakpoint.lost };
  const all = [...breakpoint.bindings.values()];
  return all.find((one) => one.verified) ?? all[0];
}

/** A breakpoint that is not bound, as answers name it. */
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

/** An address belongs to one debuggee; other places are looked for in all of them. */
export function isIn(breakpoint: BreakpointSpec, debuggee: { id: number }): boolean {
  return breakpoint.only === undefined || breakpoint.only === debuggee.id;
}

/** What users call it. */
export function called(breakpoint: Pick<Breakpoint, "id" | "kind">): string {
  return `${breakpoint.kind === "data" ? "watch" : "breakpoint"} ${breakpoint.id}`;
}
