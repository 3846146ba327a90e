/**
 * Every HTTP server of ours, asked as web pages, other programs and other users would: the tools (`mcp --http`), the proxy of an agent, the hooks on its
 * port, a recording that is served. Each first shows that it answers its own; then nothing but that gets in.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Sonde } from "../support/sonde.ts";

interface Door {
  port: number;
  /** With its token, if that is where the token goes. */
  path: string;
  headers: Record<string, string>;
  body: string;
  token: string;
  /** Of its own. */
  good: number;
}

const JSON_TYPE = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const call = (method: string, params: object, id = 1) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
const INITIALIZE = call("initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "t", version: "1" },
});

/** Tells what it was given, and stays. */
const AGENT = `console.log(JSON.stringify({ argv: process.argv.slice(2), base: process.env.ANTHROPIC_BASE_URL }));
process.stdin.resume().on("end", () => process.exit());\n`;

let sonde: Sonde;
const started: ChildProcess[] = [];
/** What came through to the provider. */
let reached = 0;
const provider = createServer((request, response) => {
  reached++;
  request.resume();
  response.end("{}");
});
const doors: Record<string, Door> = {};

beforeAll(async () => {
  sonde = new Sonde();
  provider.listen(0, "127.0.0.1");
  await once(provider, "listening");
  chmodSync(sonde.write("claude", `#!/usr/bin/env node\n${AGENT}`), 0o755);
  doors["the tools"] = await tools();
  Object.assign(doors, await agent());
  doors["a recording"] = await recording();
});

afterAll(async () => {
  provider.close();
  for (const one of started) {
    one.stdin?.end();
    one.kill("SIGINT");
    if (one.exitCode === null && one.signalCode === null) await once(one, "exit");
  }
  await sonde[Symbol.asyncDispose]();
});

async function firstLine(words: string[], stream: "stdout" | "stderr"): Promise<string> {
  const child = sonde.spawn(words);
  started.push(child);
  let complaint = "";
  child.stderr?.on("data", (bytes) => (complaint += String(bytes)));
  const from = child[stream];
  if (!from) throw new Error("no pipe");
  const gone = once(child, "exit").then(() => Promise.reject(new Error(complaint)));
  const [line] = (await Promise.race([once(createInterface(from), "line"), gone])) as [string];
  gone.catch(() => {});
  return line;
}

async function tools(): Promise<Door> {
  const url = new URL(await firstLine(["mcp", "--http"], "stderr"));
  const path = url.pathname + url.search;
  const token = url.searchParams.get("token") ?? "";
  return { port: Number(url.port), path, headers: JSON_TYPE, body: INITIALIZE, token, good: 200 };
}

async function agent(): Promise<Record<string, Door>> {
  const upstream = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const words = ["agent", "run", "--quiet", "--upstream", upstream, "--", "./claude"];
  const line = await firstLine(words, "stdout");
  const { argv, base } = JSON.parse(line) as { argv: string[]; base: string };
  const url = new URL(base);
  const settings = readFileSync(argv[argv.indexOf("--settings") + 1] ?? "", "utf8");
  const token = /"x-sonde-token": "([^"]+)"/.exec(settings)?.[1] ?? "";
  expect(url.pathname).toBe(`/${token}`);
  const port = Number(url.port);
  return {
    "the proxy": { port, path: `/${token}/v1/anything`, headers: JSON_TYPE, body: "{}", token, good: 200 },
    "the hooks": {
      port,
      path: "/hooks/Stop",
      headers: { ...JSON_TYPE, "x-sonde-token": token },
      body: "{}",
      token,
      good: 200,
    },
  };
}

async function recording(): Promise<Door> {
  const url = new URL(await firstLine(["agent", "replay", "--serve"], "stdout"));
  const token = url.pathname.slice(1);
  // It knows no such call, and says so; who has no business there hears nothing.
  return { port: Number(url.port), path: `/${token}/v1/models`, headers: {}, body: "", token, good: 404 };
}

