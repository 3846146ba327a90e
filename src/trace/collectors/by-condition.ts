/** What recording by the conditions of breakpoints cannot do, in any language. */
import type { Launch } from "../../session/launch.ts";
import type { Plan } from "../plan.ts";

export function unfitForConditions({ lines }: Plan, { opening }: Launch): string | undefined {
  if (lines !== undefined) return "it records at places, not whole functions";
  return opening.request === "attach" && opening.plan.pid === undefined
    ? "behind a port there may be another machine"
    : undefined;
}
