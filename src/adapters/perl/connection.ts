/** The debugger inside a Perl process: one request at a time, answered while the program stands; reports in between. */
import type { Socket } from "node:net";
import { StreamTransport } from "../../dap/stream.ts";
import type { Message } from "../../dap/transport.ts";
import { deferred } from "../../util/wait.ts";

// biome-ignore lint/suspicious/noExplicitAny: each request knows its own answer
type Body = any;

interface Pending {
  message: Record<string, unknown>;
  resolve(body: Body): void;
  reject(error: Error): void;
}

export interface Introduction {
  pid: number;
  name: string;
}

export class PerlConnection {
  readonly #transport: StreamTransport;
  readonly #introduced = deferred<Introduction>();
  readonly #waiting: Pending[] = [];
  #reports: { command: string; body: Body }[] = [];
  #onReport: ((command: string, body: Body) => void) | undefined;
  #current: Pending | undefined;
  #seq = 0;
  #closed = false;
  onClose: () => void = () => {};

  constructor(socket: Socket) {
    socket.setNoDelay(true);
    this.#transport = new StreamTransport(socket, socket, { peer: "the Perl program" });
    this.#introduced.promise.catch(() => {});
    this.#transport.start(
      (message) => this.#take(message as unknown as { command: string; arguments?: Body }),
      () => this.#end(),
    );
  }

  get introduction(): Promise<Introduction> {
    return this.#introduced.promise;
  }

  /** Also what was reported before. */
  listen(onReport: (command: string, body: Body) => void): void {
    this.#onReport = onReport;
    for (const { command, body } of this.#reports.splice(0)) onReport(command, body);
  }

  /** A second request in the same packet would be lost, hence the queue. */
  send(command: string, args: object = {}): Promise<Body> {
    if (this.#closed) return Promise.reject(new Error("the program is no longer running"));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ message: { ...args, command, seq: ++this.#seq }, resolve, reject });
      this.#next();
    });
  }

  close(): void {
    this.#transport.close();
  }

  #next(): void {
    if (this.#current) return;
    this.#current = this.#waiting.shift();
    if (this.#current) this.#transport.send(this.#current.message as unknown as Message);
  }

  #take({ command, arguments: body = {} }: { command: string; arguments?: Body }): void {
    if (command === "di_response") {
      const current = this.#current;
      this.#current = undefined;
      if (body?.failed !== undefined) current?.reject(new Error(body.failed));
      else current?.resolve(body);
      this.#next();
    } else if (command === "sonde_called") this.#introduced.resolve(body);
    else if (this.#onReport) this.#onReport(command, body);
    else this.#reports.push({ command, body });
  }

  #end(): void {
    this.#closed = true;
    const gone = new Error("the program is no longer running");
    this.#introduced.reject(gone);
    for (const { reject } of [this.#current, ...this.#waiting.splice(0)].filter((one) => one !== undefined))
      reject(gone);
    this.onClose();
  }
}
