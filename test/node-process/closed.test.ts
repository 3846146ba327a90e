/** Nobody else gets into a debugged program: no port, and sockets that only the user can open. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, expect, test } from "vitest";
import { listeners, socketInodes } from "../../src/adapters/node/process/proc.ts";
import { encode } from "../../src/dap/framing.ts";
import { nodes } from "../support/nodes.ts";
import { createSonde } from "../support/sonde.ts";
import { cleanUp, marker, project, TestSession } from "./session.ts";

const BIN = resolve(import.meta.dirname, "../../bin/sonde");
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

const started: ChildProcess[] = [];

afterEach(async () => {
  await cleanUp();
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** Ports on which this process takes calls. */
function ports(pid: number): number[] {
  const inodes = socketInodes(pid);
  return listeners(pid)
    .filter(({ inode }) => inodes.has(inode))
    .map(({ port }) => port);
}

/** Every socket of ours that is there, as a file. */
function sockets(): string[] {
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith(`sonde-node-${process.pid}-`));
  return folders.flatMap((name) => {
    const folder = join(tmpdir(), name);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    return readdirSync(folder).map((file) => join(folder, file));
  });
}

/** What somebody else gets who tries to open it. */
function triedByNobody(path: string): string {
  const text = `require("node:net").connect(${JSON.stringify(path)}).on("connect", () => console.log("in"))
    .on("error", (error) => console.log(error.code))`;
  return spawnSync(process.execPath, ["-e", text], {
    uid: NOBODY,
    gid: NOBODY,
    encoding: "utf8",
  }).stdout.trim();
}

const LOOP = "let n = 0;\nsetInterval(() => {\n  n++; // @tick\n  console.log(n);\n}, 20);\n";

async function startLoop(node: string, program: string): Promise<{ pid: number; child: ChildProcess }> {
  const child = spawn(node, [program], { stdio: ["ignore", "pipe", "ignore"] });
  started.push(child);
  await nextOutput(child);
  return { pid: child.pid ?? 0, child };
}

function nextOutput(child: ChildProcess): Promise<unknown> {
  return new Promise((done) => child.stdout?.once("data", done));
}

test.each(nodes)(
  "$version: a launched program, its worker and its child listen nowhere",
  async ({ path }) => {
    const folder = project({
      "app.js": `const { Worker } = require("node:worker_threads");
new Worker(require.resolve("./work.js"));
require("node:child_process").fork(require.resolve("./work.js"));
`,
      "work.js": "let here = 1; // @here\nconsole.log(here, require('node:inspector').url());\n",
    });
    const work = join(folder, "work.js");
    const session = await TestSession.open();
    const breakpoints = { [work]: [marker(work, "here")] };
    session.followChildren(breakpoints);
    await session.start("launch", { program: join(folder, "app.js"), runtimeExecutable: path }, breakpoints);
    await session.waitFor(() => session.children.length === 2);
    await Promise.all(session.children.map((child) => child.until("stopped")));
    const pids = await Promise.all(
      [session, ...session.children].map(
        async (one) => (await one.until("process")).systemProcessId as number,
      ),
    );
    expect(new Set(pids).size).toBe(2);
    for (const pid of pids) expect(ports(pid)).toEqual([]);
    const ours = sockets();
    expect(ours.length).toBeGreaterThan(0);
    for (const socket of ours) expect(statSync(socket).mode & 0o777).toBe(0o600);
    if (isRoot) expect(ours.map(triedByNobody)).toEqual(ours.map(() => "EACCES"));
    for (const child of session.children) await child.client.request("continue", { threadId: 1 });
    await session.until("terminated");
    expect(session.output("stdout")).toBe("1 undefined\n1 undefined\n");
  },
);

test.each(nodes)("$version: a program that is attached to by pid listens nowhere", async ({ path }) => {
  const program = join(project({ "app.js": LOOP }), "app.js");
  const { pid, child } = await startLoop(path, program);
  const session = await TestSession.open();
  await session.start("attach", { pid }, { [program]: [marker(program, "tick")] });
  await session.until("stopped");
  expect(ports(pid)).toEqual([]);
  expect(sockets()).toEqual([]);
  await session.client.request("disconnect", {});
  await nextOutput(child);
  expect(ports(pid)).toEqual([]);
});

test.each([0, 30, 60, 90, 120, 200])(
  "a debugger that is killed %i ms into attaching leaves no port open, and the program runs",
  async (delay) => {
    const program = join(project({ "app.js": LOOP }), "app.js");
    const { pid, child } = await startLoop(process.execPath, program);
    const adapter = spawn(BIN, ["dap", "node"], { stdio: ["pipe", "pipe", "ignore"] });
    started.push(adapter);
    let seq = 0;
    const ask = (command: string, args: object) =>
      adapter.stdin.write(encode({ seq: ++seq, type: "request", command, arguments: args }));
    ask("initialize", { adapterID: "node" });
    await nextOutput(adapter);
    ask("attach", { pid });
    await new Promise((done) => setTimeout(done, delay));
    adapter.kill("SIGKILL");
    // Whoever has begun to open it closes it: nothing tells when.
    await expect.poll(() => openersOf(pid), { timeout: 10_000 }).toEqual([]);
    await expect.poll(() => ports(pid), { timeout: 5000 }).toEqual([]);
    await nextOutput(child);
    expect(ports(pid)).toEqual([]);
  },
);

test("a port that another debugger has for a moment is waited for", async () => {
  const holder = createServer();
  await new Promise<void>((done) => holder.listen(0, "127.0.0.1", done));
  const port = (holder.address() as AddressInfo).port;
  const program = join(project({ "app.js": LOOP }), "app.js");
  const child = spawn(process.execPath, [`--inspect-port=${port}`, program], { stdio: "pipe" });
  started.push(child);
  await nextOutput(child);
  const pid = child.pid ?? 0;
  let said = "";
  child.stderr?.on("data", (text) => {
    said += String(text);
  });
  const session = await TestSession.open();
  const attached = session.start("attach", { pid }, { [program]: [marker(program, "tick")] });
  holder.close();
  await attached;
  await session.until("stopped");
  // It was not asked to listen before it could.
  expect(said).not.toContain("address already in use");
  expect(ports(pid)).toEqual([]);
});

test.each([20, 120, 250, 500])(
  "a daemon that is killed %i ms into attaching leaves no port open, and the program runs",
  async (delay) => {
    const sonde = createSonde();
    const program = join(project({ "app.js": LOOP }), "app.js");
    const { pid, child } = await startLoop(process.execPath, program);
    const { daemon } = await sonde.ask<{ daemon: { pid: number } }>("status");
    const attached = sonde.run(["attach", String(pid)]);
    await new Promise((done) => setTimeout(done, delay));
    process.kill(daemon.pid, "SIGKILL");
    await attached;
    await expect.poll(() => openersOf(pid), { timeout: 10_000 }).toEqual([]);
    await expect.poll(() => ports(pid), { timeout: 5000 }).toEqual([]);
    await nextOutput(child);
    expect(ports(pid)).toEqual([]);
  },
);

function openersOf(pid: number): string[] {
  const found = spawnSync("ps", ["-eo", "args"], { encoding: "utf8" }).stdout.split("\n");
  return found.filter((line) => line.includes(`opener.entry.cjs ${pid} `));
}
