/** An adapter's answers and events about breakpoints, taken into the store's words. */

import type { DebugProtocol } from "@vscode/debugprotocol";
import { advice, type Told } from "../../advice/advice.ts";
import type { PartlyRefused, RefusedPart } from "../../dap/refused-part.ts";
import type { Debuggee } from "../debuggee.ts";
import { type Binding, type Breakpoint, called } from "./breakpoint.ts";

/** Answers come in the order in which breakpoints were sent. */
export function record(debuggee: Debuggee, mine: Breakpoint[], answers: readonly PartlyRefused[]): void {
  mine.forEach((breakpoint, index) => {
    const answer = answers[index];
    breakpoint.bindings.set(
      debuggee.id,
      answer ? toBinding(answer) : { verified: false, message: "the adapter sent no result for it" },
    );
  });
  for (const [index, one] of mine.entries()) {
    const by = mine.slice(index + 1).findLast((later) => takesPlaceOf(later, one, debuggee));
    if (by) one.bindings.set(debuggee.id, overwritten(by));
  }
}

/** If an adapter gives two breakpoints the same number, it keeps only the last of them. */
function takesPlaceOf(later: Breakpoint, one: Breakpoint, { id }: Debuggee): boolean {
  const number = one.bindings.get(id)?.adapterId;
  if (one.hidden || later.hidden || number === undefined || later.bindings.get(id)?.adapterId !== number)
    return false;
  return (["condition", "hitCondition", "logMessage"] as const).some((key) => one[key] !== later[key]);
}

function overwritten(by: Breakpoint): Binding {
  const message = `${called(by)} is at the same place, and the debugger keeps only one per place; combine both in one condition`;
  return { verified: false, message, overwrittenBy: by.id };
}

function toBinding(answer: PartlyRefused): Binding {
  return {
    verified: answer.verified === true,
    ...(answer.id === undefined ? {} : { adapterId: answer.id }),
    ...(answer.line === undefined ? {} : { line: answer.line }),
    ...(answer.source?.path === undefined ? {} : { path: answer.source.path }),
    ...(answer.message === undefined ? {} : { message: answer.told ?? answer.message }),
    ...(answer.reason === "pending" ? { pending: true as const } : {}),
    ...(answer.refusedPart === undefined ? {} : { refusedPart: answer.refusedPart }),
  };
}

/** A `breakpoint` event: bound late, moved, or lost. Gives what is worth telling. */
export function rebind(
  debuggee: Debuggee,
  all: readonly Breakpoint[],
  body: DebugProtocol.BreakpointEvent["body"],
): { text: Told; of: Breakpoint } | undefined {
  const { id } = body.breakpoint;
  const named = all.filter((one) => one.bindings.get(debuggee.id)?.adapterId === id);
  // lldb-dap numbers its watchpoints from 1 as well, and sends no events about them.
  const breakpoint = named.find((one) => one.kind !== "data") ?? named[0];
  const before = breakpoint?.bindings.get(debuggee.id);
  if (id === undefined || !breakpoint || !before) return undefined;
  const after: Binding =
    body.reason === "removed"
      ? { verified: false, message: "the adapter removed it" }
      : { ...placeOf(before), ...toBinding(body.breakpoint) };
  breakpoint.bindings.set(debuggee.id, after);
  const text = change(breakpoint, before, after);
  return text === undefined ? undefined : { text, of: breakpoint };
}

/** An event may leave out what the answer said. */
function placeOf({ path, line }: Binding): Pick<Binding, "path" | "line"> {
  return { ...(path === undefined ? {} : { path }), ...(line === undefined ? {} : { line }) };
}

function change(breakpoint: Breakpoint, before: Binding, after: Binding): Told | undefined {
  if (before.verified && !after.verified)
    return advice`${called(breakpoint)} is no longer bound${after.message ? advice`: ${after.message}` : ""}`;
  const from = before.line ?? breakpoint.line;
  if (breakpoint.kind !== "line" || after.line === undefined || after.line === from) return undefined;
  const what = after.message ? advice`: ${after.message}` : ` moved from line ${from} to ${after.line}`;
  return advice`${called(breakpoint)}${what}`;
}

/** Those this adapter can do. The others are not sent, since an adapter ignores what it does not know, and are told as not bound. */
export function takeable(debuggee: Debuggee, wanted: readonly Breakpoint[]): Breakpoint[] {
  return wanted.filter((one) => {
    const missing = missingFor(one, debuggee.capabilities);
    if (missing) {
      const { what, refusedPart } = missing;
      const message = `this adapter does not support ${what}`;
      one.bindings.set(debuggee.id, {
        verified: false,
        message,
        lacking: true,
        ...(refusedPart ? { refusedPart } : {}),
      });
    }
    return missing === undefined;
  });
}

function missingFor(
  one: Breakpoint,
  can: DebugProtocol.Capabilities,
): { what: string; refusedPart?: RefusedPart } | undefined {
  if (one.kind === "function" && !can.supportsFunctionBreakpoints) return { what: "function breakpoints" };
  if (one.kind === "instruction" && !can.supportsInstructionBreakpoints)
    return { what: "instruction breakpoints" };
  if (one.kind === "data" && !can.supportsDataBreakpoints) return { what: "data breakpoints" };
  if (one.condition !== undefined && !can.supportsConditionalBreakpoints)
    return { what: "conditional breakpoints", refusedPart: "condition" };
  if (one.hitCondition !== undefined && !can.supportsHitConditionalBreakpoints)
    return { what: "hit counts on breakpoints", refusedPart: "hitCondition" };
  if (one.logMessage !== undefined && !can.supportsLogPoints)
    return { what: "log messages on breakpoints", refusedPart: "logMessage" };
  return undefined;
}
