/** Attaching by pid says nothing to a port that is the program's own. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { listeners, socketInodes } from "../../src/adapters/node/process/proc.ts";
import { nodes } from "../support/nodes.ts";
import { cleanUp, marker, project, TestSession } from "./session.ts";

const started: ChildProcess[] = [];

afterEach(async () => {
  await cleanUp();
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** It tells of every connection and every byte, in its main thread and in a worker. */
const SERVERS = `const net = require("node:net");
const inspector = require("node:inspector");
const { Worker, isMainThread, parentPort } = require("node:worker_threads");
const heard = [];
const listen = (who, then) => net.createServer((socket) => {
  heard.push(who);
  socket.on("error", () => {});
  socket.on("data", (bytes) => heard.push(who + " " + String(bytes).split("\\r\\n")[0]));
}).listen(who === "main" ? Number(process.env.OWN_PORT ?? 0) : 0, "127.0.0.1", then);
if (isMainThread) {
  const worker = new Worker(__filename);
  worker.on("message", (words) => words.map((word) => heard.push(word)));
  heard.push = (word) => { Array.prototype.push.call(heard, word); console.log("heard", word); };
  worker.once("message", () => listen("main", () => {
    if (process.argv.includes("open")) inspector.open(0, "127.0.0.1");
    console.log("ready");
    setInterval(() => {
      const url = inspector.url();
      const all = heard.join("; "); // @tick
    }, 20);
  }));
} else {
  heard.push = (...words) => parentPort.postMessage(words);
  listen("worker", () => parentPort.postMessage([]));
}
`;

async function attachedTo(
  node: string,
  {
    options = [],
    args = [],
    env = {},
  }: { options?: string[]; args?: string[]; env?: Record<string, string> } = {},
) {
  const program = join(project({ "app.js": SERVERS }), "app.js");
  const child = spawn(node, [...options, program, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const session = await TestSession.open();
  const attached = session.start("attach", { pid: child.pid }, { [program]: [marker(program, "tick")] });
  return { session, attached, child };
}

test.each(nodes)("$version: neither in its main thread nor in a worker", async ({ path }) => {
  const { session, attached } = await attachedTo(path);
  await attached;
  await session.until("stopped");
  expect(await session.evaluate("heard.join('; ')")).toBe('""');
});

test.each(nodes)(
  "$version: an inspector that the program opened is found among its ports",
  async ({ path }) => {
    const { session, attached } = await attachedTo(path, { args: ["open"] });
    await attached;
    await session.until("stopped");
    expect(await session.evaluate("heard.join('; ')")).toBe('""');
    expect(await session.evaluate("url")).toMatch(/^"ws:/);
  },
);

test.each(nodes)("$version: nor where its inspector would listen", async ({ path }) => {
  // Not on the usual one: there, other tests' programs open theirs meanwhile.
  const port = await freePort();
  const { attached, child } = await attachedTo(path, {
    options: [`--inspect-port=${port}`],
    env: { OWN_PORT: port },
  });
  await expect(attached).rejects.toThrow(`process ${child.pid} itself listens on port ${port}`);
  const said = text(child.stdout);
  child.kill();
  expect(await said).toBe("");
});

/** Told in its environment what to do before it is ready. */
const CHOOSER = `const { CHOSEN, TITLE, BLOCKED } = process.env;
if (CHOSEN) process.debugPort = Number(CHOSEN);
if (TITLE) process.title = TITLE;
console.log("ready");
if (BLOCKED) require("node:child_process").spawnSync("head", ["-c1"], { stdio: ["inherit", "ignore", "ignore"] });
let n = 0;
setInterval(() => {
  n++; // @tick
}, 20);
`;

async function startChooser(
  node: string,
  {
    options = [],
    args = [],
    env = {},
  }: { options?: string[]; args?: string[]; env?: Record<string, string> },
) {
  const program = join(project({ "app.js": CHOOSER }), "app.js");
  const child = spawn(node, [...options, program, ...args], {
    env: { ...process.env, ...env },
    stdio: "pipe",
  });
  started.push(child);
  await once(child.stdout, "data");
  const listening = new Promise<string>((resolve) => {
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
      if (said.includes("\n")) resolve(said);
    });
  });
  const session = await TestSession.open();
  const attached = session.start("attach", { pid: child.pid }, { [program]: [marker(program, "tick")] });
  return { session, attached, child, pid: child.pid ?? 0, listening };
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
}

function ports(pid: number): number[] {
  const inodes = socketInodes(pid);
  return listeners(pid)
    .filter(({ inode }) => inodes.has(inode))
    .map(({ port }) => port);
}

const choices = [
  { how: "that the program chose", start: (port: string) => ({ env: { CHOSEN: port } }) },
  {
    how: "of a command line that the program wrote over",
    start: (port: string) => ({ options: [`--inspect-port=${port}`], env: { TITLE: "worker of mine" } }),
  },
  { how: "in a word of its own", start: (port: string) => ({ options: ["--inspect-port", port] }) },
];

test.each(nodes.flatMap((node) => choices.map((choice) => ({ ...node, ...choice }))))(
  "$version: its inspector is found on a port $how",
  async ({ path, start }) => {
    const port = await freePort();
    const { session, attached, pid, listening } = await startChooser(path, start(port));
    await attached;
    await session.until("stopped");
    expect(await listening).toContain(`:${port}/`);
    expect(ports(pid)).toEqual([]);
  },
);

test.each(nodes)(
  "$version: an argument of the program's own is not its inspector's port",
  async ({ path }) => {
    const port = await freePort();
    const { session, attached, pid, listening } = await startChooser(path, {
      args: [`--inspect-port=${port}`],
    });
    await attached;
    await session.until("stopped");
    expect(await listening).toContain(":9229");
    expect(ports(pid)).toEqual([]);
  },
);

test.each(nodes)("$version: a port that it opens too late is closed, whichever it is", async ({ path }) => {
  const port = await freePort();
  const { attached, child, pid, listening } = await startChooser(path, {
    env: { CHOSEN: port, BLOCKED: "1" },
  });
  await expect(attached).rejects.toThrow("it did not in 5 s");
  child.stdin.write("x");
  expect(await listening).toContain(`:${port}/`);
  // Nothing tells when it is closed.
  await expect.poll(() => openersOf(pid), { timeout: 10_000 }).toEqual([]);
  await expect.poll(() => ports(pid), { timeout: 5000 }).toEqual([]);
});

function openersOf(pid: number): string[] {
  const found = spawnSync("ps", ["-eo", "args"], { encoding: "utf8" }).stdout.split("\n");
  return found.filter((line) => line.includes(`opener.entry.cjs ${pid} `));
}