interface Change {
  target?: string;
  /** Whole lines, instead of the usual one. */
  host?: string[];
  headers?: Record<string, string>;
  without?: boolean;
  body?: string;
}

/** By hand: libraries put right what must go out wrong. */
async function ask(door: Door, { target, host, headers = {}, without, body = door.body }: Change = {}) {
  const own = without ? {} : door.headers;
  const lines = [
    `POST ${target ?? door.path} HTTP/1.1`,
    ...(host ?? [`Host: 127.0.0.1:${door.port}`]),
    ...Object.entries({
      ...own,
      ...headers,
      "content-length": String(Buffer.byteLength(body)),
      connection: "close",
    }).map(([name, value]) => `${name}: ${value}`),
  ];
  const socket = connect(door.port, "127.0.0.1");
  socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`);
  const answer = await whole(socket);
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]), answer };
}

/** A stream of events ends, and its connection stays. */
async function whole(socket: Socket): Promise<string> {
  let heard = "";
  for await (const bytes of socket) {
    heard += String(bytes);
    if (heard.endsWith("\r\n0\r\n\r\n")) break;
  }
  return heard;
}

async function getsNowhere(door: Door, change: Change): Promise<void> {
  const before = reached;
  const { status, answer } = await ask(door, change);
  expect(status, JSON.stringify(change)).toBeGreaterThanOrEqual(400);
  if (door.good >= 400) expect([400, 403]).toContain(status);
  expect(answer).not.toContain(door.token);
  expect(answer).not.toContain("serverInfo");
  expect(answer.toLowerCase()).not.toMatch(/^(access-control-|mcp-session-id)/m);
  expect(reached).toBe(before);
}

/** What has been taken for this machine by checks of this kind, and what a page can make of a name of its own. */
const hosts = (port: number): Record<string, string[]> => ({
  none: [],
  empty: ["Host:"],
  "localhost6 (CVE-2021-22884)": [`Host: localhost6:${port}`],
  "localhost6 with its domain": [`Host: localhost6.localdomain6:${port}`],
  "an invalid IPv4 (CVE-2022-32212)": [`Host: 10.0.2.555:${port}`],
  "an IPv4 of too many parts": [`Host: 127.0.0.1.1:${port}`],
  "an octal IPv4 (CVE-2022-43548)": [`Host: 1.09.0.0:${port}`],
  "127.0.0.1 in octal": [`Host: 0177.0.0.01:${port}`],
  "127.0.0.1 in hex": [`Host: 0x7f000001:${port}`],
  "127.0.0.1 as one number": [`Host: 2130706433:${port}`],
  "127.1": [`Host: 127.1:${port}`],
  "another loopback address": [`Host: 127.0.0.2:${port}`],
  "a rebound name (CVE-2018-7160)": [`Host: evil.example:${port}`],
  "a name that resolves to it": [`Host: 127.0.0.1.nip.io:${port}`],
  "a name below localhost": [`Host: evil.localhost:${port}`],
  "a name that begins like it": [`Host: localhost.evil.example:${port}`],
  "a trailing dot": [`Host: localhost.:${port}`],
  "a trailing dot of the address": [`Host: 127.0.0.1.:${port}`],
  "upper case": [`Host: LOCALHOST:${port}`],
  "no port": ["Host: 127.0.0.1"],
  "another port": [`Host: 127.0.0.1:${port + 1}`],
  "a port that is no number": ["Host: 127.0.0.1:http"],
  "its port with a zero before it": [`Host: 127.0.0.1:0${port}`],
  "IPv6 loopback": [`Host: [::1]:${port}`],
  "IPv6 of the address": [`Host: [::ffff:127.0.0.1]:${port}`],
  "any address": [`Host: 0.0.0.0:${port}`],
  "a user before it": [`Host: evil@127.0.0.1:${port}`],
  "two in one": [`Host: 127.0.0.1:${port}, evil.example`],
  "two lines, the good one first": [`Host: 127.0.0.1:${port}`, "Host: evil.example"],
  "two lines, the good one last": ["Host: evil.example", `Host: 127.0.0.1:${port}`],
  "the same twice": [`Host: 127.0.0.1:${port}`, `Host: 127.0.0.1:${port}`],
});

const origins = (port: number): string[] => [
  "http://evil.example",
  `http://evil.example:${port}`,
  "null",
  "",
  "file://",
  `https://127.0.0.1:${port}`,
  "http://127.0.0.1",
  `http://127.0.0.1:${port + 1}`,
  `http://127.0.0.1:${port}.evil.example`,
  `http://127.0.0.1:${port}/`,
  `http://LOCALHOST:${port}`,
  `http://[::1]:${port}`,
  "chrome-extension://abc",
];

