/** What is compressed is read, held and changed as if it were not; what cannot be read does not pass where it was to be held. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { type Reply, startProvider } from "../provider/index.mjs";
import { type Answer, ask, openRig, type Rig } from "./rig.ts";

let rig: Rig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const PACK = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync } as const;
const ENCODINGS = ["gzip", "deflate", "br"] as const;
const REQUEST = '{ "model":"m\\u0061", "messages":[{"role":"user","content":"hi"}], "n":1.10 }\n';
/** In no Node. */
const STRANGE = "compress";

function send({ proxy }: Rig, encoding: string, body: Buffer, path = "/v1/messages"): Promise<Answer> {
  const headers = { "Content-Encoding": encoding, "content-type": "application/json" };
  return ask(`${proxy.url}${path}`, { headers, body });
}

describe("a request", () => {
  test.each([...ENCODINGS, "GZIP", "deflate, gzip"])(
    "in %s is held, and goes on as it came",
    async (encoding) => {
      rig = await openRig([{ text: "hello" }]);
      await rig.command("pause");
      const bytes = encoding
        .split(", ")
        .reduce((body, one) => PACK[one.toLowerCase() as keyof typeof PACK](body), Buffer.from(REQUEST));
      const answer = send(rig, encoding, bytes);
      await rig.stopped();
      expect(rig.provider.requests).toEqual([]);
      expect(rig.ofType("api_request")).toMatchObject([{ model: "ma", class: "main" }]);
      await rig.command("resume");
      expect((await answer).status).toBe(200);
      const seen = await rig.provider.next();
      expect(seen.raw.equals(bytes)).toBe(true);
      expect(seen.header("content-encoding")).toBe(encoding);
      expect(rig.ofType("error")).toEqual([]);
    },
  );

  test.each(ENCODINGS)("in %s that is changed goes on as plain JSON", async (encoding) => {
    rig = await openRig([{ text: "hello" }]);
    await rig.command("inject_message", { role: "user", content: "and this" });
    expect((await send(rig, encoding, PACK[encoding](REQUEST))).status).toBe(200);
    const seen = await rig.provider.next();
    expect(seen.outline).toEqual(["user: hi", "user: and this"]);
    expect(seen.header("content-encoding")).toBeUndefined();
    expect(seen.header("content-length")).toBe(String(seen.raw.length));
  });

  const unreadable: [string, string, Buffer][] = [
    ["in an encoding that is not known", STRANGE, Buffer.from("xyz")],
    ["that is not what it says", "gzip", Buffer.from("no gzip")],
    ["that breaks off", "gzip", gzipSync(REQUEST).subarray(0, 30)],
    ["that grows too long", "gzip", gzipSync(`{"messages":[],"x":"${"x".repeat(300_000)}"}`)],
    ["that is too long", "identity", Buffer.from(`{"messages":[],"x":"${"x".repeat(300_000)}"}`)],
  ];

  test.each(unreadable)("%s passes unread while nothing is to be held", async (_what, encoding, bytes) => {
    rig = await openRig([{ text: "fine" }], { maxBodyBytes: 1000 });
    expect((await send(rig, encoding, bytes)).status).toBe(200);
    expect((await rig.provider.next()).raw.equals(bytes)).toBe(true);
    expect(rig.ofType("error")).toMatchObject([{ message: expect.stringContaining("without being read") }]);
  });

  test.each(unreadable)("%s is refused where it might be held", async (_what, encoding, bytes) => {
    rig = await openRig([], { maxBodyBytes: 1000 });
    await rig.command("breakpoint", { action: "add", on: "tool", name: "bash" });
    const answer = await send(rig, encoding, bytes);
    expect(answer.status).toBe(400);
    expect(answer.headers["x-should-retry"]).toBe("false");
    expect(JSON.parse(answer.text)).toMatchObject({
      type: "error",
      error: { type: "invalid_request_error", message: expect.stringContaining("cannot be read") },
    });
    await rig.command("breakpoint", { action: "clear-all" });
    await rig.command("pause");
    const chat = await send(rig, encoding, bytes, "/v1/chat/completions");
    expect(JSON.parse(chat.text)).toMatchObject({
      error: { message: expect.stringContaining("cannot be read") },
    });
    expect(rig.provider.requests).toEqual([]);
    expect(rig.ofType("error")).toMatchObject([
      { message: expect.stringContaining("refused") },
      { message: expect.stringContaining("refused") },
    ]);
  });

  test("that is never held passes unread all the same", async () => {
    rig = await openRig([]);
    await rig.command("pause");
    const answer = await send(rig, STRANGE, Buffer.from("xyz"), "/v1/messages/count_tokens");
    expect(answer.status).toBe(200);
  });
});

/** What a provider would say, as it is and compressed. */
async function packedReply(reply: Reply, stream: boolean, encoding: string) {
  const provider = await startProvider({ script: [reply] });
  const body = JSON.stringify({ model: "m", stream, messages: [] });
  const plain = await ask(`${provider.url}/v1/messages`, { body });
  await provider.close();
  const pack = PACK[encoding as keyof typeof PACK] ?? ((text: Buffer) => text);
  const headers = { "content-type": plain.headers["content-type"] ?? "", "content-encoding": encoding };
  return { plain: plain.text, body, raw: { status: plain.status, headers, body: pack(plain.body) } };
}

const CALL: Reply = {
  text: "so then",
  tools: [{ id: "toolu_1", name: "bash", input: { command: "rm -rf build" } }],
};
const WATCH = { action: "add", on: "tool", name: "bash" };

