/** What a tool is: a list of actions, each with its own arguments and the sonde commands it stands for. */

import type { ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import type { CallResult } from "../client/client.ts";
import type { Arguments, Name, Takes } from "./arguments.ts";
import type { Stands } from "./stands.ts";

/** One call of a tool, as its action sees it. */
export interface Call {
  /** Runs a sonde command for this caller. */
  ask(command: string, args?: Record<string, unknown>): Promise<CallResult>;
  /** What paths are relative to. */
  cwd: string;
  /** How long the caller is ready to wait. */
  seconds: number;
  /** Undefined unless the caller said how long. */
  asked: number | undefined;
  /** Somebody looks at what is going on. */
  watched: boolean;
}

export interface Action extends Takes {
  name: string;
  /** The commands that are this action, said in its arguments; the reverse of `run`, for advice that names commands. */
  stands?: readonly Stands[];
  /** The command itself waits up to `timeout`; otherwise the time is ours to keep. */
  waits?: boolean;
  run(call: Call, args: Arguments): Promise<CallResult>;
}

export interface Tool {
  name: string;
  /** The argument that says which of the actions. */
  by: "action" | "mode";
  /** Which, when nothing is said. */
  usual?: string;
  description: string;
  annotations: ToolAnnotations;
  /** Names of which it says that there may be more than one. */
  several?: readonly Name[];
  actions: readonly Action[];
}

/** Of a tool that runs programs: whatever they do, it may be what it does. */
export const RUNS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};
export const LOOKS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Of commands that wait for a stop. */
export function waiting(
  { seconds }: Call,
  { breakpoints, expressions, no_wait }: Arguments,
): Record<string, unknown> {
  return { timeout: seconds, noWait: no_wait, break: breakpoints, eval: expressions };
}

/** Those that `waiting` reads. */
export const WAITING = ["breakpoints", "expressions", "no_wait", "session", "cwd", "timeout"] as const;
/** Of every action that is about a session. */
export const SESSION = ["session", "cwd", "timeout"] as const;
