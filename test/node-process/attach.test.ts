import { type ChildProcess, spawn } from "node:child_process";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { cleanUp, isRunning, marker, owned, project, TestSession } from "./session.ts";

const started: ChildProcess[] = [];

afterEach(async () => {
  await cleanUp();
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

const LOOP = "let n = 0;\nsetInterval(() => {\n  n++; // @tick\n  console.log(n);\n}, 20);\n";

/** Resolves when it has printed something: then its signal handlers are in place. */
async function start(
  file: string,
  args: string[],
): Promise<{ pid: number; child: ChildProcess; stderr: () => string }> {
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return { pid: child.pid ?? 0, child, stderr: () => stderr };
}

function nextOutput(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.stdout?.once("data", resolve));
}

test("attaches by pid, stops it, leaves it running, and frees the port it opened", async () => {
  const program = join(project({ "app.js": LOOP }), "app.js");
  for (let round = 0; round < 2; round++) {
    const { pid, child } = await start("node", [program]);
    const session = await TestSession.open();
    await session.start("attach", { pid }, { [program]: [marker(program, "tick")] });
    await session.until("stopped");
    expect((await session.until("process")).systemProcessId).toBe(pid);
    expect(Number(await session.evaluate("n"))).toBeGreaterThan(0);
    expect(owned.size).toBe(0);
    await session.client.request("disconnect", {});
    await nextOutput(child);
    expect(isRunning(pid)).toBe(true);
  }
});

test("attaches by port and by url to an inspector that is open, several times", async () => {
  const program = join(project({ "app.js": LOOP }), "app.js");
  const { child, stderr } = await start("node", ["--inspect=127.0.0.1:0", program]);
  const url = /ws:\S+/.exec(stderr())?.[0] ?? "";
  for (const args of [
    { port: Number(new URL(url).port) },
    { url },
    { pid: child.pid },
    { host: "localhost", port: Number(new URL(url).port) },
  ]) {
    const session = await TestSession.open();
    await session.start("attach", args, { [program]: [marker(program, "tick")] });
    await session.until("stopped");
    await session.client.request("disconnect", {});
    await nextOutput(child);
  }
});

test("a program that waits under --inspect-brk runs after configurationDone", async () => {
  const program = join(project({ "app.js": "console.log('ran');\n" }), "app.js");
  const child = spawn("node", ["--inspect-brk=127.0.0.1:0", program], { stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  const url = await new Promise<string>((resolve) => {
    child.stderr.on("data", (chunk) => {
      const found = /ws:\S+/.exec(String(chunk))?.[0];
      if (found !== undefined) resolve(found);
    });
  });
  const session = await TestSession.open();
  const output = nextOutput(child);
  await session.start("attach", { url });
  if (session.events.some(({ event }) => event === "stopped"))
    await session.client.request("continue", { threadId: 1 });
  await Promise.race([
    output,
    session.until("stopped").then(() => session.client.request("continue", { threadId: 1 })),
  ]);
  await output;
  await session.until("terminated");
});

test("the end of an attached program ends the session, by kill -9 too", async () => {
  const program = join(project({ "app.js": LOOP }), "app.js");
  const { pid, child } = await start("node", ["--inspect=127.0.0.1:0", program]);
  const session = await TestSession.open();
  await session.start("attach", { pid });
  child.kill("SIGKILL");
  await session.until("terminated");
  expect(session.events.map(({ event }) => event)).not.toContain("exited");
});

test("what is not Node is not signalled", async () => {
  const { pid } = await start("sh", ["-c", "echo up; exec sleep 1000"]);
  const session = await TestSession.open();
  await expect(session.start("attach", { pid })).rejects.toThrow(
    new RegExp(`process ${pid} runs (sleep|coreutils|sh|dash), not Node`),
  );
  expect(isRunning(pid)).toBe(true);
});

test.each([
  [{ pid: 2 ** 22 + 1 }, /there is no process/],
  [{ port: 9 }, /no Node inspector responds at 127\.0\.0\.1:9/],
  [{ url: "ws://127.0.0.1:9/x" }, /cannot connect to the inspector/],
  [{ url: "http://127.0.0.1:9/x" }, /only ws:/],
  [{ sondeTarget: "gone" }, /no longer waiting/],
  [{}, /nothing to attach to/],
])("attach %j fails with the reason", async (args, message) => {
  const session = await TestSession.open();
  await expect(session.start("attach", args)).rejects.toThrow(message);
});

// Not on the usual port: there, other tests' programs open their inspectors meanwhile.
test("says whose its inspector's port is when it is taken", async () => {
  const program = join(project({ "app.js": LOOP }), "app.js");
  const blocker = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => blocker.once("listening", resolve));
  const { port } = blocker.address() as AddressInfo;
  try {
    const { pid } = await start("node", [`--inspect-port=${port}`, program]);
    const session = await TestSession.open();
    await expect(session.start("attach", { pid })).rejects.toThrow(
      `${port}, which process ${process.pid} already uses`,
    );
    expect(isRunning(pid)).toBe(true);
  } finally {
    blocker.close();
  }
});

test("an attached program is not ended by terminate", async () => {
  const program = join(project({ "app.js": LOOP }), "app.js");
  const { pid } = await start("node", ["--inspect=127.0.0.1:0", program]);
  const session = await TestSession.open();
  await session.start("attach", { pid });
  await expect(session.client.request("terminate", {})).rejects.toThrow(/did not start this program/);
  await session.client.request("disconnect", { terminateDebuggee: true });
  expect(isRunning(pid)).toBe(true);
});
