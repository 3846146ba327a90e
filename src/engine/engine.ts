/** Everything behind a request, with no socket in sight: the daemon serves one of these, the library may hold one in process. */
import type { ErrorShape } from "../errors.ts";
import { Guard } from "../session/guard.ts";
import type { Config } from "./config.ts";
import { dispatch } from "./dispatch.ts";
import { SessionIdle } from "./session-idle.ts";
import { SessionTable } from "./table.ts";

export interface RequestIo {
  signal: AbortSignal;
  chunk(text: string): void;
  stdin(): Promise<Buffer>;
}

export type EngineRequest =
  | { kind: "raw"; argv: string[]; cwd: string; env: Record<string, string>; columns?: number }
  | { kind: "typed"; command: string; args: Record<string, unknown>; cwd: string; env: Record<string, string> };

export type EngineReply =
  | { kind: "raw"; exit: number; text: string; stderr?: string }
  | { kind: "typed"; ok: true; data: unknown; text: string }
  | { kind: "typed"; ok: false; error: ErrorShape };

export interface EngineOptions {
  config: Config;
  log(level: "debug" | "info" | "warn" | "error", message: string): void;
  version?: string;
  build?: string;
}

export interface Engine {
  /** Never throws. */
  handle(request: EngineRequest, io: RequestIo): Promise<EngineReply>;
  /** Live sessions. */
  readonly sessions: number;
  onSessions(listener: () => void): void;
  /** Ends every session: what was launched is terminated, what was attached to is left running. */
  close(): Promise<void>;
}

/** What the parts of the engine share. */
export interface EngineState {
  readonly options: EngineOptions;
  readonly table: SessionTable;
  readonly guard: Guard;
  readonly idle: SessionIdle;
  readonly startedAt: number;
}

export function createEngine(options: EngineOptions): Engine {
  const listeners: (() => void)[] = [];
  const table = new SessionTable(() => {
    for (const listener of listeners) listener();
  });
  const state: EngineState = {
    options,
    table,
    guard: new Guard(),
    idle: new SessionIdle(table, options.config.daemon.session_idle_minutes * 60_000),
    startedAt: Date.now(),
  };
  return {
    handle: (request, io) => dispatch(state, request, io),
    get sessions() {
      return table.live.length;
    },
    onSessions: (listener) => {
      listeners.push(listener);
    },
    close: async () => {
      state.idle.close();
      await Promise.all(table.all.map((session) => session.end()));
      state.guard.close();
    },
  };
}