describe.each([true, false])("an answer (streamed: %s)", (stream) => {
  test.each(ENCODINGS)("in %s is unpacked while tools are watched, and they are held", async (encoding) => {
    const { plain, body, raw } = await packedReply(CALL, stream, encoding);
    rig = await openRig([{ raw }]);
    await rig.command("breakpoint", WATCH);
    const answer = ask(`${rig.proxy.url}/v1/messages`, { body });
    await rig.stopped();
    await rig.command("resume");
    const { text, headers } = await answer;
    expect(text).toBe(plain);
    expect(headers["content-encoding"]).toBeUndefined();
    const [response] = rig.ofType("api_response");
    const kept = response?.raw as { blob: string };
    expect(rig.log.blobs.read(kept.blob).toString()).toBe(plain);
  });

  test("has no call that was cancelled", async () => {
    const { body, raw } = await packedReply(CALL, stream, "gzip");
    rig = await openRig([{ raw }]);
    await rig.command("breakpoint", WATCH);
    const answer = ask(`${rig.proxy.url}/v1/messages`, { body });
    await rig.stopped();
    await rig.command("cancel_tool", { toolId: "toolu_1", reason: "not that" });
    const { text } = await answer;
    expect(text).toContain("not that");
    expect(text).not.toContain("tool_use");
  });

  test.each(ENCODINGS)("in %s passes as it is while nobody watches, and is read", async (encoding) => {
    const { plain, body, raw } = await packedReply(CALL, stream, encoding);
    rig = await openRig([{ raw }]);
    const answer = await ask(`${rig.proxy.url}/v1/messages`, { body });
    expect(answer.body.equals(raw.body)).toBe(true);
    expect(answer.headers["content-encoding"]).toBe(encoding);
    expect(rig.ofType("tool_call_start")).toMatchObject([{ toolId: "toolu_1", name: "bash" }]);
    const [response] = rig.ofType("api_response");
    expect(response).toMatchObject({ stopReason: "tool_use" });
    // What a replay sends has no encoding.
    const kept = response?.raw as { blob: string };
    expect(rig.log.blobs.read(kept.blob).toString()).toBe(plain);
  });

  test("that was begun while its call was held is unpacked", async () => {
    const { plain, body, raw } = await packedReply({ text: "hello" }, stream, "gzip");
    rig = await openRig([{ raw }], { keepAlive: "ping", keepAliveAfterMs: 1, keepAliveEveryMs: 1000 });
    await rig.command("pause");
    const { command, proxy } = rig;
    // With the first sign of life.
    const begun = () => void command("resume");
    const answer = ask(`${proxy.url}/v1/messages`, { body, begun });
    const { text } = await answer;
    expect(text.endsWith(plain)).toBe(true);
    expect(text.length).toBeGreaterThan(plain.length);
  });

  test("that cannot be read is refused while tools are watched, and passes else", async () => {
    const { plain, body, raw } = await packedReply(CALL, stream, STRANGE);
    rig = await openRig([{ raw }, { raw }]);
    const passed = await ask(`${rig.proxy.url}/v1/messages`, { body });
    expect(passed.text).toBe(plain);
    expect(rig.ofType("error")).toMatchObject([{ message: expect.stringContaining(STRANGE) }]);
    await rig.command("breakpoint", WATCH);
    const refused = await ask(`${rig.proxy.url}/v1/messages`, { body });
    expect(refused.status).toBe(502);
    expect(JSON.parse(refused.text)).toMatchObject({
      type: "error",
      error: { message: expect.stringContaining(STRANGE) },
    });
    expect(rig.ofType("error")).toHaveLength(2);
    expect(rig.ofType("api_error")).toHaveLength(1);
  });

  test("that breaks off is broken off", async () => {
    const { body, raw } = await packedReply(CALL, stream, "gzip");
    rig = await openRig([{ raw: { ...raw, body: raw.body.subarray(0, 60) } }]);
    await rig.command("breakpoint", WATCH);
    await expect(ask(`${rig.proxy.url}/v1/messages`, { body })).rejects.toThrow();
    await expect.poll(() => rig?.ofType("api_error")).toMatchObject([{ errorType: "connection_lost" }]);
  });
});

test("a stream that is unpacked comes as it is written", async () => {
  const { plain, body } = await packedReply({ text: "hello there" }, true, "gzip");
  const pack = createGzip();
  const first = plain.indexOf("\n\n") + 2;
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
    pack.pipe(response);
    pack.write(plain.slice(0, first));
    pack.flush();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  rig = await openRig([], { upstreams: { anthropic: `http://127.0.0.1:${port}` } });
  await rig.command("breakpoint", WATCH);
  const answer = ask(`${rig.proxy.url}/v1/messages`, { body });
  // The rest is not written before the first event has come through.
  await expect.poll(() => rig?.proxy.ring.entries().length).toBe(1);
  pack.end(plain.slice(first));
  expect((await answer).text).toBe(plain);
});

test("an error that is compressed passes as it is, and is read", async () => {
  const { raw, body } = await packedReply({ error: 529 }, true, "gzip");
  rig = await openRig([{ raw }]);
  const answer = await ask(`${rig.proxy.url}/v1/messages`, { body });
  expect(answer.status).toBe(529);
  expect(answer.body.equals(raw.body)).toBe(true);
  expect(rig.ofType("api_error")).toMatchObject([{ status: 529, errorType: "overloaded_error" }]);
});
