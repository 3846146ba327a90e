/**
 * One V8 that can be debugged: the main thread of a process, or a worker inside one.
 * `process/` finds and connects targets; `debug/` speaks to one.
 */
import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping.js";

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;

/** A CDP session: the inspector's socket itself, or a worker's messages inside it. */
export interface Cdp {
  send<M extends keyof Commands>(
    method: M,
    ...params: Commands[M]["paramsType"]
  ): Promise<Commands[M]["returnType"]>;
  /** Domains Node adds (NodeWorker, NodeRuntime) and anything the typings lack. */
  sendRaw(method: string, params?: object): Promise<unknown>;
  on<E extends keyof Events>(event: E, listener: (params: Events[E][0]) => void): () => void;
  onRaw(event: string, listener: (params: unknown) => void): () => void;
  /** Settles when the session is gone; every pending send has been rejected by then. */
  readonly closed: Promise<void>;
}

export interface Target {
  readonly kind: "process" | "worker";
  /** Shown as the thread's name: "main", "worker 1", "child.js". */
  readonly title: string;
  readonly pid: number;
  /** It is held before its first line and needs Runtime.runIfWaitingForDebugger. */
  readonly waiting: boolean;
  /** The Node version of the process, "v20.20.2", when known. */
  readonly nodeVersion?: string;
  readonly cdp: Cdp;
  /** It is to run as without a debugger: it is measured. */
  readonly unchanged?: boolean;
  /** Has what the next pause shows read inside the program: see debug/ahead.ts. */
  readonly readAtPause?: (kits: string[]) => void;
}
