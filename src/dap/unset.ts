/** A variable whose declaration has not run yet, as a field of ours that adapters add: it has a place, and no value of its own. */
import type { DebugProtocol } from "@vscode/debugprotocol";

interface Declared extends DebugProtocol.Variable {
  unset?: true;
}

export function asUnset(variable: DebugProtocol.Variable): DebugProtocol.Variable {
  return { ...variable, unset: true } as Declared;
}

export function isUnset(variable: DebugProtocol.Variable): boolean {
  return (variable as Declared).unset === true;
}
