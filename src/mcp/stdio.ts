/**
 * Messages on standard streams, one a line. Invalid ones get a JSON-RPC error, and what follows them is served. The SDK's own
 * transport drops them without an answer, has no bound on their length, and offers no place to change that.
 */
import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { safeJson } from "../util/safe-json.ts";
import { type Data, isData } from "./data.ts";

/** Longer than anything that the daemon would take. */
const LONGEST = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  /** Of a line whose end has not come yet; of one that is too long only its length. */
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.on("data", this.#read).on("error", this.#failed);
  }

  async close(): Promise<void> {
    this.#input.off("data", this.#read).off("error", this.#failed).pause();
    this.onclose?.();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#write(message);
  }

  #write(message: object): Promise<void> {
    return new Promise((done) => {
      if (this.#output.write(`${safeJson(message)}\n`)) done();
      else this.#output.once("drain", done);
    });
  }

  readonly #failed = (error: Error): void => this.onerror?.(error);

  readonly #read = (chunk: Buffer): void => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#gather(chunk.subarray(start, end));
      this.#line();
      start = end + 1;
    }
    this.#gather(chunk.subarray(start));
  };

  #gather(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > LONGEST) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  #line(): void {
    const isTooLong = this.#length > LONGEST;
    const text = Buffer.concat(this.#pieces).toString("utf8");
    this.#pieces = [];
    this.#length = 0;
    if (isTooLong) this.#refuse(ErrorCode.InvalidRequest, `a message is at most ${LONGEST} bytes long`);
    else if (text.trim() !== "") this.#take(text);
  }

  #take(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      this.#refuse(
        ErrorCode.ParseError,
        `Parse error: ${error instanceof Error ? error.message : "no JSON"}`,
      );
      return;
    }
    const message = JSONRPCMessageSchema.safeParse(value);
    if (message.success) this.onmessage?.(message.data);
    else this.#noMessage(value);
  }

  #noMessage(value: unknown): void {
    const { method, id }: Data = isData(value) ? value : {};
    const isAnswer = isData(value) && ("result" in value || "error" in value);
    const what = `Invalid request: ${whatIsWrong(value)}`;
    // An answer to an answer could go on for ever.
    if (method === undefined && isAnswer) this.onerror?.(new Error(what));
    else this.#refuse(ErrorCode.InvalidRequest, what, isId(id) ? id : null);
  }

  #refuse(code: ErrorCode, message: string, id: string | number | null = null): void {
    this.onerror?.(new Error(message));
    void this.#write({ jsonrpc: "2.0", id, error: { code, message } });
  }
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isInteger(value);
}

function whatIsWrong(value: unknown): string {
  if (Array.isArray(value)) return "batches are not supported: send one message per line";
  if (!isData(value)) return "a message must be an object";
  if (value.jsonrpc !== "2.0") return '`jsonrpc` must be "2.0"';
  if (typeof value.method !== "string") return "`method` must be a string";
  if (value.id === undefined) return "this is not a notification";
  if (!isId(value.id)) return "`id` must be a string or an integer";
  if (value.params !== undefined && !isData(value.params)) return "`params` must be an object";
  const others = Object.keys(value).filter((key) => !["jsonrpc", "id", "method", "params"].includes(key));
  return others.length > 0
    ? `a request must not have \`${others[0]}\``
    : "`params` contains something invalid";
}
