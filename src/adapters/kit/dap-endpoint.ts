/** The adapter's end of a DAP conversation: exactly one response to every request, events in order, requests of our own. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Message } from "../../dap/transport.ts";

export type RequestHandler = (command: string, args: unknown) => Promise<object | undefined>;

interface Pending {
  resolve(body: unknown): void;
  reject(error: Error): void;
}

export class DapEndpoint {
  readonly #send: (message: Message) => void;
  readonly #handle: RequestHandler;
  readonly #pending = new Map<number, Pending>();
  #seq = 0;
  #closed = false;

  constructor(send: (message: Message) => void, handle: RequestHandler) {
    this.#send = send;
    this.#handle = handle;
  }

  receive(message: Message): void {
    if (message.type === "request") void this.#answer(message as DebugProtocol.Request);
    else if (message.type === "response") this.#settle(message as DebugProtocol.Response);
  }

  emit(event: string, body: object): void {
    this.#post({ type: "event", event, body });
  }

  /** Rejects when the client refuses, or goes away first. */
  request(command: string, args: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new Error("the client disconnected"));
      // The number the next message will get, stored first: an in-process peer may answer during the write.
      this.#pending.set(this.#seq + 1, { resolve, reject });
      this.#post({ type: "request", command, arguments: args });
    });
  }

  close(): void {
    this.#closed = true;
    for (const { reject } of this.#pending.values()) reject(new Error("the client disconnected"));
    this.#pending.clear();
  }

  async #answer({ seq, command, arguments: args }: DebugProtocol.Request): Promise<void> {
    const response = { type: "response", request_seq: seq, command };
    try {
      const body = await this.#handle(command, args);
      this.#post({ ...response, success: true, ...(body === undefined ? {} : { body }) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#post({ ...response, success: false, message, body: { error: { id: 1, format: message } } });
    }
  }

  #settle(response: DebugProtocol.Response): void {
    const pending = this.#pending.get(response.request_seq);
    this.#pending.delete(response.request_seq);
    if (response.success) pending?.resolve(response.body);
    else pending?.reject(new Error(response.message ?? "refused without a reason"));
  }

  #post(message: { type: string } & Record<string, unknown>): void {
    if (!this.#closed) this.#send({ seq: ++this.#seq, ...message });
  }
}
