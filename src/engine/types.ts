/** What goes into the engine and comes out of it, and what its parts share. */

import type { Adapter } from "../adapters/adapter.ts";
import type { Words } from "../advice/advice.ts";
import type { PageTold } from "../advice/page.ts";
import type { Deed } from "../commands/context.ts";
import type { ErrorShape } from "../errors.ts";
import type { Launch } from "../session/launch.ts";
import type { Guard } from "../session/processes/guard.ts";
import type { Session } from "../session/session.ts";
import type { TraceStore } from "../trace/store.ts";
import type { Log } from "../util/log/writer.ts";
import type { Config } from "./config/config.ts";
import type { NamedPaths } from "./request/named-paths.ts";
import type { Feed } from "./sessions/feed.ts";
import type { AllHands, Hands } from "./sessions/hands.ts";
import type { LaunchTable } from "./sessions/table.ts";
import type { Watchers } from "./sessions/watchers.ts";

export interface RequestIo {
  signal: AbortSignal;
  chunk(text: string): void;
  /** The same, but waits until the reader has taken it: nothing is left out, however long it is. */
  write(text: string): Promise<void>;
  stdin(): Promise<Buffer>;
  /** From here on the request only waits for what others do, and does not keep the daemon running. */
  rests?(): void;
}

/** The ways to use Sonde: the command line, tool calls, programs, the page. */
export type Surface = "cli" | "mcp" | "library" | "page";

/** Who asks. */
export interface Caller {
  cwd: string;
  env: Record<string, string>;
  io: RequestIo;
  session: string | undefined;
  /** The answer is for a program: nothing is printed before it. */
  quiet?: boolean;
  words: Words;
  /** The command that was asked, and what one would type for it. */
  command: string;
  line(): string;
  /** By which way it came. */
  by: Surface;
  /** Of the page: from a link to watch with, or from its server itself. */
  readOnly?: boolean;
  /** What was noted of it in transcripts, so that its tool call can be added. */
  deeds: { hands: Hands; deed: Deed }[];
  /** Sessions that this request has opened. */
  opened: Launch[];
}

export type EngineRequest =
  | { kind: "raw"; argv: string[]; cwd: string; env: Record<string, string>; columns?: number }
  | {
      kind: "typed";
      /** Of a tool call: the tool. */
      command: string;
      args: Record<string, unknown>;
      cwd: string;
      env: Record<string, string>;
      /** For which surface sentences are written (left out: the command line). */
      as?: "tool" | "method" | "page";
      /** Of a tool call: the tools that this client has been offered, and whether it is told of progress. */
      offered?: readonly string[];
      watched?: boolean;
      /** For the page: only commands that change nothing are allowed. */
      readOnly?: boolean;
    };

export type Typed = EngineRequest & { kind: "typed" };

export type EngineReply =
  | { kind: "raw"; exit: number; text: string; stderr?: string }
  | { kind: "typed"; ok: true; data: unknown; text: string; line?: string }
  | { kind: "typed"; ok: false; error: ErrorShape; told?: ToldError; line?: string };

/** Of the page: what the error says, with its calls as data. */
export interface ToldError {
  message: PageTold;
  hint?: PageTold;
}

/** The configuration file, and the folders of all that is kept. */
export interface KeptPlaces {
  config: string;
  runtime: string;
  logs: string;
  traces: string;
  reports: string;
  profiles: string;
  agents: string;
}

export interface EngineOptions {
  config: Config;
  log: Log;
  version?: string;
  build?: string;
  /** Where adapters that Sonde installed are. */
  adapters: string;
  places: KeptPlaces;
}

export interface Engine {
  /** Never throws. */
  handle(request: EngineRequest, io: RequestIo): Promise<EngineReply>;
  /** Live sessions. */
  readonly sessions: number;
  /** It holds nothing that a later request could ask for: no session, ended or not, and no work under way. */
  readonly isEmpty: boolean;
  onSessions(listener: () => void): void;
  /** Ends every session: what was launched is terminated, what was attached to is left running. */
  close(): Promise<void>;
}

/** For a caller that runs the engine in its own process and wants to listen to a session's events. */
export interface OwnEngine extends Engine {
  session(name: string): Session | undefined;
}

/** What the parts of the engine share. */
export interface EngineState {
  readonly options: EngineOptions;
  readonly table: LaunchTable;
  readonly guard: Guard;
  readonly traces: TraceStore;
  /** By the system's clock, which may be set; and by one that only moves forward (`performance.now`). */
  readonly startedAt: number;
  readonly began: number;
  /** What the user configured, then what Sonde knows. */
  readonly adapters: readonly Adapter[];
  /** Fires when the engine closes. */
  readonly closing: AbortSignal;
  readonly feed: Feed;
  /** Of each launch. */
  readonly hands: AllHands;
  /** Files that the page has been told of. */
  readonly named: NamedPaths;
  readonly watchers: Watchers;
  /** Work besides sessions (installations) that must have ended before it is closed. */
  readonly jobs: Set<Promise<unknown>>;
}
