/**
 * What goes over the socket between a client and the daemon: one JSON object per line.
 * The daemon speaks first (Hello); the client does not wait for it before sending, because every request
 * carries the client's own build and the daemon checks that before it runs anything.
 *
 * A request runs at most once. The daemon answers `accepted` before it begins one; a connection that ends without it
 * proves that nothing was begun, so the client may send the request again to the next daemon. After it, an end of the
 * connection is told to the user and never retried. For that proof a client reads all that the daemon wrote: it writes nothing while a request
 * waits for that word (connection.ts).
 */
import type { PageTold } from "../advice/page.ts";
import type { ErrorShape } from "../errors.ts";

export const PRODUCT = "sonde";
export const PROTOCOL = 1;

/** The longest line a client takes. */
export const LINE_LIMIT = 64 * 1024 * 1024;

/** …and the daemon, which reads them on the thread that answers everybody: many times what a command line can be. */
export const REQUEST_LIMIT = 8 * 1024 * 1024;

/** A living daemon takes a request within microseconds; this long only when it is stopped or wedged. */
export const ACCEPT_DEADLINE_MS = 10_000;

/** The most standard input a request may carry, in bytes. */
export const STDIN_LIMIT = 256 * 1024 * 1024;

/** First words that a daemon of another build answers too, so that a busy one can be looked at and emptied. */
export const ACROSS_BUILDS = ["status", "stop", "sessions", "daemon"];

export interface Hello {
  hello: {
    product: typeof PRODUCT;
    protocol: number;
    version: string;
    build: string;
    pid: number;
    nonce: string;
  };
}

/** The CLI's form: the daemon parses argv against the declarations and renders the text. */
export interface RawRequest {
  id: number;
  /** The client's own; without it the daemon's is taken for right. */
  build?: string;
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  /** Set when stdout is a terminal. */
  columns?: number;
  /** The answer as plain frames (daemon/plain-frame.ts), for a client that has no JSON parser (cli/fast.pl). */
  plain?: true;
}

/** In whose words it is asked and to be answered; left out: those of the command line. */
export interface Surface {
  as?: "tool" | "method" | "page";
  /** Of a tool call: the tools that this client has been offered, and whether it is told of progress. */
  offered?: readonly string[];
  watched?: boolean;
  /** Of the page: nothing but what only reads. */
  readOnly?: boolean;
}

/** The form for MCP and the library: arguments are already an object. */
export interface TypedRequest extends Surface {
  id: number;
  build?: string;
  /** Of a tool call: the tool. */
  command: string;
  args: Record<string, unknown>;
  cwd: string;
  /** Unless it is as in the last request of this connection that had one. */
  env?: Record<string, string>;
}

/** For `sonde daemon status|stop`; understood by every build. `stop` is answered once every session has ended. */
export interface ControlRequest {
  id: number;
  control: "status" | "stop";
}

/** Bytes the daemon asked for with `need`; the last message of them has no `more`. */
export interface StdinMessage {
  id: number;
  stdin: string; // base64
  more?: true;
}

/** Ends one request of a connection that carries several; its answer still comes. */
export interface CancelMessage {
  id: number;
  cancel: true;
}

export type ClientMessage = RawRequest | TypedRequest | ControlRequest | StdinMessage | CancelMessage;

export interface DaemonStatus {
  version: string;
  build: string;
  pid: number;
  sessions: number;
  /** Requests in flight, this one not counted. */
  requests: number;
  uptimeSeconds: number;
  /** Resident memory in bytes. */
  memory: number;
  log: string;
}

/** Of the page: what the error says, with its calls as data. */
export interface ToldError {
  message: PageTold;
  hint?: PageTold;
}

export type DaemonMessage =
  | Hello
  /** From here on the request may have had effects. */
  | { id: number; accepted: true }
  /** Text to print now; more follows (output --follow). */
  | { id: number; chunk: string }
  /** The daemon wants the client's standard input, whole. */
  | { id: number; need: "stdin" }
  /** The end of a raw request: what to print and the exit status. */
  | { id: number; exit: number; text: string; stderr?: string }
  /** The end of a typed request; the page is also told what one would type for the same. */
  | { id: number; ok: true; data: unknown; text: string; line?: string }
  | { id: number; ok: false; error: ErrorShape; told?: ToldError; line?: string }
  /** The end of a control request. */
  | { id: number; daemon: DaemonStatus }
  /** Another build is asking. `leaving`: this daemon is idle and exits now, start a new one. */
  | { id: number; skew: { version: string; build: string; leaving: boolean; sessions: number } };

/** How every message that ends a request can be told from one that does not. */
export function isFinal(message: DaemonMessage): boolean {
  return "exit" in message || "ok" in message || "daemon" in message || "skew" in message;
}
