/** What nobody changes passes as it came, byte for byte, in both directions. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { ask, openRig, type Rig } from "./rig.ts";

let rig: Rig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

/** Numbers that JavaScript cannot hold, a key twice, escapes that need not be, white space, an integer-like key before others. */
const ODD =
  '{ "2":1,"1":2,\t"model":"m","model" : "m\\u0061", "n":12345678901234567890.10,\r\n"stream":true,\n"messages":[{"role":"user","content":"gr\\u00fc\\u00df \\/ 😀"}] }\n';

const SSE = "text/event-stream";
const STREAM = Buffer.from(
  [
    ": hello",
    "",
    'event: message_start\r\ndata: {"type":"message_start","message":{"id":"m1","model":"claude","usage":{"input_tokens":3}}}\r\n\r',
    'event: unheard_of\ndata: {"type":"unheard_of",\ndata: "x":1}\n',
    'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n',
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"größer 😀 ✓"}}\n',
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" \\"quoted\\" \\u00fc"} }\n',
    'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n',
    'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":7,"cache_read_input_tokens":2}}\n',
    'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  ].join("\n"),
);

/** A server that writes its bytes in pieces of a size, and keeps what it was sent. */
async function inPieces(size: number): Promise<{ url: string; close(): void; bodies: Buffer[] }> {
  const bodies: Buffer[] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push(Buffer.concat(chunks));
    response.writeHead(200, { "Content-Type": SSE });
    for (let at = 0; at < STREAM.length; at += size) {
      response.write(STREAM.subarray(at, at + size));
      await new Promise((next) => setImmediate(next));
    }
    response.end();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close, bodies };
}

describe.each([1, 7, 100_000])("in pieces of %i bytes", (size) => {
  test.each(["while nobody watches tools", "while tools are watched"])("%s", async (how) => {
    const upstream = await inPieces(size);
    rig = await openRig([], { upstreams: { anthropic: upstream.url } });
    if (how.includes("are watched"))
      await rig.command("breakpoint", { action: "add", on: "tool", name: "bash" });
    const answer = await ask(`${rig.proxy.url}/v1/messages`, { body: ODD });
    upstream.close();
    expect(upstream.bodies[0]?.toString()).toBe(ODD);
    expect(answer.body.toString()).toBe(STREAM.toString());
    expect(answer.status).toBe(200);
    const [response] = rig.ofType("api_response");
    expect(response).toMatchObject({
      id: "m1",
      model: "claude",
      stopReason: "end_turn",
      usage: { inputTokens: 5, outputTokens: 7, cacheReadTokens: 2, cacheCreationTokens: 0 },
      contentType: SSE,
      status: 200,
      content: JSON.stringify([{ kind: "text", text: 'größer 😀 ✓ "quoted" ü' }]),
    });
    const raw = response?.raw as { blob: string };
    expect(rig.log.blobs.read(raw.blob).equals(STREAM)).toBe(true);
  });
});

describe("headers", () => {
  test("keep their order and their case; those of one connection are dropped", async () => {
    rig = await openRig([{ text: "hi", headers: { "X-Custom-Answer": "yes", "Set-Cookie": "a=1" } }]);
    const answer = await ask(`${rig.proxy.url}/v1/messages?beta=true`, {
      headers: {
        "X-Zulu": "1",
        Authorization: "Bearer t",
        "anthropic-BETA": "a,b",
        "Keep-Alive": "timeout=5",
        "Accept-Encoding": "gzip, br",
      },
      body: '{"model":"m","messages":[]}',
    });
    const seen = await rig.provider.next();
    expect(seen.url).toBe("/v1/messages?beta=true");
    const names = seen.headers.map(([name]) => name);
    expect(names.slice(0, 4)).toEqual(["X-Zulu", "Authorization", "anthropic-BETA", "Accept-Encoding"]);
    expect(names).not.toContain("Keep-Alive");
    expect(seen.header("accept-encoding")).toBe("identity");
    expect(seen.header("host")).toBe(`127.0.0.1:${rig.provider.port}`);
    expect(seen.header("content-length")).toBe("27");
    expect(answer.rawHeaders).toContain("X-Custom-Answer");
    expect(answer.headers["set-cookie"]).toEqual(["a=1"]);
  });
});

describe("other requests", () => {
  test("pass untouched: HEAD /, the list of models", async () => {
    rig = await openRig([]);
    expect((await ask(`${rig.proxy.url}/`, { method: "HEAD" })).status).toBe(200);
    expect((await ask(rig.proxy.url, { method: "HEAD" })).status).toBe(200);
    const headers = { "anthropic-version": "2023-06-01" };
    const models = await ask(`${rig.proxy.url}/v1/models`, { method: "GET", headers });
    expect(JSON.parse(models.text)).toMatchObject({ has_more: false });
    const others = await ask(`${rig.proxy.url}/v1/models`, { method: "GET" });
    expect(JSON.parse(others.text)).toMatchObject({ object: "list" });
    expect(rig.ofType("api_request")).toEqual([]);
    expect(rig.proxy.counts).toMatchObject({ calls: 0, passed: 4 });
  });

  test("a count of tokens is recorded as auxiliary and never held", async () => {
    rig = await openRig([]);
    await rig.command("pause");
    const answer = await ask(`${rig.proxy.url}/v1/messages/count_tokens`, { body: '{"messages":[]}' });
    expect(JSON.parse(answer.text)).toEqual({ input_tokens: 4 });
    expect(rig.ofType("api_request")).toMatchObject([{ class: "auxiliary" }]);
  });

  test("a body that is too long passes unread, and that is said", async () => {
    rig = await openRig([{ text: "fine" }], { maxBodyBytes: 1000 });
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "x".repeat(300_000) }] });
    const answer = await ask(`${rig.proxy.url}/v1/messages`, { body });
    expect(answer.status).toBe(200);
    expect((await rig.provider.next()).text).toBe(body);
    expect(rig.ofType("api_request")).toEqual([]);
    expect(rig.ofType("error")).toMatchObject([{ message: expect.stringContaining("without being read") }]);
  });
});

