import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Decoder, encode, FramingError } from "../../src/dap/framing.ts";

const object = fc.dictionary(fc.string(), fc.jsonValue());

/** A copy as JSON sees it: no -0, no undefined. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function frame(body: string | Buffer, header = `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`): Buffer {
  return Buffer.concat([Buffer.from(header), Buffer.from(body)]);
}

function decode(...chunks: Buffer[]): unknown[] {
  const decoder = new Decoder();
  return chunks.flatMap((chunk) => decoder.push(chunk));
}

function failure(...chunks: (Buffer | string)[]): FramingError {
  try {
    decode(...chunks.map((chunk) => Buffer.from(chunk)));
  } catch (error) {
    if (error instanceof FramingError) return error;
    throw error;
  }
  throw new Error("no FramingError");
}

describe("framing", () => {
  test("what is encoded is decoded, wherever the bytes are cut", () => {
    fc.assert(
      fc.property(fc.array(object), fc.array(fc.nat()), (messages, cuts) => {
        const bytes = Buffer.concat(messages.map(encode));
        const places = [
          0,
          ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b),
          bytes.length,
        ];
        const chunks = places.slice(1).map((end, i) => bytes.subarray(places[i], end));
        expect(decode(...chunks)).toEqual(plain(messages));
      }),
    );
  });

  test("one byte at a time, with characters of several bytes and extra headers", () => {
    const bytes = Buffer.concat([
      encode({ text: "naïve 𝄞 \u2028" }),
      frame(
        '{"a":1}',
        "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:  7 \r\nX-Y:\r\n\r\n",
      ),
    ]);
    expect(decode(...[...bytes].map((byte) => Buffer.from([byte])))).toEqual([
      { text: "naïve 𝄞 \u2028" },
      { a: 1 },
    ]);
  });

  test("lone surrogates and invalid UTF-8 stay valid JSON", () => {
    expect(decode(encode({ text: "\ud800" }))).toEqual([{ text: "\ud800" }]);
    const bad = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    expect(decode(frame(bad, `Content-Length: ${bad.length}\r\n\r\n`))).toEqual([{ a: "\ufffd\ufffd" }]);
  });

  test("a body of 32 MiB in 4 KiB chunks takes linear time", () => {
    const bytes = encode({ text: "x".repeat(32 * 1024 * 1024) });
    const decoder = new Decoder();
    const started = performance.now();
    let messages = 0;
    for (let i = 0; i < bytes.length; i += 4096) messages += decoder.push(bytes.subarray(i, i + 4096)).length;
    expect(messages).toBe(1);
    expect(performance.now() - started).toBeLessThan(3000);
  });

  test.each([
    ["no length", "Content-Type: x\r\n\r\n{}"],
    ["negative length", "Content-Length: -1\r\n\r\n"],
    ["length in words", "Content-Length: two\r\n\r\n{}"],
    ["hexadecimal length", "Content-Length: 0x2\r\n\r\n{}"],
    ["fraction", "Content-Length: 2.0\r\n\r\n{}"],
    ["empty length", "Content-Length:\r\n\r\n{}"],
    ["huge length", "Content-Length: 67108865\r\n\r\n"],
    ["absurd length", `Content-Length: ${"9".repeat(400)}\r\n\r\n`],
    ["two lengths", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"],
    ["empty header", "\r\n\r\n{}"],
    ["line feeds only", "Content-Length: 2\n\n{}"],
    ["a line of text", "error: unknown option --dap\n"],
    ["a traceback", "Traceback (most recent call last):"],
    ["binary", Buffer.from([0, 1, 2, 3])],
    ["a header without end", "X".repeat(9000)],
    ["a long header without end", `X: ${"y".repeat(9000)}`],
    ["not JSON", frame("{nope")],
    ["no body", frame("")],
    ["a list", frame("[1]")],
    ["a number", frame("1")],
    ["null", frame("null")],
  ])("%s is an error", (_name, bytes) => {
    expect(failure(bytes).message).not.toBe("");
    expect(failure(...[...Buffer.from(bytes)].map((byte) => Buffer.from([byte]))).message).not.toBe("");
  });

  test("an error quotes what came, within limits", () => {
    expect(failure("error: bad \u001b[31m flag\n").message).toBe(
      'expected a Content-Length header, got "error: bad \\u001b[31m flag\\n"',
    );
    expect(failure(`X${"y".repeat(1e6)}`).message.length).toBeLessThan(200);
  });

  test("messages before the damage are not lost", () => {
    expect(
      failure(Buffer.concat([encode({ a: 1 }), encode({ b: 2 }), Buffer.from("oops!")])).decoded,
    ).toEqual([{ a: 1 }, { b: 2 }]);
  });

  test("random bytes are refused or waited for, nothing else", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 })), (chunks) => {
        try {
          decode(...chunks.map((chunk) => Buffer.from(chunk)));
        } catch (error) {
          expect(error).toBeInstanceOf(FramingError);
        }
      }),
    );
  });
});
