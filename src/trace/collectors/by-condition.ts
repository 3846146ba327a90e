/** What recording by the conditions of breakpoints cannot do, in any language. */
import type { Launch } from "../../session/launch.ts";
import type { Plan } from "../plan.ts";

export function unfitForConditions({ lines }: Plan, { opening }: Launch): string | undefined {
  if (lines !== undefined) return "it records at lines, not whole functions";
  return opening.request === "attach" && opening.plan.pid === undefined
    ? "the program may be on another machine, behind a port"
    : undefined;
}
