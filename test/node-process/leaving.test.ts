/** How a connection to an inspector ends. The inspector is a socket of ours, so that the order of bytes is known. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { connectInspector } from "../../src/adapters/node/process/connection.ts";

interface Request {
  id: number;
  method: string;
}

/** The text frames of a client, unmasked. */
function* frames(bytes: Buffer): Generator<{ text: string; length: number }> {
  for (let at = 0; bytes.length >= at + 8; ) {
    const short = (bytes[at + 1] ?? 0) & 0x7f;
    const [size, from] = short === 126 ? [bytes.readUInt16BE(at + 2), at + 8] : [short, at + 6];
    if (bytes.length < from + size) return;
    const key = bytes.subarray(from - 4, from);
    const text = Buffer.from(bytes.subarray(from, from + size).map((byte, i) => byte ^ (key[i & 3] ?? 0)));
    yield { text: text.toString(), length: from + size - at };
    at = from + size;
  }
}

/** An inspector that answers when it is told to. */
class Inspector {
  readonly asked: Request[] = [];
  ended = false;
  readonly #server: Server = createServer();
  #socket: Duplex | undefined;
  #rest = Buffer.alloc(0);
  #wake: () => void = () => {};

  async listen(): Promise<string> {
    this.#server.on("upgrade", ({ headers }, socket: Duplex) => {
      this.#socket = socket;
      const accept = createHash("sha1").update(
        `${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`,
      );
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept.digest("base64")}\r\n\r\n`,
      );
      socket.on("data", (chunk: Buffer) => this.#read(chunk));
      socket.on("end", () => {
        this.ended = true;
        socket.end();
        this.#wake();
      });
    });
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    onTestFinished(() => {
      this.#socket?.destroy();
      this.#server.close();
    });
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/x`;
  }

  answer({ id }: Request): void {
    const text = Buffer.from(JSON.stringify({ id, result: {} }));
    this.#socket?.write(Buffer.concat([Buffer.from([0x81, text.length]), text]));
  }

  /** Returns when so much has been asked, or the client has gone. */
  async hears(count: number): Promise<void> {
    while (this.asked.length < count && !this.ended)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }

  async hearsTheEnd(): Promise<void> {
    await this.hears(Number.POSITIVE_INFINITY);
  }

  #read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (const { text, length } of frames(this.#rest)) {
      this.#rest = this.#rest.subarray(length);
      this.asked.push(JSON.parse(text) as Request);
    }
    this.#wake();
  }
}

test("the stream ends behind the last answer: Node dies of an answer it gives while the stream ends", async () => {
  const inspector = new Inspector();
  const { cdp, close } = await connectInspector(await inspector.listen(), () => {});
  const pending = cdp.send("Runtime.enable");
  close();
  await expect(pending).rejects.toThrow("the debugger disconnected");
  await expect(cdp.send("Debugger.enable", {})).rejects.toThrow("the debugger disconnected");
  await inspector.hears(2);
  expect(inspector.ended).toBe(false);
  const [first, last] = inspector.asked;
  if (first === undefined || last === undefined) throw new Error("it was asked less than twice");
  expect(first.method).toBe("Runtime.enable");
  inspector.answer(first);
  inspector.answer(last);
  await inspector.hearsTheEnd();
  expect(inspector.asked).toHaveLength(2);
});

test("an inspector that does not answer is left all the same", async () => {
  const inspector = new Inspector();
  const { cdp, close } = await connectInspector(await inspector.listen(), () => {});
  close();
  await cdp.closed;
  await inspector.hearsTheEnd();
});
