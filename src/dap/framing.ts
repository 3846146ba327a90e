/**
 * DAP's base protocol: `Content-Length: N`, an empty line, N bytes of JSON. Pure: bytes in, messages out.
 * After a FramingError the stream cannot be trusted any more; the transport closes it.
 */
import type { Message } from "./transport.ts";

const MAX_HEADER = 8 * 1024;
const MAX_BODY = 64 * 1024 * 1024;
const HEADER_END = Buffer.from("\r\n\r\n");
const HEADER_LINE = /^([A-Za-z][\w-]*):[ \t]*(.*?)[ \t]*$/;

export class FramingError extends Error {
  override readonly name = "FramingError";
  /** Whole messages that came before the damage, in the same chunk. */
  readonly decoded: Message[];

  constructor(message: string, decoded: Message[] = []) {
    super(message);
    this.decoded = decoded;
  }
}

/** Header and body in one buffer, so that a frame is one write. */
export function encode(message: object): Buffer {
  const body = JSON.stringify(message);
  const length = Buffer.byteLength(body);
  const header = `Content-Length: ${length}\r\n\r\n`;
  const frame = Buffer.allocUnsafe(header.length + length);
  frame.write(header, 0, "latin1");
  frame.write(body, header.length, "utf8");
  return frame;
}

export class Decoder {
  /** Bytes not yet consumed. Joined only when a header is looked for or a body is whole, so a big body costs one copy. */
  #chunks: Buffer[] = [];
  #size = 0;
  /** Length of the body being read; undefined while reading a header. */
  #length: number | undefined;

  push(chunk: Buffer): Message[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const messages: Message[] = [];
    try {
      for (;;) {
        this.#length ??= this.#takeHeader();
        if (this.#length === undefined || this.#size < this.#length) return messages;
        messages.push(parseBody(this.#take(this.#length)));
        this.#length = undefined;
      }
    } catch (error) {
      if (error instanceof FramingError) throw new FramingError(error.message, messages);
      throw error;
    }
  }

  #takeHeader(): number | undefined {
    if (this.#size === 0) return undefined;
    const bytes = this.#join();
    const end = bytes.indexOf(HEADER_END);
    if (end < 0 || end > MAX_HEADER - HEADER_END.length) {
      checkPartialHeader(bytes);
      return undefined;
    }
    const header = bytes.toString("latin1", 0, end);
    this.#take(end + HEADER_END.length);
    return contentLength(header);
  }

  #take(count: number): Buffer {
    const bytes = this.#join();
    const rest = bytes.subarray(count);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
    return bytes.subarray(0, count);
  }

  #join(): Buffer {
    if (this.#chunks.length !== 1) this.#chunks = [Buffer.concat(this.#chunks, this.#size)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }
}

/** Text that can no longer become a header is reported at once: an adapter that prints a usage line must not look slow. */
function checkPartialHeader(bytes: Buffer): void {
  if (bytes.length >= MAX_HEADER)
    throw new FramingError(`no end of header in ${MAX_HEADER} bytes: ${quote(bytes)}`);
  const text = bytes.toString("latin1");
  const lines = text.split("\r\n");
  const last = lines.pop() ?? "";
  if (
    lines.some((line) => !HEADER_LINE.test(line)) ||
    /\n|\r./.test(last) ||
    !/^([A-Za-z][\w-]*(:.*)?)?\r?$/.test(last)
  ) {
    throw new FramingError(`expected a Content-Length header, got ${quote(bytes)}`);
  }
}

const USUAL_HEADER = /^Content-Length: (\d{1,7})$/;

function contentLength(header: string): number {
  const usual = USUAL_HEADER.exec(header)?.[1];
  if (usual !== undefined) return Number(usual);
  let length: string | undefined;
  for (const line of header.split("\r\n")) {
    const field = HEADER_LINE.exec(line);
    if (field === null) throw new FramingError(`bad header line ${quote(line)}`);
    if (field[1]?.toLowerCase() !== "content-length") continue;
    if (length !== undefined && length !== field[2])
      throw new FramingError("two Content-Length headers that differ");
    length = field[2];
  }
  if (length === undefined) throw new FramingError(`no Content-Length in header ${quote(header)}`);
  if (!/^\d+$/.test(length)) throw new FramingError(`bad Content-Length ${quote(length)}`);
  const value = Number(length);
  if (value > MAX_BODY)
    throw new FramingError(`Content-Length ${quote(length)} is over the limit of ${MAX_BODY} bytes`);
  return value;
}

function parseBody(bytes: Buffer): Message {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new FramingError(`a message is not JSON: ${quote(bytes)}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new FramingError(`a message is not a JSON object: ${quote(bytes)}`);
  }
  return value as Message;
}

function quote(bytes: Buffer | string): string {
  const text = typeof bytes === "string" ? bytes : bytes.toString("utf8", 0, 400);
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
