/** Bytes from an inspector into WebSocket messages (RFC 6455 §5). Pure. */

const MAX_PAYLOAD = 256 * 1024 * 1024;
const CONTINUATION = 0x0;

export interface WebSocketMessage {
  opcode: number;
  payload: Buffer;
}

export class FrameReader {
  /** Joined only when a frame is whole, so that a big message costs one copy. */
  #chunks: Buffer[] = [];
  #size = 0;
  /** Bytes needed before it is worth looking again. */
  #needed = 2;
  /** The beginning of a message that comes in several frames. */
  #begun: { opcode: number; parts: Buffer[]; size: number } | undefined;

  push(chunk: Buffer): WebSocketMessage[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const messages: WebSocketMessage[] = [];
    while (this.#size >= this.#needed) {
      const bytes = this.#chunks.length === 1 ? (this.#chunks[0] ?? chunk) : Buffer.concat(this.#chunks);
      this.#chunks = [bytes];
      const extent = measure(bytes);
      this.#needed = extent.end;
      if (!extent.whole || bytes.length < extent.end) continue;
      const message = this.#assemble(bytes[0] ?? 0, bytes.subarray(extent.start, extent.end));
      if (message) messages.push(message);
      this.#chunks = [bytes.subarray(extent.end)];
      this.#size = bytes.length - extent.end;
      this.#needed = 2;
    }
    return messages;
  }

  #assemble(first: number, payload: Buffer): WebSocketMessage | undefined {
    const final = (first & 0x80) !== 0;
    const opcode = first & 0x0f;
    // Control frames may come between the parts of a message.
    if (opcode >= 0x8) return { opcode, payload };
    if (opcode !== CONTINUATION) {
      if (final) return { opcode, payload };
      this.#begun = { opcode, parts: [payload], size: payload.length };
      return undefined;
    }
    const begun = this.#begun;
    if (begun === undefined) throw new Error("the inspector continued a message that it never started");
    begun.parts.push(payload);
    begun.size += payload.length;
    if (begun.size > MAX_PAYLOAD) throw tooBig(begun.size);
    if (!final) return undefined;
    this.#begun = undefined;
    return { opcode: begun.opcode, payload: Buffer.concat(begun.parts) };
  }
}

/** Where the payload lies; `whole` is false while the header itself is incomplete, `end` then says how much of it to wait for. */
function measure(bytes: Buffer): { whole: boolean; start: number; end: number } {
  const second = bytes[1] ?? 0;
  if ((second & 0x80) !== 0) throw new Error("the inspector sent a masked frame");
  const short = second & 0x7f;
  const start = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (bytes.length < start) return { whole: false, start, end: start };
  const length =
    short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short;
  if (length > MAX_PAYLOAD) throw tooBig(length);
  return { whole: true, start, end: start + length };
}

function tooBig(size: number): Error {
  return new Error(`the inspector sent a message of ${size} bytes; the limit is ${MAX_PAYLOAD}`);
}
