/**
 * Corrections to what an adapter says and is told, message by message, so that everything above hears plain DAP. A dialect is
 * a table: by event, by response, by request. What it does not mention passes unchanged and in order.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { CloseReason, Message, Transport } from "../../dap/transport.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies are the adapter's; each correction knows what it looks at
type Body = any;

/** The answer to a question of ours. */
export type Asked = DebugProtocol.Response & { /** None came in time. */ unanswered?: true };

export interface Wire {
  /** To the client, as if the adapter had said it. */
  emit(event: string, body?: unknown): void;
  /** A request of our own to the adapter. The client sees nothing of it. A refusal is an answer, and so is a closed connection. */
  ask(command: string, args?: unknown, withinMs?: number): Promise<Asked>;
  /** A request to the client, as if from the adapter (`startDebugging`). */
  askClient(command: string, args: unknown): void;
}

export interface Dialect {
  /** The body the client gets instead; `undefined` keeps the event from it (to be emitted later, or never). */
  events?: Record<string, (body: Body, wire: Wire) => unknown>;
  /** The body of a successful answer, corrected. */
  responses?: Record<string, (body: Body, args: Body) => unknown>;
  /** Other arguments for the adapter, or an answer of our own that spares it the request. */
  requests?: Record<
    string,
    (args: Body, wire: Wire) => { args: unknown } | { answer: Promise<unknown> } | undefined
  >;
  /** The connection is over. */
  closed?(): void;
  /** Why it is over, where more is known than that it is. */
  explain?(reason: CloseReason): CloseReason;
}

/** A stop or an end may be held back until we have our answer: not for ever. */
const ASK_MS = 20_000;

/** Far from the client's own numbers. */
const FIRST_SEQ = 1_000_000_000;

export function speaking(transport: Transport, dialect: Dialect): Transport {
  return new Interpreter(transport, dialect);
}

class Interpreter implements Transport, Wire {
  readonly #inner: Transport;
  readonly #dialect: Dialect;
  #seq = FIRST_SEQ;
  #toClient: (message: Message) => void = () => {};
  /** Our own requests. */
  readonly #asked = new Map<number, (answer: DebugProtocol.Response) => void>();
  /** Requests to the client that the adapter knows nothing about. */
  readonly #ours = new Set<number>();
  /** The client's requests, for the arguments of answers that are corrected. */
  readonly #args = new Map<number, unknown>();
  #closed = false;

  constructor(inner: Transport, dialect: Dialect) {
    this.#inner = inner;
    this.#dialect = dialect;
  }

  start(onMessage: (message: Message) => void, onClose: (reason: CloseReason) => void): void {
    this.#toClient = onMessage;
    this.#inner.start(
      (message) => this.#fromAdapter(message),
      (reason) => {
        this.#closed = true;
        for (const [seq, answer] of this.#asked) answer(refusal(seq, "", reason.why));
        this.#asked.clear();
        this.#dialect.closed?.();
        onClose(this.#dialect.explain?.(reason) ?? reason);
      },
    );
  }

  send(message: Message): void {
    if (message.type === "response") {
      const { request_seq } = message as DebugProtocol.Response;
      if (!this.#ours.delete(request_seq)) this.#inner.send(message);
      return;
    }
    const request = message as DebugProtocol.Request;
    const { command, seq } = request;
    if (this.#dialect.responses?.[command]) this.#args.set(seq, request.arguments);
    const changed = attempt(
      () => this.#dialect.requests?.[command]?.(request.arguments ?? {}, this),
      (error) => ({
        answer: Promise.reject(error),
      }),
    );
    if (changed === undefined) this.#inner.send(message);
    else if ("args" in changed) this.#inner.send({ ...request, arguments: changed.args } as Message);
    else this.#answer(request, changed.answer);
  }

  close(): void {
    this.#inner.close();
  }

  emit(event: string, body?: unknown): void {
    this.#toClient({ seq: this.#seq++, type: "event", event, body } as Message);
  }

  ask(command: string, args?: unknown, withinMs = ASK_MS): Promise<Asked> {
    const seq = this.#seq++;
    if (this.#closed) return Promise.resolve(refusal(seq, command, "the connection is closed"));
    return new Promise((resolve) => {
      const late = () => {
        this.#asked.delete(seq);
        resolve({ ...refusal(seq, command, `no answer within ${withinMs / 1000} s`), unanswered: true });
      };
      const timer = setTimeout(late, withinMs).unref();
      this.#asked.set(seq, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      this.#inner.send({ seq, type: "request", command, arguments: args } as Message);
    });
  }

  askClient(command: string, args: unknown): void {
    const seq = this.#seq++;
    this.#ours.add(seq);
    this.#toClient({ seq, type: "request", command, arguments: args } as Message);
  }

  #fromAdapter(message: Message): void {
    if (message.type === "event") {
      const event = message as DebugProtocol.Event;
      const correct = this.#dialect.events?.[event.event];
      const body = correct
        ? attempt(
            () => correct(event.body ?? {}, this),
            // Not understood, so not corrected: better as it came than not at all.
            () => event.body,
          )
        : event.body;
      if (!correct) this.#toClient(message);
      else if (body !== undefined) this.#toClient({ ...event, body } as Message);
    } else if (message.type === "response") this.#responded(message as DebugProtocol.Response);
    else this.#toClient(message);
  }

  #responded(response: DebugProtocol.Response): void {
    const ours = this.#asked.get(response.request_seq);
    this.#asked.delete(response.request_seq);
    if (ours) {
      ours(response);
      return;
    }
    const args = this.#args.get(response.request_seq);
    this.#args.delete(response.request_seq);
    const correct = this.#dialect.responses?.[response.command];
    if (!correct || !response.success) {
      this.#toClient(response);
      return;
    }
    const corrected = attempt<object>(
      () => ({ ...response, body: correct(response.body ?? {}, args) }),
      (error) => ({
        ...response,
        success: false,
        message: `an invalid reply: ${error.message}`,
      }),
    );
    this.#toClient(corrected as Message);
  }

  #answer(request: DebugProtocol.Request, answer: Promise<unknown>): void {
    const { seq: request_seq, command } = request;
    const reply = (rest: object) =>
      this.#toClient({ seq: this.#seq++, type: "response", request_seq, command, ...rest } as Message);
    answer.then(
      (body) => reply({ success: true, body }),
      (error: unknown) =>
        reply({ success: false, message: error instanceof Error ? error.message : String(error) }),
    );
  }
}

/** What an adapter sends may be anything; a correction that stumbles over it must not lose it, nor what comes after it. */
function attempt<T>(correct: () => T, otherwise: (error: Error) => T): T {
  try {
    return correct();
  } catch (error) {
    return otherwise(error instanceof Error ? error : new Error(String(error)));
  }
}

function refusal(request_seq: number, command: string, message: string): DebugProtocol.Response {
  return { seq: 0, type: "response", request_seq, command, success: false, message };
}
