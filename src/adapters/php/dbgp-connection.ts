/** DBGp (https://xdebug.org/docs/dbgp): commands out, XML in, matched by transaction; notifications in between. */
import type { Socket } from "node:net";
import { quotedIfBlank } from "../../util/shell-words.ts";
import { child, type Element, parseXml } from "./xml.ts";

export class DbgpError extends Error {}

interface Pending {
  resolve(response: Element): void;
  reject(error: Error): void;
}

export class DbgpConnection {
  readonly #socket: Socket;
  readonly #pending = new Map<string, Pending>();
  readonly #init: Promise<Element>;
  #read: Buffer = Buffer.alloc(0);
  #transaction = 0;
  #closed = false;
  onNotify: (notification: Element) => void = () => {};
  onClose: () => void = () => {};

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    let introduced: (init: Element) => void = () => {};
    this.#init = new Promise((resolve) => {
      introduced = resolve;
    });
    socket.on("data", (chunk: Buffer) => {
      this.#read = Buffer.concat([this.#read, chunk]);
      for (let packet = this.#packet(); packet !== undefined; packet = this.#packet())
        this.#take(parseXml(packet), introduced);
    });
    socket.on("error", () => {}); // `close` follows
    socket.on("close", () => this.#end());
  }

  /** What the engine says of itself when it has called. */
  get init(): Promise<Element> {
    return this.#init;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Rejects with the engine's words when it refuses. `data` may hold anything. */
  send(
    name: string,
    args: Record<string, string | number | undefined> = {},
    data?: string,
  ): Promise<Element> {
    if (this.#closed) return Promise.reject(new DbgpError("the program is no longer running"));
    const transaction = String(++this.#transaction);
    const words = Object.entries(args).flatMap(([flag, value]) =>
      value === undefined ? [] : [`-${flag}`, quotedIfBlank(String(value))],
    );
    const tail = data === undefined ? [] : ["--", Buffer.from(data).toString("base64")];
    return new Promise((resolve, reject) => {
      this.#pending.set(transaction, { resolve, reject });
      this.#socket.write(`${[name, "-i", transaction, ...words, ...tail].join(" ")}\0`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  /** `length NUL xml NUL` */
  #packet(): string | undefined {
    const end = this.#read.indexOf(0);
    if (end < 0) return undefined;
    const length = Number(this.#read.toString("latin1", 0, end));
    if (this.#read.length < end + length + 2) return undefined;
    const xml = this.#read.toString("utf8", end + 1, end + 1 + length);
    this.#read = this.#read.subarray(end + length + 2);
    return xml;
  }

  #take(element: Element, introduced: (init: Element) => void): void {
    if (element.name === "init") introduced(element);
    if (element.name === "notify") this.onNotify(element);
    const pending = this.#pending.get(element.attributes.transaction_id ?? "");
    if (element.name !== "response" || !pending) return;
    this.#pending.delete(element.attributes.transaction_id ?? "");
    const error = child(element, "error");
    if (error)
      pending.reject(new DbgpError(child(error, "message")?.text || `error ${error.attributes.code}`));
    else pending.resolve(element);
  }

  #end(): void {
    this.#closed = true;
    for (const { reject } of this.#pending.values())
      reject(new DbgpError("the program is no longer running"));
    this.#pending.clear();
    this.onClose();
  }
}
