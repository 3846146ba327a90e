/** The state of one debuggee, and how events change it. Pure. */

/** Why and where a debuggee stopped, in DAP's words. `epoch` counts this debuggee's stops. */
export interface Stop {
  epoch: number;
  reason: string;
  description?: string;
  text?: string;
  threadId?: number;
  allThreadsStopped: boolean;
  /** The adapter's own ids. */
  hitBreakpointIds: number[];
  /** Ours, with the count at this stop. */
  hits: { id: number; hit: number; at: string }[];
  /** Of the adapter's ids, those whose condition could not be evaluated: they stop to say so. */
  failedConditions?: number[];
  /** The adapter had already numbered other frames since the program stopped: see `WithTakenFrames`. */
  framesTaken?: boolean;
}

/** How a debuggee ended. */
export interface Ending {
  how: "exited" | "terminated" | "detached" | "failed";
  exitCode?: number;
  signal?: string;
  /** The adapter's own words when it failed. */
  why?: string;
}

export type State =
  | { name: "initializing" }
  | { name: "configuring" }
  | { name: "running" }
  | { name: "stopped"; stop: Stop }
  | { name: "terminated"; ending: Ending };

export type Transition =
  | { on: "initialized" }
  | { on: "configured" }
  | { on: "resumed" }
  | { on: "stopped"; stop: Stop }
  | { on: "ended"; ending: Ending };

/** The next state. What makes no sense in a state is ignored: adapters repeat and reorder events. */
export function advance(state: State, transition: Transition): State {
  if (state.name === "terminated") return state;
  switch (transition.on) {
    case "initialized":
      return state.name === "initializing" ? { name: "configuring" } : state;
    case "configured":
      // A stop may overtake the response to configurationDone; it wins.
      return state.name === "stopped" ? state : { name: "running" };
    case "resumed":
      return { name: "running" };
    case "stopped":
      return { name: "stopped", stop: transition.stop };
    case "ended":
      return { name: "terminated", ending: transition.ending };
  }
}
