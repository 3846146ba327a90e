/** A breakpoint that was just set may stay only if no earlier one is lost by it. */
import { advice, type Call, call, type Told } from "../../advice/advice.ts";
import type { RefusedPart } from "../../dap/refused-part.ts";
import { SondeError } from "../../errors.ts";
import { type Breakpoint, type BreakpointSpec, binding, called } from "./breakpoint.ts";

/** The breakpoints that a new one at the same place replaces. */
export function atSamePlace(all: readonly Breakpoint[], spec: BreakpointSpec): Breakpoint[] {
  return all.filter((one) => one.kind === spec.kind && !one.hidden && isAt(one, spec));
}

function isAt(one: Breakpoint, spec: BreakpointSpec): boolean {
  switch (spec.kind) {
    case "line":
      return (
        one.path === spec.path &&
        (one.line === spec.line || binding(one)?.line === spec.line) &&
        (spec.column === undefined || one.column === spec.column)
      );
    case "function":
      return one.name === spec.name;
    case "instruction":
      return one.lost === undefined && one.reference === spec.reference && one.only === spec.only;
    case "data":
      return false;
  }
}

/** @param replaced The breakpoints that it is to replace. */
export function refuseLoss(
  added: Breakpoint,
  all: readonly Breakpoint[],
  replaced: readonly Breakpoint[],
): void {
  const [old] = replaced;
  const bound = binding(added);
  // Without a message it may still be bound later; an address is bound at once or never.
  const why = bound?.message ?? (added.kind === "instruction" ? "the adapter could not set it" : undefined);
  if (old && bound && !bound.verified && !bound.pending && why !== undefined)
    throw new SondeError("REQUEST_FAILED", advice`${added.asked}: ${why}`, {
      hint: `${called(old)} is unchanged`,
    });
  const lost = all.find((one) => isOverwritten(one, [added]));
  if (lost)
    throw new SondeError(
      "UNSUPPORTED",
      `${called(lost)} is already at ${added.asked}, and the debugger keeps only one per place`,
      { hint: advice`${replacing(added)} replaces it; or combine both in one condition` },
    );
}

const PARTS: Readonly<Record<RefusedPart, Told>> = {
  condition: "give an expression that is true when it should stop, such as `i > 3`",
  hitCondition: "give a number, such as `3`",
  logMessage: "put expressions in braces, such as `i is {i}`",
};

/** One that is asked for in words that mean nothing would never stop, and the program would run to its end. */
export function refuseNonsense(which: readonly Breakpoint[]): void {
  for (const one of which) {
    const { verified = true, refusedPart, message, lacking } = binding(one) ?? {};
    // What is watched is refused in words of its own.
    if (verified || refusedPart === undefined || one.kind === "data") continue;
    const place = `${one.asked}${one.condition === undefined ? "" : ` if ${one.condition}`}`;
    throw new SondeError(
      lacking ? "UNSUPPORTED" : "BAD_ARGUMENT",
      advice`${place}: ${message ?? "not understood"}`,
      lacking ? { hint: "leave it out to stop every time" } : { hint: PARTS[refusedPart] },
    );
  }
}

/** The debugger keeps one of these in its place. */
export function isOverwritten(one: Breakpoint, by: readonly Breakpoint[]): boolean {
  return [...one.bindings.values()].some(({ overwrittenBy }) => by.some(({ id }) => id === overwrittenBy));
}

function replacing({ kind, asked, condition, hitCondition, logMessage, once }: Breakpoint): Call {
  return call("breakpoint add", {
    ...(kind === "function"
      ? { function: asked }
      : kind === "instruction"
        ? { address: asked }
        : { location: asked }),
    condition,
    hitCount: hitCondition,
    log: logMessage,
    once,
    replace: true,
  });
}
