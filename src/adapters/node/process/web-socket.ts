/**
 * A WebSocket client for one kind of server: a JavaScript inspector on the loopback.
 *
 * It exists because Node's inspector leaves Nagle's algorithm on: a small message is held back until we acknowledged the one
 * before, and our kernel delays a bare acknowledgement by 40 ms. An acknowledgement rides for free on any byte we send, so
 * each chunk received is answered with one byte of our *next* frame: its header, then leading blanks of its JSON. The
 * inspector's I/O thread waits for the rest of the frame; the program notices nothing. To make those bytes known in
 * advance the frame has a fixed length and the command that fills it is padded with blanks.
 */
import { randomBytes } from "node:crypto";
import { request } from "node:http";
import type { Socket } from "node:net";
import { FrameReader } from "./web-socket-frames.ts";

/** Fixed payload of a frame that was begun early. Longer commands travel in a frame of their own. */
const EARLY_LENGTH = 4096;
/** What fills an early frame that the next command does not fit into; its answer (an unknown method) is ignored. */
const FILLER = Buffer.from('{"id":1000000000,"method":"Sonde.filler"}');
const BLANK = 0x20;
const TEXT = 0x1;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;

export interface SocketListener {
  onText(text: string): void;
  /** Once, whoever closed it. */
  onClose(why: string): void;
}

/** Rejects with a plain Error that names the address. */
export function openWebSocket(url: string, timeoutMs: number): Promise<WebSocketClient> {
  const { protocol, hostname, port, pathname, search } = new URL(url);
  if (protocol !== "ws:") throw new Error(`cannot connect to ${url}: only ws:// addresses are supported`);
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`cannot connect to the inspector at ${url}: ${why}`));
    const upgrade = request({
      host: hostname.replace(/^\[|\]$/g, ""),
      port: port || 80,
      path: pathname + search,
      agent: false,
      headers: {
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
      },
    });
    // Not the request's own timeout option: that one would stay on the socket and cut a quiet session.
    const timer = setTimeout(
      () => upgrade.destroy(new Error(`no response within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    upgrade.on("error", (error) => {
      clearTimeout(timer);
      fail(error.message);
    });
    upgrade.on("response", (response) => {
      clearTimeout(timer);
      response.resume();
      fail(`it is not an inspector (HTTP status ${response.statusCode})`);
    });
    upgrade.on("upgrade", (_response, socket, head) => {
      clearTimeout(timer);
      resolve(new WebSocketClient(socket as Socket, head));
    });
    upgrade.end();
  });
}

export class WebSocketClient {
  readonly #socket: Socket;
  readonly #reader = new FrameReader();
  /** The frame begun early: all its bytes still unsent, header included. */
  #early: EarlyFrame | undefined;
  #closed = false;

  constructor(socket: Socket, head: Buffer) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setTimeout(0);
    socket.pause();
    if (head.length > 0) socket.unshift(head);
  }

  /** Nothing is read before this. */
  start(listener: SocketListener): void {
    const end = (why: string) => {
      if (this.#closed) return;
      this.#closed = true;
      this.#socket.destroy();
      listener.onClose(why);
    };
    this.#socket.on("data", (chunk: Buffer) => {
      if (this.#closed) return;
      this.#acknowledge();
      try {
        for (const { opcode, payload } of this.#reader.push(chunk)) {
          if (opcode === TEXT) listener.onText(payload.toString("utf8"));
          else if (opcode === PING) this.#write(PONG, payload);
          else if (opcode === CLOSE) end("the inspector closed the connection");
        }
      } catch (error) {
        end(error instanceof Error ? error.message : String(error));
      }
    });
    this.#socket.on("error", (error) => end(error.message));
    this.#socket.on("end", () => end("the inspector closed the connection"));
    this.#socket.on("close", () => end("the connection was closed"));
    this.#socket.resume();
  }

  send(text: string): void {
    this.#write(TEXT, Buffer.from(text, "utf8"));
  }

  /** Ends the connection; an inspector takes the end of the stream for a good-bye. */
  close(): void {
    this.#socket.end();
    this.#socket.destroySoon();
  }

  #write(opcode: number, payload: Buffer): void {
    if (this.#closed || this.#socket.writableEnded) return;
    const early = this.#early;
    this.#early = undefined;
    if (early === undefined) this.#socket.write(frame(opcode, payload));
    else if (opcode === TEXT && payload.length <= early.room) this.#socket.write(early.finish(payload));
    else this.#socket.write(Buffer.concat([early.finish(FILLER), frame(opcode, payload)]));
  }

  #acknowledge(): void {
    if (this.#socket.writableEnded) return;
    this.#early ??= new EarlyFrame();
    if (this.#early.room > FILLER.length) this.#socket.write(this.#early.next());
    else {
      this.#socket.write(this.#early.finish(FILLER));
      this.#early = undefined;
    }
  }
}

/** A text frame sent byte by byte before its content is known. */
class EarlyFrame {
  readonly #key = randomBytes(4);
  readonly #header = header(TEXT, EARLY_LENGTH, this.#key);
  #sent = 0;

  /** Payload bytes that are still free. */
  get room(): number {
    return EARLY_LENGTH - Math.max(0, this.#sent - this.#header.length);
  }

  next(): Buffer {
    const at = this.#sent++;
    if (at < this.#header.length) return this.#header.subarray(at, at + 1);
    const byte = Buffer.of(BLANK);
    mask(byte, this.#key, at - this.#header.length);
    return byte;
  }

  finish(payload: Buffer): Buffer {
    const rest = Buffer.alloc(this.room, BLANK);
    payload.copy(rest);
    mask(rest, this.#key, EARLY_LENGTH - rest.length);
    return Buffer.concat([this.#header.subarray(Math.min(this.#sent, this.#header.length)), rest]);
  }
}

function frame(opcode: number, payload: Buffer): Buffer {
  const key = randomBytes(4);
  const bytes = Buffer.concat([header(opcode, payload.length, key), payload]);
  mask(bytes.subarray(bytes.length - payload.length), key, 0);
  return bytes;
}

function header(opcode: number, length: number, key: Buffer): Buffer {
  const first = 0x80 | opcode;
  if (length < 126) return Buffer.from([first, 0x80 | length, ...key]);
  if (length < 65_536) return Buffer.from([first, 0x80 | 126, length >> 8, length & 0xff, ...key]);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(length));
  return Buffer.from([first, 0x80 | 127, ...size, ...key]);
}

/** In place; `offset` is where the bytes lie in the frame's payload. */
function mask(bytes: Buffer, key: Buffer, offset: number): void {
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = (bytes[i] ?? 0) ^ (key[(offset + i) & 3] ?? 0);
  }
}
