/** A field of our own in an adapter's answer: which part of a breakpoint it cannot do, so that others need not read it from words. */
import type { DebugProtocol } from "@vscode/debugprotocol";

export type RefusedPart = "condition" | "hitCondition" | "logMessage";

export interface PartlyRefused extends DebugProtocol.Breakpoint {
  refusedPart?: RefusedPart;
}
