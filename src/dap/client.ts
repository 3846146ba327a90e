/**
 * Matches responses to requests, keeps their deadlines, hands events on. Knows nothing of what the messages mean.
 *
 * Events are delivered while the chunk they came in is being read; an awaited response continues only after that.
 * So an event can be seen before the response that preceded it on the wire: subscribe before you send.
 */
import type { DebugProtocol as DAP } from "@vscode/debugprotocol";
import { SondeError } from "../errors.ts";
import { lastWords } from "../util/last-words.ts";
import type { Events, Requests, ReverseRequests } from "./protocol.ts";
import { DapRequestError } from "./request-error.ts";
import type { CloseReason, Message, Transport } from "./transport.ts";
import { wellFormedBody, wellFormedEvent } from "./well-formed.ts";

export { DapRequestError } from "./request-error.ts";

/** setTimeout fires at once for anything longer. */
const LONGEST_TIMER = 2 ** 31 - 1;

export interface RequestOptions {
  /** Instead of the client's own; `Infinity` for none. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface ClientOptions {
  requestTimeoutMs: number;
  /** Sees every message, for the protocol transcript. */
  onMessage?: (direction: "in" | "out", message: Message) => void;
  log?: (text: string) => void;
}

interface Pending {
  command: string;
  resolve(body: unknown): void;
  reject(error: SondeError): void;
}

interface Answer {
  body?: unknown;
  error?: SondeError;
}

type Listener = (body: unknown) => void;
type Handler = (args: unknown) => Promise<unknown>;

export class DapClient {
  readonly closed: Promise<CloseReason>;
  readonly #transport: Transport;
  readonly #options: ClientOptions;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #anyListeners = new Set<(event: string, body: unknown) => void>();
  readonly #handlers = new Map<string, Handler>();
  #seq = 0;
  #closeReason: CloseReason | undefined;
  #resolveClosed: (reason: CloseReason) => void = () => {};

