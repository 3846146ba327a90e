/** What a daemon may do to a request, played by hand: no client may run it twice, nor lose it, nor begin it after an interrupt. */
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { finished, Home, type Installation, install } from "./home.ts";

const HELLO = `${JSON.stringify({ hello: { product: "sonde", protocol: 1, version: "0", build: "0", pid: 1, nonce: "" } })}\n`;

let sonde: Installation;
let home: Home;

beforeAll(async () => {
  sonde = await install();
  return () => sonde.remove();
});
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

/** `complete` is the Node client after the plain one has found something odd: it speaks JSON, and starts what is missing. */
const CLIENTS = ["fast", "node", "complete"] as const;
type Client = (typeof CLIENTS)[number];

async function play(client: Client, answer: (socket: Socket, child: ChildProcess) => void) {
  home.client = client === "fast" ? "fast" : "node";
  mkdirSync(home.runtime, { mode: 0o700 });
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on("error", () => {});
    if (client === "complete" && connections === 1) socket.destroy();
    else answer(socket, child);
  });
  await new Promise<void>((done) => server.listen(home.socket, done));
  const child = home.spawn(sonde, ["echo", "through"]);
  const result = await finished(child);
  server.close();
  return { ...result, connections };
}

/** The socket file goes first, as the real one does it. */
function leave(socket: Socket): void {
  rmSync(home.socket, { force: true });
  socket.destroy();
}

/** Once it waits for our answer: Node's clients listen for it right after they have sent the request. */
async function interrupt(child: ChildProcess): Promise<void> {
  await vi.waitFor(() => expect(readFileSync(`/proc/${child.pid}/stat`, "utf8")).toContain(") S "));
  child.kill("SIGINT");
}

describe.each(CLIENTS)("a daemon that goes away (%s client)", (client) => {
  it.each([
    ["before it greets", (socket: Socket) => leave(socket)],
    ["after it greets", (socket: Socket) => socket.write(HELLO, () => leave(socket))],
    ["with the request unread", (socket: Socket) => setTimeout(leave, 50, socket)],
    ["after reading it", (socket: Socket) => socket.once("data", () => leave(socket))],
    ["after half a word", (socket: Socket) => socket.write(`${HELLO}{"id":1,"acc`, () => leave(socket))],
  ])("%s: the next one runs the command", async (_, answer) => {
    expect(await play(client, answer)).toMatchObject({ status: 0, stdout: "through\n", stderr: "" });
    expect(home.daemons()).toHaveLength(1);
  });

  it("after it accepted: the command is not run again, and that is said", async () => {
    const accepted = client === "complete" ? '{"id":1,"accepted":true}\n' : "accepted\n";
    const { status, stdout, stderr, connections } = await play(client, (socket) => {
      socket.once("data", () => socket.write(HELLO + accepted, () => leave(socket)));
    });
    expect({ status, stdout, connections }).toEqual({
      status: 1,
      stdout: "",
      connections: client === "complete" ? 2 : 1,
    });
    expect(stderr).toContain("the daemon ended while `sonde echo through` was running");
    expect(home.daemons()).toEqual([]);
  });

  it("after an interrupt, without having accepted: the command is never run", async () => {
    const result = await play(client, (socket, child) => {
      let read = "";
      socket.on("data", (bytes) => {
        if (read === "") void interrupt(child);
        read += bytes;
        if (read.includes('"cancel":true')) leave(socket);
      });
      socket.on("close", () => rmSync(home.socket, { force: true }));
    });
    expect(result).toMatchObject({ signal: "SIGINT", stdout: "", stderr: "" });
    expect(home.daemons()).toEqual([]);
  });
});

it.each([
  ["cancelled", '{"id":1,"cancel":true}\n'],
  ["left alone", ""],
])("a request that was %s while the daemon was stopped is not begun when it goes on", async (_, then) => {
  const marks = join(home.path, "marks");
  await home.run(sonde, ["echo"]);
  const [pid = 0] = home.daemons();
  process.kill(pid, "SIGSTOP");
  const socket = home.connect();
  const request = { id: 1, build: sonde.build, plain: true, argv: ["mark", marks], cwd: home.path, env: {} };
  await new Promise<void>((done) => socket.write(`${JSON.stringify(request)}\n${then}`, () => done()));
  if (then === "") await new Promise<void>((done) => socket.destroy().once("close", () => done()));
  process.kill(pid, "SIGCONT");
  expect(await home.run(sonde, ["echo", "on"])).toMatchObject({ stdout: "on\n" });
  socket.destroy();
  expect(existsSync(marks)).toBe(false);
});
