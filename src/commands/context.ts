/** What a command may reach when it runs. Implemented by the engine. */
import type { Told } from "../advice/advice.ts";
import type { Price } from "../agent/explain/prices.ts";
import type { SondeError } from "../errors.ts";
import type { Launch } from "../session/launch.ts";
import type { Declaration, Session } from "../session/session.ts";
import type { Limits } from "../session/stack/snapshot.ts";
import type { Transcript } from "../session/transcript.ts";
import type { TraceStore } from "../trace/store.ts";
import type { Log } from "../util/log/writer.ts";
import type { PathMap } from "../util/path-map.ts";
import type { WaitOptions } from "../util/wait.ts";
import type { AdapterRow, Check, LanguageRow, SetupRow } from "./adapters/rows.ts";

export interface OpenRequest {
  /** The program file as typed, or nothing when `command` is given. */
  program?: string;
  args: string[];
  command?: string[];
  adapter?: string;
  name?: string;
  cwd?: string;
  env: Record<string, string>;
  /** Variables of the caller's that the program is not to have. */
  unset?: string[];
  stopOnEntry: boolean;
  /** A source file is to be compiled first. */
  build?: boolean;
  extra: Record<string, unknown>;
  /** Where sources are now; the configuration's comes after it. */
  pathMap?: PathMap;
  /** What the answer is to say of how this came about. */
  notes?: Told[];
}

export interface AttachRequest {
  pid?: number;
  host?: string;
  port?: number;
  /** A core file, as typed, and the program that left it. */
  core?: string;
  program?: string;
  adapter?: string;
  name?: string;
  extra: Record<string, unknown>;
  pathMap?: PathMap;
  notes?: Told[];
}

/** What is to be run, or attached to. */
export type RunRequest =
  | { request: "launch"; plan: OpenRequest }
  | { request: "attach"; plan: AttachRequest };

export interface ConfigurationRow {
  name: string;
  /** `compound` for several under one name. */
  type: string;
  request: "launch" | "attach" | "compound";
  /** The program, module, port or parts it names, as written. */
  what?: string;
  preLaunchTask?: string;
  /** Why it cannot be started here. */
  problem?: string;
}

export interface SetupRequest {
  /** Adapters or languages. */
  names: readonly string[];
  /** Everything this machine has the means for. */
  all: boolean;
  /** Into Sonde's own folder, also where it is there already. */
  reinstall: boolean;
}

export interface Health {
  checks: Check[];
  languages: LanguageRow[];
  adapters: AdapterRow[];
}

/** Every setting in effect. */
export interface Configuration {
  file: string;
  exists: boolean;
  settings: { key: string; value: unknown; isDefault: boolean }[];
}

export interface Waits {
  /** How long start, continue and steps wait for a stop. */
  stopMs: number;
  awaitMs: number;
}

/** A command that is run without a debugger. */
export interface PlainRun {
  /** Its words; `report` is a file of its own that it may write, which is given back. */
  command(report: string): string[];
  cwd?: string;
  /** Added to the caller's. */
  env?: Record<string, string>;
  timeoutMs: number;
  /** Ends it before its time is up; what it printed until then is given back. */
  signal?: AbortSignal;
  /** At its deadline it is interrupted as by a key, and says what it has until then: test runners do. */
  tells?: boolean;
  /** Nothing is taken off in front of it, or put there: it is no program that is looked at. */
  asIs?: boolean;
}

export type PlainEnd = { stdout: string; stderr: string; report: string | undefined } & (
  | { how: "exited"; code: number | null; signal: string | null }
  /** Or by its signal. */
  | { how: "timeout" }
);

/** Whose hands are on a session: an agent's (what is typed, tool calls, programs) or a person's (the page). */
export interface Owner {
  who: "agent" | "person";
  /** Milliseconds since 1970. */
  since: number;
  /** The agent wants it back: when, and why if it said so. */
  asked?: { at: number; why?: string };
}

/** What somebody did in a session. */
export interface Deed {
  number: number;
  /** Milliseconds since 1970. */
  at: number;
  by: "cli" | "mcp" | "library" | "page";
  command: string;
  effect: "reads" | "moves" | "changes";
  /** What one would type for it. */
  line: string;
  ok: boolean;
  /** The error's. */
  code?: string;
  /** The agent's run that it came from, and its tool call, once that is known. */
  agent?: string;
  toolId?: string;
}

/** Who has a session, who did what in it, and how it changes hands. */
export interface Hands {
  readonly owner: Owner;
  deeds(since?: number): readonly Deed[];
  /** What set this breakpoint. */
  setBy(breakpoint: number): Deed | undefined;
  take(): void;
  /** What changed since it was taken, in a line, which is also a note; undefined if the agent has it already. */
  give(why?: string): string | undefined;
  ask(why: string | undefined): void;
  /** Whether the agent has it, or is given it in time. */
  whenGiven(options: WaitOptions): Promise<boolean>;
}

export type ChangeKind =
  | "added"
  | "removed"
  | "running"
  | "stopped"
  | "ended"
  | "breakpoints"
  | "output"
  | "notes"
  | "owner"
  | "transcript";

