/**
 * What an adapter is: data about a debugger (which programs it takes, how to reach it, how its launch
 * arguments look) plus the few functions in which it differs from the others. The session layer only ever
 * sees a DAP transport; nothing outside this folder asks for an adapter by name.
 */
import type { Transport } from "../dap/transport.ts";

/** What the user asked to run, before any adapter's own vocabulary. Paths are absolute. */
export interface LaunchPlan {
  /** The program file, when there is one (`start app.js`). */
  program?: string;
  args: string[];
  /** A whole command line (`start -- npm run dev`); then `program` is unset. */
  command?: string[];
  cwd: string;
  env: Record<string, string>;
  stopOnEntry: boolean;
  /** `--arg-json`: merged over the adapter's own launch arguments. */
  extra: Record<string, unknown>;
}

export interface AttachPlan {
  pid?: number;
  host?: string;
  port?: number;
  cwd: string;
  extra: Record<string, unknown>;
}

export type Found =
  | { ok: true; version: string; path: string }
  | { ok: false; reason: string; install: string };

/** The program's standard input, by whatever route this adapter offers. */
export interface StdinRoute {
  write(bytes: Buffer): Promise<void>;
  end(): Promise<void>;
}

/** What a process is to the session: the user's program may be left running, our tools never are. */
export type Role = "program" | "adapter";

/** Processes a connection starts are registered here, so that they end with the session, whatever happens. */
export interface ProcessRegistry {
  own(pid: number, what: string, role?: Role): void;
  release(pid: number): void;
}

export interface Connection {
  transport: Transport;
  /** Made once the DAP client exists: some routes are custom requests. */
  stdin?(request: (command: string, args: unknown) => Promise<unknown>): StdinRoute;
}

export interface Adapter {
  name: string;
  title: string;
  languages: string[];
  /** Extensions with the dot. */
  fileTypes: string[];
  /** First words of a command line this adapter can debug: `node`, `npm`. */
  commands: string[];
  /** Common names for `catch` → this adapter's exception filters. */
  catches: Record<string, string[]>;
  /** Exception filters that are on unless the user says otherwise. */
  defaultCatches: string[];
  /** Why a missing capability is missing, and what to use instead; keyed by DAP capability name. */
  unsupported: Record<string, { reason: string; instead: string }>;
  /** Requests of our own that it answers besides DAP's. */
  custom: readonly string[];
  find(): Promise<Found>;
  /** Arguments of the DAP `launch` request. */
  launch(plan: LaunchPlan): Record<string, unknown>;
  /** Arguments of the DAP `attach` request. */
  attach(plan: AttachPlan): Record<string, unknown>;
  /** Opens a connection to a fresh adapter; also called for each child session. */
  connect(registry: ProcessRegistry): Promise<Connection>;
}
