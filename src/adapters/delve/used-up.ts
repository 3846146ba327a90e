/** dlv switches a breakpoint off when its hit count cannot come again, and refuses it from then on; it has a place all the same. */
import type { DebugProtocol } from "@vscode/debugprotocol";

type Bound = DebugProtocol.Breakpoint;

/** What it says of one that it has no place for, too. */
const REFUSED = /^unable to set breakpoint$/;

export function isUsedUp(answer: Bound | undefined): boolean {
  return answer?.verified === false && REFUSED.test(answer.message ?? "") && answer.source !== undefined;
}

/** It is where it was, and stops nobody. */
export function kept(answer: Bound): Bound {
  if (!isUsedUp(answer)) return answer;
  const { message: _, ...place } = answer;
  return { ...place, verified: true };
}
