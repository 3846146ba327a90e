/** What the debug half needs from whoever composes it, and what it gives back. */

export interface DebuggerHost {
  emit(event: string, body: object): void;
  log(message: string): void;
}

export interface DebuggerOptions {
  stopOnEntry: boolean;
  /** Absolute path of the main script, when known. */
  program?: string;
  justMyCode?: boolean;
}

/** A refusal whose message is shown to the user. */
export class DapError extends Error {
  override readonly name = "DapError";
}

/** DAP command → response body. */
export type Handlers = Record<string, (args: unknown) => Promise<object | undefined>>;

export const THREAD_ID = 1;

/** The message of anything thrown. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
