/** What a command may reach when it runs. Implemented by the engine. */
import type { Session } from "../session/session.ts";
import type { Limits } from "../session/snapshot.ts";
import type { AdapterRow } from "./adapter-row.ts";

export interface OpenRequest {
  /** The program file as typed, or nothing when `command` is given. */
  program?: string;
  args: string[];
  command?: string[];
  adapter?: string;
  name?: string;
  cwd?: string;
  env: Record<string, string>;
  stopOnEntry: boolean;
  extra: Record<string, unknown>;
}

export interface AttachRequest {
  pid?: number;
  host?: string;
  port?: number;
  adapter?: string;
  name?: string;
  extra: Record<string, unknown>;
}

export interface Waits {
  /** How long start, continue and steps wait for a stop. */
  stopMs: number;
  awaitMs: number;
}

export interface Context {
  /** The caller's folder and environment. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Fires when the caller goes away. */
  readonly signal: AbortSignal;
  readonly limits: Limits;
  readonly waits: Waits;
  /** The session the caller means. Throws NO_SESSION for a command that needs nothing and got none. */
  readonly session: Session;
  readonly sessions: readonly Session[];
  readonly daemon: { pid: number; version: string; build: string; startedAt: number };
  /** A registered session that has not been opened yet, so that breakpoints can be declared first. */
  prepareLaunch(request: OpenRequest): Promise<Session>;
  prepareAttach(request: AttachRequest): Promise<Session>;
  /** Opens it; a failure takes it off the table and throws. */
  open(session: Session): Promise<void>;
  /** Ends it and takes it off the table. */
  end(session: Session, options?: { detach?: boolean }): Promise<void>;
  adapters(): Promise<AdapterRow[]>;
  /** Text to the caller now, before the answer. */
  chunk(text: string): void;
  /** The caller's standard input, whole. */
  stdin(): Promise<Buffer>;
}
