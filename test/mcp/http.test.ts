/** The tools over HTTP: for whoever has the token, on this machine, and for no web page. */
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, onTestFinished, test } from "vitest";
import { marker } from "../support/markers.ts";
import { createSonde, type Sonde } from "../support/sonde.ts";
import { type Mcp, wrap } from "./mcp.ts";

/** The URL it prints, once, on stderr. */
async function served(sonde: Sonde): Promise<URL> {
  const server = sonde.spawn(["mcp", "--http"]);
  onTestFinished(async () => {
    server.kill();
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
  });
  if (!server.stderr) throw new Error("no stderr");
  const [line] = (await once(createInterface(server.stderr), "line")) as [string];
  return new URL(line);
}

async function connected(url: URL, headers: Record<string, string> = {}): Promise<Mcp> {
  const client = new Client({ name: "sonde-test", version: "1" });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return wrap(client);
}

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
});

/** By hand, with any headers at all; the status. */
function post(url: URL, headers: Record<string, string>, body = INITIALIZE): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { hostname, port, pathname, search } = url;
    const accepts = { accept: "application/json, text/event-stream", "content-type": "application/json" };
    const asked = request(
      { hostname, port, path: pathname + search, method: "POST", headers: { ...accepts, ...headers } },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    asked.once("error", reject).end(body);
  });
}

test("one call to a stop, with the token in the URL or in a header", { timeout: 60_000 }, async () => {
  const sonde = createSonde();
  const program = sonde.fixture("js/stats.js");
  const url = await served(sonde);
  expect(url).toMatchObject({ hostname: "127.0.0.1", pathname: "/mcp" });
  const first = await connected(url);
  const breakpoints = [`stats.js:${marker(program, "mean-add")}`];
  const stop = await first.ok("debug", { action: "launch", program, breakpoints });
  expect(stop.text).toMatch(/^stopped: breakpoint 1/);

  const token = url.searchParams.get("token") ?? "";
  const plain = new URL(url);
  plain.search = "";
  const second = await connected(plain, { authorization: `Bearer ${token}` });
  expect((await second.ok("debug", { action: "continue" })).text).toMatch(/\(hit 2\)/);
  expect((await first.ok("inspect", { action: "context" })).text).toMatch(/v = 2/);
});

test("no token, a wrong one, a foreign Origin, another Host, another path", async () => {
  const url = await served(createSonde());
  const { host, origin } = url;
  const without = new URL(url);
  without.search = "";
  const wrong = new URL(url);
  wrong.searchParams.set("token", "x".repeat(32));
  const elsewhere = new URL(url);
  elsewhere.pathname = "/";
  expect(await post(url, {})).toBe(200);
  expect(await post(url, { origin })).toBe(200);
  expect(await post(without, {})).toBe(401);
  expect(await post(wrong, {})).toBe(401);
  expect(await post(without, { authorization: "Bearer nothing" })).toBe(401);
  expect(await post(url, { origin: "http://evil.example" })).toBe(403);
  expect(await post(url, { origin: "null" })).toBe(403);
  expect(await post(url, { host: "evil.example" })).toBe(403);
  expect(await post(url, { host: `evil.example:${url.port}` })).toBe(403);
  expect(await post(url, { host: `localhost:${url.port}` })).toBe(200);
  expect(await post(elsewhere, {})).toBe(404);
  expect(await post(url, { "mcp-session-id": "made-up" })).toBe(404);
  expect(await post(url, {}, JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" }))).toBe(400);
  expect(await post(url, {}, "not json")).toBe(400);
  expect(host).toMatch(/^127\.0\.0\.1:/);
});

test("an address that is none is refused, and the server goes on", async () => {
  const url = await served(createSonde());
  const socket = connect(Number(url.port), url.hostname);
  socket.end(`GET // HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
  expect(await post(url, {})).toBe(200);
});

test("it listens on this machine only", async () => {
  const url = await served(createSonde());
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((one) => one && !one.internal && one.family === "IPv4");
  if (!outside) return; // nothing but this machine to listen on
  const there = new URL(url);
  there.hostname = outside.address;
  await expect(post(there, {})).rejects.toThrow(/ECONNREFUSED/);
});
