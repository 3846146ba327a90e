/** Matches CDP replies to requests and hands events on. Where the text goes and comes from is the caller's business. */
import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping.js";
import type { Cdp } from "../target.ts";

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;

/** The inspector's refusal of one request. */
export class CdpError extends Error {
  override readonly name = "CdpError";
  readonly method: string;
  readonly code: number | undefined;

  constructor(method: string, message: string, code?: number) {
    super(message);
    this.method = method;
    this.code = code;
  }
}

interface Pending {
  method: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface WireMessage {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code?: number; message?: string };
}

export class CdpSession implements Cdp {
  readonly closed: Promise<void>;
  readonly #write: (text: string) => void;
  readonly #log: (message: string) => void;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Map<string, Set<(params: unknown) => void>>();
  #lastId = 0;
  #ended: string | undefined;
  #resolveClosed: () => void = () => {};

  constructor(write: (text: string) => void, log: (message: string) => void) {
    this.#write = write;
    this.#log = log;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  get isClosed(): boolean {
    return this.#ended !== undefined;
  }

  send<M extends keyof Commands>(
    method: M,
    ...params: Commands[M]["paramsType"]
  ): Promise<Commands[M]["returnType"]> {
    return this.sendRaw(method, params[0] as object | undefined) as Promise<Commands[M]["returnType"]>;
  }

  sendRaw(method: string, params?: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(new CdpError(method, this.#ended));
      const id = ++this.#lastId;
      this.#pending.set(id, { method, resolve, reject });
      this.#write(JSON.stringify(params === undefined ? { id, method } : { id, method, params }));
    });
  }

  on<E extends keyof Events>(event: E, listener: (params: Events[E][0]) => void): () => void {
    return this.onRaw(event, (params) => listener(params as Events[E][0]));
  }

  onRaw(event: string, listener: (params: unknown) => void): () => void {
    const entry = (params: unknown) => listener(params);
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(entry));
    return () => void listeners.delete(entry);
  }

  receive(text: string): void {
    let message: WireMessage;
    try {
      message = JSON.parse(text) as WireMessage;
    } catch {
      this.#log(`the inspector sent something that is not JSON: ${text.slice(0, 80)}`);
      return;
    }
    if (message.id !== undefined) this.#settle(message.id, message);
    else if (message.method !== undefined) this.#deliver(message.method, message.params);
  }

  /** The session is over; everything still asked is refused with this reason. */
  end(why: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    for (const { method, reject } of this.#pending.values()) reject(new CdpError(method, why));
    this.#pending.clear();
    this.#resolveClosed();
  }

  #settle(id: number, { result, error }: WireMessage): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    if (error === undefined) pending.resolve(result);
    else
      pending.reject(
        new CdpError(pending.method, error.message ?? "the inspector gave no reason", error.code),
      );
  }

  #deliver(event: string, params: unknown): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) {
      try {
        listener(params);
      } catch (error) {
        this.#log(`a listener of ${event} failed: ${error instanceof Error ? error.stack : String(error)}`);
      }
    }
  }
}
