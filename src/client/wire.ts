/**
 * What goes over the socket between a client and the daemon: one JSON object per line.
 * The daemon speaks first (Hello); the client does not wait for it before sending, because every request
 * carries the client's own build and the daemon checks that before it runs anything.
 */
import type { ErrorShape } from "../errors.ts";

export const PRODUCT = "sonde";
export const PROTOCOL = 1;

export interface Hello {
  hello: { product: typeof PRODUCT; protocol: number; version: string; build: string; pid: number; nonce: string };
}

/** The CLI's form: the daemon parses argv against the declarations and renders the text. */
export interface RawRequest {
  id: number;
  build: string;
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  /** Set when stdout is a terminal. */
  columns?: number;
}

/** The form for MCP and the library: arguments are already an object. */
export interface TypedRequest {
  id: number;
  build: string;
  command: string;
  args: Record<string, unknown>;
  cwd: string;
  env?: Record<string, string>;
}

/** Bytes the daemon asked for with `need`. */
export interface StdinMessage {
  id: number;
  stdin: string; // base64
}

export type ClientMessage = RawRequest | TypedRequest | StdinMessage;

export type DaemonMessage =
  | Hello
  /** Text to print now; more follows (output --follow). */
  | { id: number; chunk: string }
  /** The daemon wants the client's standard input, whole. */
  | { id: number; need: "stdin" }
  /** The end of a raw request: what to print and the exit status. */
  | { id: number; exit: number; text: string; stderr?: string }
  /** The end of a typed request. */
  | { id: number; ok: true; data: unknown; text: string }
  | { id: number; ok: false; error: ErrorShape }
  /** Another build is asking. `leaving`: this daemon is idle and exits now, start a new one. */
  | { id: number; skew: { version: string; build: string; leaving: boolean; sessions: number } };