  constructor(transport: Transport, options: ClientOptions) {
    this.#transport = transport;
    this.#options = options;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    transport.start(
      (message) => this.#receive(message),
      (reason) => this.#end(reason),
    );
  }

  get isClosed(): boolean {
    return this.#closeReason !== undefined;
  }

  /** Resolves with the response's body, made well-formed: `{}` if there was none, lists where lists are promised. */
  request<C extends keyof Requests>(
    command: C,
    args: Requests[C]["args"],
    options?: RequestOptions,
  ): Promise<Requests[C]["body"]> {
    const read = (body: unknown) => wellFormedBody(command, body);
    return this.#request(command, args, options, read) as Promise<Requests[C]["body"]>;
  }

  /** A request that is not in the specification's list; the body is as it came, `{}` if there was none. */
  requestRaw(command: string, args: unknown, options?: RequestOptions): Promise<unknown> {
    return this.#request(command, args, options);
  }

  /** Listeners run synchronously, in the order the events arrive. Returns the way to unsubscribe. */
  on<E extends keyof Events>(event: E, listener: (body: Events[E]) => void): () => void {
    const entry: Listener = (body) => listener(body as Events[E]);
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(entry));
    return () => void listeners.delete(entry);
  }

  /** Every event, also those the specification does not know; called after the listeners of `on`. */
  onAny(listener: (event: string, body: unknown) => void): () => void {
    const entry: typeof listener = (event, body) => listener(event, body);
    this.#anyListeners.add(entry);
    return () => void this.#anyListeners.delete(entry);
  }

  /** The answer may take its time: messages go on being read meanwhile. */
  handle<C extends keyof ReverseRequests>(
    command: C,
    handler: (args: ReverseRequests[C]["args"]) => Promise<ReverseRequests[C]["body"]>,
  ): void {
    this.#handlers.set(command, (args) => handler(args as ReverseRequests[C]["args"]));
  }

  close(): void {
    this.#end({ why: "sonde closed the connection to the debug adapter" });
    this.#transport.close();
  }

  #request(
    command: string,
    args: unknown,
    options: RequestOptions = {},
    read: (body: unknown) => unknown = (body) => body ?? {},
  ): Promise<unknown> {
    const asked = this.#ask(command, args, options);
    // `launch` is sent first and awaited last; its failure in between must not count as unhandled.
    const answer = readAnswer(asked, read, () => void answer.catch(() => {}));
    return answer;
  }

  #ask(command: string, args: unknown, options: RequestOptions): Promise<Answer> {
    return new Promise((resolve) => {
      if (this.#closeReason !== undefined) return resolve({ error: closedError(command, this.#closeReason) });
      if (options.signal?.aborted) return resolve({ error: cancelled(command) });

      const seq = ++this.#seq;
      const timeoutMs = options.timeoutMs ?? this.#options.requestTimeoutMs;
      const onAbort = () => this.#pending.get(seq)?.reject(cancelled(command));
      const onTimeout = () => this.#pending.get(seq)?.reject(timedOut(command, timeoutMs));
      const timer =
        timeoutMs === Number.POSITIVE_INFINITY
          ? undefined
          : setTimeout(onTimeout, Math.min(timeoutMs, LONGEST_TIMER));
      const settle = (answer: Answer) => {
        this.#pending.delete(seq);
        clearTimeout(timer);
        options.signal?.removeEventListener("abort", onAbort);
        resolve(answer);
      };
      options.signal?.addEventListener("abort", onAbort, { once: true });
      // Stored before the write: an in-process peer or a fast pipe may answer during it.
      this.#pending.set(seq, {
        command,
        resolve: (body) => settle({ body }),
        reject: (error) => settle({ error }),
      });
      try {
        this.#send({ seq, type: "request", command, ...(args === undefined ? {} : { arguments: args }) });
      } catch (error) {
        this.#pending.get(seq)?.reject(unsendable(command, error));
      }
    });
  }

  #send(message: Message & Record<string, unknown>): void {
    this.#options.onMessage?.("out", message);
    this.#transport.send(message);
  }

  #receive(message: Message): void {
    if (this.#closeReason !== undefined) return;
    this.#options.onMessage?.("in", message);
    // The wire is not to be trusted: a field may be missing or of any type.
    if (message.type === "response") this.#receiveResponse(message as DAP.Response);
    else if (message.type === "event") this.#receiveEvent(message as DAP.Event);
    else if (message.type === "request") void this.#receiveRequest(message as DAP.Request);
    else this.#log(`ignored a message of unknown type ${JSON.stringify(message.type)}`);
  }

  #receiveResponse(response: DAP.Response): void {
    const { request_seq: seq, command } = response;
    const pending = this.#pending.get(seq);
    if (pending === undefined) {
      const what =
        seq > 0 && seq <= this.#seq ? "late or duplicate response" : "response to no request of ours";
      this.#log(`ignored a ${what}: ${String(command)}, request_seq ${String(seq)}`);
    } else if (command && command !== pending.command) {
      // One that names no command at all is told by its number: dlv answers so when it fails inside.
      this.#log(`ignored a response to ${command} with the request_seq of ${pending.command} (${seq})`);
    } else if (response.success) {
      pending.resolve(response.body);
    } else {
      const { message, body } = response;
      const inside = `the debug adapter failed inside (${String(message)}); the program may have ended`;
      pending.reject(
        command === ""
          ? new DapRequestError(pending.command, inside, undefined)
          : new DapRequestError(pending.command, message, body),
      );
    }
  }

  #receiveEvent({ event, body }: DAP.Event): void {
    const listeners = this.#listeners.get(event);
    if (!listeners?.size && this.#anyListeners.size === 0) {
      this.#log(`no listener for event ${String(event)}`);
      return;
    }
    const read = wellFormedEvent(event, body);
    for (const listener of [...(listeners ?? [])]) {
      if (listeners?.has(listener)) this.#guarded(event, () => listener(read));
    }
    for (const listener of [...this.#anyListeners]) {
      if (this.#anyListeners.has(listener)) this.#guarded(event, () => listener(event, body));
    }
  }

  #guarded(event: string, listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#log(
        `a listener of event ${event} failed: ${error instanceof Error ? error.stack : String(error)}`,
      );
    }
  }

  async #receiveRequest({ seq, command, arguments: args }: DAP.Request): Promise<void> {
    // Off the reader: the handler starts after the messages of this chunk were read.
    await undefined;
    const response = { type: "response", request_seq: seq, command };
    try {
      const handler = this.#handlers.get(command);
      if (handler === undefined) throw new Error(`sonde does not handle the request "${String(command)}"`);
      const body = await handler(args);
      this.#send({ seq: ++this.#seq, ...response, success: true, ...(body === undefined ? {} : { body }) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#log(`refused the adapter's request ${String(command)}: ${message}`);
      const reason = { id: 1, format: "{reason}", variables: { reason: message } };
      this.#send({
        seq: ++this.#seq,
        ...response,
        success: false,
        message,
        body: { error: reason },
      });
    }
  }

  #end(reason: CloseReason): void {
    if (this.#closeReason !== undefined) return;
    this.#closeReason = reason;
    for (const pending of [...this.#pending.values()]) pending.reject(closedError(pending.command, reason));
    this.#resolveClosed(reason);
  }

  #log(text: string): void {
    this.#options.log?.(text);
  }
}

export function closedError(command: string, { why, stderr }: CloseReason): SondeError {
  return new SondeError("ADAPTER_FAILED", `no answer to "${command}": ${why}${lastWords(stderr)}`, {
    details: { command, why, ...(stderr ? { stderr } : {}) },
  });
}

function timedOut(command: string, timeoutMs: number): SondeError {
  return new SondeError(
    "TIMEOUT",
    `the debug adapter did not answer "${command}" within ${timeoutMs / 1000} s`,
    {
      details: { command, timeoutMs },
    },
  );
}

function cancelled(command: string): SondeError {
  return new SondeError("CANCELLED", `"${command}" was cancelled`, { details: { command } });
}

function unsendable(command: string, cause: unknown): SondeError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new SondeError("BAD_ARGUMENT", `the arguments of "${command}" cannot be sent: ${why}`, { cause });
}

async function readAnswer(
  asked: Promise<Answer>,
  read: (body: unknown) => unknown,
  handled: () => void,
): Promise<unknown> {
  const { body, error } = await asked;
  if (error === undefined) return read(body);
  locate(error);
  handled();
  throw error;
}

/** Of the stack in an answer that failed: this function and its caller. */
const OWN_FRAMES = 2;

/** A failure shows who waits for the answer, and not which event of a socket brought it. Costs nothing where none fails. */
function locate(error: SondeError): void {
  const site: { stack?: string } = {};
  Error.captureStackTrace(site);
  const waiting = site.stack?.split("\n").slice(1 + OWN_FRAMES) ?? [];
  if (waiting.length > 0) error.stack = [`${error.name}: ${error.message}`, ...waiting].join("\n");
}