export interface Change {
  seq: number;
  /** Milliseconds since 1970. */
  at: number;
  kind: ChangeKind;
  session: string;
  /** Of the output. */
  cursor?: number;
}

/** What changes in sessions. */
export interface Feed {
  readonly seq: number;
  since(seq: number): { changes: Change[]; lost: boolean };
  follow(listener: (change: Change) => void): () => void;
}

/** What is still known of a session that is gone. */
export interface PastSession {
  name: string;
  env: Readonly<Record<string, string>>;
  transcript: Transcript;
}

export interface Context {
  /** The caller's folder and environment. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Fires when the caller goes away. */
  readonly signal: AbortSignal;
  /** Fires when the engine closes. */
  readonly closing: AbortSignal;
  readonly limits: Limits;
  /** Where sources are now, by the configuration. */
  readonly pathMap: PathMap;
  readonly waits: Waits;
  /** The name the caller gave for it. */
  readonly named: string | undefined;
  /** Where runs of agents are kept, and the one that the caller named; SONDE_SESSION is a program's. */
  readonly agents: {
    readonly root: string;
    readonly named: string | undefined;
    /** Of models, by the configuration. */
    readonly prices: readonly Price[];
  };
  /** The configuration file, and the folders of all that is kept. */
  readonly places: {
    readonly config: string;
    readonly runtime: string;
    readonly logs: string;
    readonly traces: string;
    readonly reports: string;
    readonly profiles: string;
    readonly agents: string;
  };
  /** For faults that do not become the answer. */
  readonly log: Log;
  /** By which way it came. */
  readonly by: Deed["by"];
  /** Asked by a person who looks on: what is told once, and what is selected, stays the agent's. */
  readonly peeks: boolean;
  /** The answer is for a machine: what comes before it, too. */
  readonly quiet: boolean;
  /** The run that the caller means, debugged or not. Throws NO_SESSION for a command that needs nothing and got none. */
  readonly launch: Launch;
  /** Its session; throws NO_SESSION if it runs without a debugger. */
  readonly session: Session;
  readonly launches: readonly Launch[];
  readonly feed: Feed;
  hands(launch: Launch): Hands;
  /** Throws if it is in other hands than the caller's. */
  mayChange(launch: Launch): void;
  /** Fires when it is no longer among the launches; its reason is the error that says so. */
  left(launch: Launch): AbortSignal;
  /** Why the caller may do no more than look at it (a link to watch with, a person has it); undefined if it may. */
  onlyLooks(launch: Launch): SondeError | undefined;
  /** Has fired if nobody has the page open who could give a session back, and fires when the last of them has closed it: a reload does not. */
  readonly alone: AbortSignal;
  /** Whether somebody has it open; of one that was closed a moment ago, once it is known not to be a reload. */
  present(): Promise<boolean>;
  /** Whether the text of this file may be shown: the page is shown those that it was told of. */
  mayRead(path: string): boolean;
  /** From here on the request only waits for what others do: it keeps nobody here. Until the returned function is called. */
  rests(): () => void;
  /** The last sessions that were stopped or given up, the newest first. */
  readonly past: readonly PastSession[];
  readonly daemon: { pid: number; version: string; build: string; began: number };
  /** What is in the nearest `.vscode/launch.json` upward from the caller. */
  configurations(): { file: string; rows: ConfigurationRow[] };
  /** One of them by name; a compound is several. `runTasks`: also run what it wants to be run before. */
  configured(name: string, options: { file?: string; runTasks?: boolean }): Promise<RunRequest[]>;
  /** Makes it the one that later commands in this folder mean. */
  use(launch: Launch): void;
  /** Runs it under its debugger, with its breakpoints in place before it moves. */
  open(request: RunRequest, declared: (launch: Launch) => Declaration): Promise<Session>;
  /**
   * For a command that runs a program, asks and cleans up. The launch is on the table while `body` runs (`body` starts it, under a
   * debugger or not), but is nobody's current one; afterwards it is ended, whatever happened.
   */
  once<T>(request: RunRequest, body: (launch: Launch, signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Runs it to its end, in time; nothing that it started is left. Throws if it cannot be run, or is cancelled. */
  runPlain(run: PlainRun): Promise<PlainEnd>;
  /** Ends it and takes it off the table. */
  end(launch: Launch, options?: { detach?: boolean }): Promise<void>;
  adapters(): Promise<AdapterRow[]>;
  setUp(request: SetupRequest): Promise<SetupRow[]>;
  doctor(options: { verify: boolean }): Promise<Health>;
  configuration(): Configuration;
  /** Recorded runs that are kept. */
  readonly traces: TraceStore;
  /** Something for the caller, in words of its own. */
  say(told: Told): string;
  /** Text to the caller now, before the answer. */
  chunk(text: string): void;
  /** The same at the pace at which it is read: nothing is left out, however long it is. */
  write(text: string): Promise<void>;
  /** The caller's standard input, whole. */
  stdin(): Promise<Buffer>;
}
