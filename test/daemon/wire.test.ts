import type { Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { places } from "../../src/client/paths.ts";
import { fileHolds, Home, type Installation, install } from "./home.ts";

let sonde: Installation;
let home: Home;

beforeAll(async () => {
  sonde = await install();
  return () => sonde.remove();
});
beforeEach(async () => {
  home = new Home();
  await home.run(sonde, ["echo"]);
});
afterEach(() => home.remove());

type Message = Record<string, unknown> & { id?: number };

/** Lines in and out, by hand. */
function talk(socket: Socket = home.connect()) {
  const messages: Message[] = [];
  const waiting: { fits(message: Message): boolean; done(message: Message): void }[] = [];
  const lines = createInterface({ input: socket });
  lines.on("line", (line) => {
    const message = JSON.parse(line) as Message;
    messages.push(message);
    for (const one of waiting) if (one.fits(message)) one.done(message);
  });
  socket.on("error", () => {});
  lines.on("error", () => {}); // the socket's, again
  const closed = new Promise<void>((done) => socket.once("close", () => done()));
  return {
    socket,
    messages,
    closed,
    send: (message: object) => socket.write(`${JSON.stringify(message)}\n`),
    next: (fits: (message: Message) => boolean) =>
      new Promise<Message>((done) => {
        const there = messages.find(fits);
        if (there) done(there);
        else waiting.push({ fits, done });
      }),
  };
}

const raw = (id: number, ...argv: string[]) => ({ id, build: sonde.build, argv, cwd: "/", env: {} });

describe("the wire", () => {
  it("greets, accepts, answers", async () => {
    const { send, next, messages, socket } = talk();
    send(raw(7, "echo", "hello"));
    await next((message) => "exit" in message);
    expect(messages).toMatchObject([
      { hello: { product: "sonde", protocol: 1, version: "1.0.0", build: sonde.build } },
      { id: 7, accepted: true },
      { id: 7, exit: 0, text: "hello\n" },
    ]);
    socket.destroy();
  });

  it("carries several requests at once, answered as they end", async () => {
    const { send, next, messages, socket } = talk();
    send(raw(1, "sleep", "200"));
    send(raw(2, "echo", "quick"));
    await next(({ id, exit }) => id === 1 && exit !== undefined);
    expect(messages.filter((message) => "exit" in message).map(({ id }) => id)).toEqual([2, 1]);
    socket.destroy();
  });

  it("takes a request split at every byte", async () => {
    const { socket, next } = talk();
    socket.setNoDelay(true);
    for (const byte of Buffer.from(`${JSON.stringify(raw(1, "echo", "ü€"))}\n`)) {
      socket.write(Buffer.from([byte]));
      await new Promise((done) => setImmediate(done));
    }
    expect(await next((message) => "exit" in message)).toMatchObject({ text: "ü€\n" });
    socket.destroy();
  });

  it.each([
    ["no JSON", "what?\n"],
    ["no object", "[1]\n"],
    ["no id", "{}\n"],
    ["null", "null\n"],
    ["bytes", Buffer.from([0xff, 0xfe, 0x00, 0x0a])],
  ])("ends the connection on %s, and only that", async (_, bytes) => {
    const { socket, next, closed } = talk();
    socket.write(bytes);
    expect(await next(({ ok }) => ok === false)).toMatchObject({ id: -1, error: { code: "BAD_ARGUMENT" } });
    await closed;
    expect(await home.run(sonde, ["echo", "fine"])).toMatchObject({ stdout: "fine\n" });
    expect(home.daemons()).toHaveLength(1);
  });

  it.each([
    ["argv", { argv: [1] }],
    ["env", { argv: [], env: { a: 1 } }],
    ["command", { command: 3 }],
    ["args", { command: "x", args: [] }],
    ["control", { control: "explode" }],
    ["neither", {}],
  ])("answers a request with a wrong %s and goes on", async (_, wrong) => {
    const { send, next, socket } = talk();
    send({ id: 1, build: sonde.build, cwd: "/", env: {}, ...wrong });
    expect(await next(({ id }) => id === 1)).toMatchObject({ ok: false, error: { code: "BAD_ARGUMENT" } });
    send(raw(2, "echo", "on"));
    expect(await next(({ id, exit }) => id === 2 && exit === 0)).toMatchObject({ text: "on\n" });
    socket.destroy();
  });

  it("gives up on a line without end", async () => {
    const { socket, closed, messages } = talk();
    const megabyte = Buffer.alloc(1024 * 1024, 120);
    const pour = () => {
      while (!socket.destroyed && socket.write(megabyte));
    };
    socket.on("drain", pour);
    pour();
    await closed;
    // The reason may be lost with the connection: the system forgets it if we write on.
    expect(messages.filter((message) => !("hello" in message) && message.ok !== false)).toEqual([]);
    expect(await home.run(sonde, ["echo", "fine"])).toMatchObject({ stdout: "fine\n" });
    expect(home.daemons()).toHaveLength(1);
  });

  it("drops what a reader is too slow for, and says how much", async () => {
    const { socket, send, messages } = talk();
    socket.pause();
    send(raw(1, "flood", "40"));
    await new Promise((done) => setTimeout(done, 300));
    const { stdout } = await home.run(sonde, ["daemon", "status", "--json"]);
    expect((JSON.parse(stdout) as { data: { memory: number } }).data.memory).toBeLessThan(150 * 1024 * 1024);
    socket.resume();
    while (!messages.some((message) => "exit" in message)) await new Promise((done) => setTimeout(done, 10));
    const chunks = messages.flatMap(({ chunk }) => (typeof chunk === "string" ? [chunk] : []));
    const said = /(\d+) bytes omitted/.exec(chunks.at(-1) ?? "");
    const kept = chunks.slice(0, -1).reduce((sum, chunk) => sum + chunk.length, 0);
    expect(kept + Number(said?.[1])).toBe(40 * 1024 * 1024);
    socket.destroy();
  });

  it("refuses a second request under an id in flight", async () => {
    const { send, next, closed } = talk();
    send(raw(1, "sleep", "300"));
    send(raw(1, "echo"));
    expect(await next(({ ok }) => ok === false)).toMatchObject({
      error: { message: expect.stringContaining("in flight") },
    });
    await closed;
  });
});

describe("typed calls", () => {
  let client: Client;

  /** As a bundle of the given build would: build.ts looks for this name. */
  const connectAs = async (build: string): Promise<Client> => {
    vi.resetModules();
    vi.stubGlobal("__SONDE_BUILD__", build);
    const { connect } = await import("../../src/client/client.ts");
    return connect({ places: places({ SONDE_HOME: home.path }) });
  };

  beforeEach(async () => {
    client = await connectAs(sonde.build);
  });
  afterEach(() => {
    client.close();
    vi.unstubAllGlobals();
  });

  it("give data and text, many at once, over one connection", async () => {
    const calls = Array.from({ length: 50 }, (_, n) => client.call("echo", { words: [n] }));
    expect(await Promise.all(calls)).toEqual(
      calls.map((_, n) => ({ data: { text: `${n}\n` }, text: `${n}\n` })),
    );
  });

  it("hand chunks on, and cwd and environment along", async () => {
    const chunks: string[] = [];
    await client.call("stream", { words: ["2"] }, { onChunk: (text) => chunks.push(text) });
    expect(chunks).toEqual(["chunk 0\n", "chunk 1\n"]);
    expect(await client.call("cwd", {}, { cwd: "/usr" })).toMatchObject({ text: "/usr\n" });
    expect(await client.call("env", { words: ["A"] }, { env: { A: "b" } })).toMatchObject({ text: "b\n" });
  });

  it("have each their own environment, also where that of the call before is not sent again", async () => {
    const asked = ["b", "b", "c", "c", undefined, "b"].map((A) => ({
      ...(A === undefined ? {} : { A }),
      B: "x",
    }));
    const together = asked.map((env) => client.call("env", { words: ["A"] }, { env }));
    const texts = ["b\n", "b\n", "c\n", "c\n", "(unset)\n", "b\n"];
    expect((await Promise.all(together)).map(({ text }) => text)).toEqual(texts);
    expect(await client.call("env", { words: ["PATH"] })).toMatchObject({ text: `${process.env.PATH}\n` });
    // A new daemon has heard nothing yet.
    await home.run(sonde, ["daemon", "stop"]);
    await home.run(sonde, ["echo"]);
    expect(await client.call("env", { words: ["PATH"] })).toMatchObject({ text: `${process.env.PATH}\n` });
  });

  it("fail with the daemon's error", async () => {
    await expect(client.call("throw")).rejects.toMatchObject({
      code: "INTERNAL",
      message: "thrown by the engine",
    });
  });

  it("end at once when cancelled, here and in the daemon", async () => {
    const file = join(home.path, "hang");
    const cancel = new AbortController();
    const hanging = client.call("hang", { words: [file] }, { signal: cancel.signal });
    await fileHolds(file, "begun");
    cancel.abort();
    await expect(hanging).rejects.toMatchObject({ code: "CANCELLED" });
    await fileHolds(file, "aborted");
    expect(await client.call("echo", { words: ["still"] })).toMatchObject({ text: "still\n" });
  });

  it("of another build are refused while the daemon is busy, all but status, stop and sessions", async () => {
    await home.run(sonde, ["open"]);
    const other = await connectAs("other");
    await expect(other.call("echo")).rejects.toMatchObject({ code: "VERSION_SKEW" });
    expect(await other.call("status")).toMatchObject({ text: expect.stringContaining("sessions 1") });
    other.close();
  });
});

describe("cancelling", () => {
  it("ends one request of a connection, and the others go on", async () => {
    const file = join(home.path, "hang");
    const { send, next, socket } = talk();
    send(raw(1, "hang", file));
    send(raw(2, "sleep", "200"));
    await fileHolds(file, "begun");
    send({ id: 1, cancel: true });
    expect(await next(({ id, exit }) => id === 1 && exit === 0)).toMatchObject({ text: "aborted\n" });
    expect(await next(({ id, exit }) => id === 2 && exit === 0)).toMatchObject({ text: "slept 200\n" });
    socket.destroy();
  });
});