describe("who may come in", () => {
  test("nobody without the token, or under another name for this machine", async () => {
    rig = await openRig([]);
    const { port, url, token, bareUrl } = rig.proxy;
    const body = '{"messages":[]}';
    const status = async (to: string, headers = {}) => (await ask(to, { headers, body })).status;
    expect(await status(`${bareUrl}/v1/messages`)).toBe(404);
    expect(await status(`${bareUrl}/${token.slice(1)}/v1/messages`)).toBe(404);
    expect(await status(`${url}/v1/messages`, { host: `evil.example:${port}` })).toBe(404);
    expect(await status(`${bareUrl}/v1/messages`, { "x-sonde-token": "no" })).toBe(404);
    expect(rig.provider.requests).toEqual([]);
    expect(await status(`${bareUrl}/v1/messages`, { "x-sonde-token": token })).toBe(200);
    expect((await rig.provider.next()).header("x-sonde-token")).toBeUndefined();
  });

  test("a WebSocket is refused at once", async () => {
    rig = await openRig([]);
    const headers = { connection: "upgrade", upgrade: "websocket" };
    const answer = await ask(`${rig.proxy.url}/v1/responses`, { method: "GET", headers });
    expect(answer.status).toBe(426);
  });
});

describe("errors", () => {
  test.each([400, 401, 429, 529])("%i passes as it is", async (status) => {
    rig = await openRig([{ error: { status, headers: { "retry-after": "3", "x-should-retry": "true" } } }]);
    const direct = await openRig([
      { error: { status, headers: { "retry-after": "3", "x-should-retry": "true" } } },
    ]);
    const body = '{"model":"m","messages":[]}';
    const through = await ask(`${rig.proxy.url}/v1/messages`, { body });
    const plain = await ask(`${direct.provider.url}/v1/messages`, { body });
    await direct.close();
    expect(through.text).toBe(plain.text);
    expect(through.status).toBe(status);
    expect(through.headers["retry-after"]).toBe("3");
    expect(rig.ofType("api_error")).toMatchObject([{ status, errorType: JSON.parse(plain.text).error.type }]);
  });

  test("an upstream that is not there is named, in the wire's own shape", async () => {
    rig = await openRig([], {
      upstreams: { anthropic: "http://127.0.0.1:1", openai: "http://127.0.0.1:1/v1" },
    });
    const body = '{"model":"m","messages":[]}';
    const answer = await ask(`${rig.proxy.url}/v1/messages`, { body });
    expect(answer.status).toBe(502);
    expect(answer.headers["x-should-retry"]).toBe("false");
    expect(JSON.parse(answer.text)).toMatchObject({
      type: "error",
      error: { type: "api_error", message: expect.stringContaining("http://127.0.0.1:1") },
    });
    const chat = await ask(`${rig.proxy.url}/v1/chat/completions`, { body });
    expect(JSON.parse(chat.text)).toMatchObject({
      error: { message: expect.stringContaining("127.0.0.1:1") },
    });
    expect((await ask(`${rig.proxy.url}/v1/models`, { method: "GET" })).status).toBe(502);
  });

  test("an error in the stream passes and is recorded", async () => {
    rig = await openRig([{ text: "hello there", streamError: { status: 529, after: 4 } }]);
    const answer = await ask(`${rig.proxy.url}/v1/messages`, { body: '{"stream":true,"messages":[]}' });
    expect(answer.text).toContain("event: error");
    expect(rig.ofType("api_error")).toMatchObject([{ errorType: "overloaded_error" }]);
  });

  test("a stream that is cut is cut for the client too", async () => {
    rig = await openRig([{ text: "hello there", cutAfter: 4 }]);
    await expect(
      ask(`${rig.proxy.url}/v1/messages`, { body: '{"stream":true,"messages":[]}' }),
    ).rejects.toThrow();
    await expect.poll(() => rig?.ofType("api_error")).toMatchObject([{ errorType: "connection_lost" }]);
  });

  test("a client that leaves takes its upstream call along", async () => {
    rig = await openRig([{ text: "hello there", hang: 4 }]);
    const leave = new AbortController();
    const answer = ask(`${rig.proxy.url}/v1/messages`, {
      body: '{"stream":true,"messages":[]}',
      signal: leave.signal,
    });
    const seen = await rig.provider.next();
    leave.abort();
    await expect(answer).rejects.toThrow();
    expect(await seen.closed).toBe("aborted");
    await expect.poll(() => rig?.ofType("api_error")).toMatchObject([{ errorType: "client_closed" }]);
    expect(rig.proxy.counts.open).toBe(0);
  });
});
