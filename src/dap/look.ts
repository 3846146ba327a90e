/** An extension of ours: what a stop shows, told with it by an adapter in the same process, and so not asked for. */
import type { DebugProtocol as DAP } from "@vscode/debugprotocol";

/** In `stopped`. */
export interface Look {
  /** From the top down to the outermost frame of the user's own. */
  stackFrames: DAP.StackFrame[];
  totalFrames: number;
  /** The top frame, and its scopes. Their variables follow in `sonde/variables`, but for the expensive ones. */
  frameId: number;
  scopes: DAP.Scope[];
}

export interface WithLook {
  look?: Look;
}

/** The event `sonde/variables`. */
export interface LookVariables {
  frameId: number;
  lists: { variablesReference: number; variables: DAP.Variable[] }[];
}