const NAMES = ["the tools", "the proxy", "the hooks", "a recording"] as const;

describe.each(NAMES)("%s", (name) => {
  const door = () => doors[name] as Door;

  test("answers its own, by both of its names, with the Origin that its own pages would have", async () => {
    const { port, good } = door();
    expect((await ask(door())).status).toBe(good);
    expect((await ask(door(), { host: [`Host: localhost:${port}`] })).status).toBe(good);
    expect((await ask(door(), { headers: { origin: `http://127.0.0.1:${port}` } })).status).toBe(good);
  });

  test("no other Host, however it is spelled, even with the token", async () => {
    for (const host of Object.values(hosts(door().port))) await getsNowhere(door(), { host });
  });

  test("no other Origin, even with the token", async () => {
    for (const origin of origins(door().port)) await getsNowhere(door(), { headers: { origin } });
  });

  test("no target with a host of its own", async () => {
    const { port, path } = door();
    for (const target of [
      `http://127.0.0.1:${port}${path}`,
      `http://evil.example${path}`,
      `//evil.example${path}`,
      "*",
    ])
      await getsNowhere(door(), { target });
  });

  test("nobody without the token, with a part of it, or with it in another place", async () => {
    const { path, token } = door();
    const bare = path.replace(token, "");
    for (const wrong of [
      "",
      "x".repeat(token.length),
      token.slice(1),
      `${token}x`,
      token.toUpperCase(),
      `${token}%00`,
    ])
      await getsNowhere(door(), {
        target: path.replace(token, wrong),
        without: true,
        headers: { ...JSON_TYPE, "x-sonde-token": wrong },
      });
    for (const headers of [
      { cookie: `token=${token}` },
      { "x-token": token },
      { authorization: `Basic ${token}` },
    ])
      await getsNowhere(door(), { target: bare, without: true, headers: { ...JSON_TYPE, ...headers } });
  });

  test("a page's question beforehand, and a request that a form can make, are refused", async () => {
    const { port, path } = door();
    const socket = connect(port, "127.0.0.1");
    const asked = ["origin: http://evil.example", "access-control-request-method: POST", "connection: close"];
    socket.end(`OPTIONS ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${asked.join("\r\n")}\r\n\r\n`);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 4/);
    expect(answer.toLowerCase()).not.toContain("access-control-allow");
    await getsNowhere(door(), { headers: { origin: "http://evil.example", "content-type": "text/plain" } });
  });
});

test("the id of a session is no credential", async () => {
  const door = doors["the tools"] as Door;
  const { answer } = await ask(door);
  const session = /^mcp-session-id: (\S+)/im.exec(answer)?.[1] ?? "";
  expect(session).not.toBe("");
  const list = { body: call("tools/list", {}, 2), headers: { "mcp-session-id": session } };
  expect((await ask(door, list)).answer).toContain("debug");
  await getsNowhere(door, { ...list, target: "/mcp" });
  await getsNowhere(door, { ...list, target: `/mcp?token=${session}` });
  await getsNowhere(door, {
    ...list,
    target: "/mcp",
    headers: { ...list.headers, authorization: `Bearer ${session}` },
  });
  // Nor is the token of one server good for another.
  const other = await tools();
  await getsNowhere(other, { ...list, target: door.path });
  await getsNowhere(other, { ...list, headers: { "mcp-session-id": session }, target: door.path });
  expect((await ask(other, list)).status).toBe(404);
});
