/** What carries commands out: an engine in this process, or the daemon. The rest of the library does not know which. */
import type { Session as EngineSession } from "../session/session.ts";

export interface BackendCall {
  cwd: string;
  env: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Text that comes before the answer. */
  onText?: ((text: string) => void) | undefined;
}

export interface Backend {
  /** The data of the answer, as with `--json`; a refusal is thrown as a SondeError. */
  call(command: string, args: Record<string, unknown>, options: BackendCall): Promise<unknown>;
  /** Whether its sessions are in this process, so that they can tell of events. */
  readonly isHere: boolean;
  /** The session itself, if it is in this process and there. */
  session(name: string): EngineSession | undefined;
  /** Gives up every call in flight; later ones are taken. */
  interrupt(): void;
  /** No call is taken after this. */
  close(): Promise<void>;
}
