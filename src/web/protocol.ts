/**
 * What the page and its server say to each other. Types only: both sides import this file, and it loads nothing.
 *
 * Letting a tab in: the address is `http://127.0.0.1:PORT/#k=<key>`. The page sends `POST /enter` with `{ "key": key }` and gets `Entered`
 * and a cookie. It keeps the secret (sessionStorage) and erases the fragment. The socket is
 * `new WebSocket("ws://<host>/socket", [SOCKET_PROTOCOL, secret])`: cookie, secret, Host and Origin are looked at before it opens. A socket
 * that does not open: `GET /entered` with the header `x-sonde-secret` answers 200 and `Entered`, or 401 when a new link is needed.
 *
 * On the socket each message is one JSON object. Everything that the page does is a command of the registry (`call`). What it shows is state
 * that it is sent: whoever watches a topic first gets all of it as it is now, then every change. So a reload, a slept laptop or a new
 * daemon costs nothing but being sent it again.
 */
import type { CallPart, PagePart, PageTold } from "../advice/page.ts";

export type { CallPart, PagePart, PageTold };

export const SOCKET_PROTOCOL = "sonde";

export interface Entered {
  secret: string;
  readOnly: boolean;
}

/** `now`: sessions, runs of agents, records. The others: one of them. */
export type Topic = "now" | `session:${string}` | `agent:${string}` | "logs";

export type FromPage =
  /** `session`: always, for a command that is about one. `cwd`: left out, the folder in which `sonde ui` was typed. */
  | {
      do: "call";
      id: number;
      command: string;
      args?: Record<string, unknown>;
      session?: string;
      cwd?: string;
    }
  /** The call is still answered. */
  | { do: "cancel"; id: number }
  /** Of a session, to be sent only what it printed since: the output's cursor, and the launch that the cursor is of. */
  | { do: "watch"; topic: Topic; since?: number; launch?: string }
  | { do: "unwatch"; topic: Topic };

export type ToPage =
  | { hello: Hello }
  /** `line`: what one would type for the same. */
  | { id: number; ok: true; data: unknown; text: string; line: string }
  | { id: number; ok: false; error: PageError; line?: string }
  /** Text that comes before the end of a call (`--follow`). */
  | { id: number; chunk: string }
  /** `seq` grows with every message of this server. */
  | { topic: "now"; seq: number; event: Now }
  | { topic: `session:${string}`; seq: number; event: SessionEvent }
  | { topic: `agent:${string}`; seq: number; event: AgentEvent }
  | { topic: "logs"; seq: number; event: LogEvent };

export interface Hello {
  version: string;
  readOnly: boolean;
  /** In which `sonde ui` was typed, and the user's own. */
  cwd: string;
  home: string;
}

/** In `message` and `hint` what is to be done stays data: a button. */
export interface PageError {
  code: string;
  message: PageTold;
  hint?: PageTold;
  details?: unknown;
}

/** Whose hands are on a session: an agent's (command line, MCP, library) or a person's (this page). */
export interface Owner {
  who: "agent" | "person";
  /** Milliseconds since 1970; of a session that nobody has taken: since it began. */
  since: number;
  /** The other side wants it: when, and why if it said so. */
  asked?: { at: number; why?: string };
}

/** As `sessions --json` has it. */
export interface SessionRow {
  name: string;
  state: string;
  ending?: string;
  adapter: string;
  kind: "launch" | "attach";
  program: string;
  pid?: number;
  cwd: string;
  breakpoints: number;
  children: number;
  agent?: string;
  owner: Owner;
  /** Where it stands, while it is stopped; `number` counts its stops. */
  stop?: { number: number; reason: string; path?: string; line?: number; function?: string; at: number };
  startedAt: number;
  /** A session that ends and is started again under its name is another one; a restart is the same. */
  launch: string;
}

export interface Now {
  kind: "now";
  /** Undefined while there is no daemon: then nothing is held, and the next command starts one. */
  daemon?: { pid: number; version: string };
  /** The daemon is there and does not answer, in words: what follows is as it was last known. */
  silent?: string;
  /** It has never answered: nothing is known yet. */
  unknown?: true;
  sessions: SessionRow[];
  /** Rows of `agent sessions --json`. */
  agents: Record<string, unknown>[];
  /** Rows of `trace list --json` and `profile list --json`, newest first. */
  traces: Record<string, unknown>[];
  profiles: Record<string, unknown>[];
}

export type SessionEvent =
  /** `snapshot` as `context --json` has it. */
  | { kind: "stopped"; snapshot: Record<string, unknown>; row: SessionRow }
  | { kind: "running"; row: SessionRow }
  | { kind: "ended"; row: SessionRow }
  /** No session has this name, or no longer. */
  | { kind: "gone"; why?: string }
  /** As `breakpoint list --json`. */
  | { kind: "breakpoints"; breakpoints: Record<string, unknown>[]; data: Record<string, unknown> }
  /** What it printed since, in pieces as they came: one may hold several lines, or a part of one. `cursor` is what
   * `since` takes; what came since 0 is all there is of this launch, and may be nothing. `left`: pieces that were too many. */
  | {
      kind: "output";
      pieces: OutputPiece[];
      since: number;
      cursor: number;
      launch: string;
      left: number;
      droppedBytes: number;
    }
  /** What page, command line and tools have done: as `transcript --json`; only what came after `since`, of which 0 is all there is. */
  | { kind: "transcript"; entries: TranscriptEntry[]; since: number; launch: string };

export interface OutputPiece {
  stream: "stdout" | "stderr" | "log";
  text: string;
  /** Which worker or child process printed it, when it is not the main program. */
  from?: string;
  /** Which run of the program, from 2: it was restarted. */
  run?: number;
}

/** Who did what in a session. */
export interface TranscriptEntry {
  number: number;
  /** Milliseconds since 1970. */
  at: number;
  by: "page" | "cli" | "mcp" | "library";
  command: string;
  effect: "reads" | "moves" | "changes";
  line: string;
  ok: boolean;
  /** The error's code. */
  code?: string;
  /** The agent's run it came from, and its tool call. */
  agent?: string;
  toolId?: string;
}

/** First and whenever its files grow: `status` as `agent status --json`. New events are fetched by number (`agent events --from`). */
export type AgentEvent = { kind: "run"; status: Record<string, unknown> } | { kind: "gone"; why?: string };

export interface LogEvent {
  kind: "logs";
  entries: Record<string, unknown>[];
}
