import { spawn } from "node:child_process";
import { describe, expect, test } from "vitest";
import { DapClient } from "../../src/dap/client.ts";
import { AdapterProcess } from "../../src/dap/process.ts";
import { connectSocket, listenForAdapter } from "../../src/dap/socket.ts";
import { stdioTransport } from "../../src/dap/stdio.ts";
import { StreamTransport } from "../../src/dap/stream.ts";
import { ownerIn, ownerOf } from "../../src/util/same-user.ts";
import { type Script, scripts } from "../scripted-adapter/script.ts";
import { type Route, startScripted } from "../scripted-adapter/start.ts";

async function connect(script: Script, route?: Route) {
  const adapter = await startScripted(script, route);
  const logged: string[] = [];
  const client = new DapClient(adapter.transport, {
    requestTimeoutMs: 5000,
    log: (text) => logged.push(text),
  });
  return { ...adapter, client, logged };
}

/** Everything up to the first stop, as the rules for one client say. */
async function firstStop(client: DapClient): Promise<void> {
  const initialized = new Promise<void>((resolve) => client.on("initialized", () => resolve()));
  const stopped = new Promise<void>((resolve) => client.on("stopped", () => resolve()));
  await client.request("initialize", { adapterID: "scripted", linesStartAt1: true, columnsStartAt1: true });
  const launch = client.request("launch", { program: "/tmp/p.txt" });
  await Promise.race([initialized, launch.then(() => initialized)]);
  await client.request("setBreakpoints", { source: { path: "/tmp/p.txt" }, breakpoints: [{ line: 3 }] });
  const configured = client.request("configurationDone", undefined);
  await Promise.all([launch, configured]).catch(async (error) => {
    await launch;
    throw error;
  });
  await stopped;
}

describe.each<Route>(["stdio", "tcp", "callback", "unix"])("over %s", (route) => {
  test("a whole session, every message valid", async () => {
    const { client, invalid, commands, process } = await connect(scripts.wellBehaved, route);
    await firstStop(client);
    expect(await client.request("threads", undefined)).toEqual({ threads: [{ id: 1, name: "main" }] });
    await client.request("disconnect", { terminateDebuggee: true });
    expect(await client.closed).toEqual({ why: "the debug adapter exited with code 0" });
    expect(await process.ended).toBe("the debug adapter exited with code 0");
    expect(commands()).toEqual([
      "initialize",
      "launch",
      "setBreakpoints",
      "configurationDone",
      "threads",
      "disconnect",
    ]);
    expect(invalid()).toEqual([]);
  });

  test("an adapter that is killed: pending fails within a second, with signal", async () => {
    const { client } = await connect(scripts.killedWhileStepping, route);
    await firstStop(client);
    const started = performance.now();
    await expect(client.request("next", { threadId: 1 })).rejects.toMatchObject({
      code: "ADAPTER_FAILED",
      message: 'no answer to "next": the debug adapter was killed by SIGKILL',
    });
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test("an adapter that crashes is quoted", async () => {
    const { client } = await connect(scripts.crashWhileStepping, route);
    await firstStop(client);
    await expect(client.request("next", { threadId: 1 })).rejects.toMatchObject({
      message:
        'no answer to "next": the debug adapter exited with code 3; its last words on stderr:\n  last words',
      details: { stderr: "last words\n" },
    });
  });

  test.each([
    ["garbageBytes", 'expected a Content-Length header, got "Segmentation fault (core dumped)\\n"'],
    ["garbageFrame", 'a message is not JSON: "nope!"'],
    ["hugeLength", "is over the limit"],
  ] as const)("%s end the connection and say so", async (name, text) => {
    const { client } = await connect(scripts[name], route);
    await firstStop(client);
    await expect(client.request("next", { threadId: 1 })).rejects.toMatchObject({
      message: expect.stringContaining(text),
    });
  });

  test("our close lets it see end-of-file and exit by itself", async () => {
    const { client, process } = await connect(scripts.wellBehaved, route);
    await firstStop(client);
    client.close();
    expect(await process.ended).toBe("the debug adapter exited with code 0");
  });
});

describe("orders seen in real adapters", () => {
  test.each([
    "lateInitialized",
    "initializedBeforeLaunch",
    "initializedBeforeInitializeResponse",
    "launchAnsweredAfterConfigurationDone",
    "stoppedDuringConfigurationDone",
    "breakpointsVerifiedLater",
    "floodsStderr",
    "unknownReverseRequest",
  ] as const)("%s still reaches the first stop", async (name) => {
    const { client, invalid } = await connect(scripts[name]);
    await firstStop(client);
    expect(invalid()).toEqual([]);
  });

  test("the real reason of a failed launch arrives after configurationDone failed", async () => {
    const { client } = await connect(scripts.launchFailsAfterConfigurationDone);
    await expect(firstStop(client)).rejects.toMatchObject({
      command: "launch",
      text: "'/no/such/program' does not exist",
    });
  });

  test.each(["stoppedBeforeContinueResponse", "stoppedInTheChunkOfTheResponse"] as const)(
    "%s is not lost",
    async (name) => {
      const { client } = await connect(scripts[name]);
      await firstStop(client);
      const stopped = new Promise((resolve) => client.on("stopped", resolve));
      await client.request("continue", { threadId: 1 });
      expect(await stopped).toMatchObject({ reason: "breakpoint" });
    },
  );

  test.each(["wrongRequestSeq", "duplicateResponse", "unknownEvents"] as const)(
    "%s disturbs nothing",
    async (name) => {
      const { client, logged } = await connect(scripts[name]);
      await firstStop(client);
      expect(await client.request("threads", undefined)).toEqual({ threads: [{ id: 1, name: "main" }] });
      expect(await client.request("scopes", { frameId: 1 })).toMatchObject({ scopes: [{ name: "Locals" }] });
      expect(logged.join("\n")).toMatch(/ignored|no listener/);
    },
  );

  test("silence ends in a time-out", async () => {
    const { client } = await connect(scripts.silentFromTheStart);
    await expect(client.request("initialize", { adapterID: "x" }, { timeoutMs: 100 })).rejects.toMatchObject({
      code: "TIMEOUT",
    });
  });

  test("reverse requests get an answer the schema accepts", async () => {
    const { client, received, invalid } = await connect(scripts.startsChild);
    const asked = new Promise((resolve) => {
      client.handle("startDebugging", async (args) => {
        resolve(args);
        return undefined;
      });
    });
    const initialized = new Promise<void>((resolve) => client.on("initialized", () => resolve()));
    await client.request("initialize", { adapterID: "scripted" });
    await client.request("launch", {});
    await initialized;
    await client.request("configurationDone", undefined);
    expect(await asked).toMatchObject({ request: "launch", configuration: { program: "/child" } });
    const answer = expect.objectContaining({ command: "startDebugging", success: true });
    await expect.poll(received).toContainEqual(answer);
    expect(invalid()).toEqual([]);
  });
});

describe("processes", () => {
  test("a program that does not exist is an error that names it", async () => {
    await expect(AdapterProcess.spawn({ command: "/no/such/adapter", args: [] })).rejects.toMatchObject({
      code: "ADAPTER_FAILED",
      message: expect.stringContaining("could not start /no/such/adapter: "),
    });
  });

  test("stderr keeps its last whole lines only", async () => {
    const code = 'for (let i = 0; i < 5000; i++) console.error("line", i)';
    const adapter = await AdapterProcess.spawn({ command: process.execPath, args: ["-e", code] });
    await adapter.ended;
    expect(adapter.stderr.length).toBeLessThanOrEqual(4096);
    expect(adapter.stderr).toMatch(/^line \d+\n[\s\S]*line 4999\n$/);
  });

  test("a grandchild that holds the pipes open does not hide the adapter's death", async () => {
    const code = `
      const { spawn } = require("node:child_process");
      const { pid } = spawn("sleep", ["3"], { stdio: "inherit", detached: true });
      process.stderr.write(String(pid), () => process.exit(9));`;
    const adapter = await AdapterProcess.spawn({ command: process.execPath, args: ["-e", code] });
    const client = new DapClient(stdioTransport(adapter), { requestTimeoutMs: 5000 });
    const started = performance.now();
    expect(await client.closed).toMatchObject({ why: "the debug adapter exited with code 9" });
    expect(performance.now() - started).toBeLessThan(2000);
    process.kill(Number(adapter.stderr), "SIGKILL");
  });

  test("one that was already spawned will do", async () => {
    const child = spawn(process.execPath, ["-e", "process.exit(4)"], { stdio: "pipe" });
    const client = new DapClient(stdioTransport(new AdapterProcess(child, "node")), {
      requestTimeoutMs: 5000,
    });
    expect(await client.closed).toEqual({ why: "node exited with code 4" });
  });

  test("a death before the client exists is told all the same", async () => {
    const adapter = await AdapterProcess.spawn({
      command: process.execPath,
      args: ["-e", "process.exit(5)"],
    });
    const transport = stdioTransport(adapter);
    await adapter.ended;
    const client = new DapClient(transport, { requestTimeoutMs: 5000 });
    expect(await client.closed).toEqual({ why: "the debug adapter exited with code 5" });
  });
});

describe("sockets", () => {
  test("whose process dials us is read from the kernel's table", () => {
    const table = [
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
      "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0",
      "   1: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 2 1 0 20 4 30 10 -1",
    ].join("\n");
    expect(ownerOf(table, 0xc350, 0x1f90)).toBe(1001);
    expect(ownerOf(table, 0x1f90, 0xc350)).toBeUndefined();
  });

  test("the caller's user is found in a table that is read while others come and go", () => {
    const row = (uid: number, inode: number) =>
      `   1: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1 0 20 4 30 10 -1`;
    const read = (...seen: string[]) => {
      const left = [...seen];
      return () => left.shift() ?? "";
    };
    expect(ownerOf(`${row(1001, 2)}\n${row(1001, 2)}`, 0xc350, 0x1f90)).toBe(1001);
    expect(ownerOf(`${row(1001, 2)}\n${row(1002, 3)}`, 0xc350, 0x1f90)).toBeUndefined();
    expect(ownerIn(read("", "", row(1001, 2)), 0xc350, 0x1f90)).toBe(1001);
    expect(ownerIn(read(), 0xc350, 0x1f90)).toBeUndefined();
    const two = `${row(1001, 2)}\n${row(1002, 3)}`;
    expect(ownerIn(read("", two, row(1001, 2)), 0xc350, 0x1f90)).toBeUndefined();
  });

  test("nobody there", async () => {
    const { port, host, close } = await listenForAdapter();
    close();
    await expect(connectSocket({ host, port }, { timeoutMs: 1000 })).rejects.toMatchObject({
      code: "ADAPTER_FAILED",
      message: expect.stringContaining(
        `could not connect to the debug adapter at 127.0.0.1:${port}: connect ECONNREFUSED`,
      ),
    });
    const retried = connectSocket({ host, port }, { timeoutMs: 200, retry: true });
    await expect(retried).rejects.toMatchObject({ code: "TIMEOUT" });
  });

  test("nobody calls; the caller gives up; the process that should call dies", async () => {
    const first = await listenForAdapter();
    await expect(first.accept({ timeoutMs: 50 })).rejects.toMatchObject({ code: "TIMEOUT" });
    const second = await listenForAdapter();
    const signal = AbortSignal.abort();
    await expect(second.accept({ timeoutMs: 5000, signal })).rejects.toMatchObject({ code: "CANCELLED" });
    const third = await listenForAdapter();
    const dying = await AdapterProcess.spawn({
      command: process.execPath,
      args: ["-e", "console.error('bad flag'); process.exit(1)"],
    });
    await expect(third.accept({ timeoutMs: 5000, process: dying })).rejects.toMatchObject({
      code: "ADAPTER_FAILED",
      message:
        "could not be called by the debug adapter: the debug adapter exited with code 1; its last words on stderr:\n  bad flag",
    });
  });
});

test("a stream that fails does not take the process with it", async () => {
  const child = spawn(process.execPath, ["-e", "process.stdin.destroy(); setTimeout(() => {}, 300)"], {
    stdio: "pipe",
  });
  const transport = new StreamTransport(child.stdout, child.stdin);
  const client = new DapClient(transport, { requestTimeoutMs: 2000 });
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (let i = 0; i < 5; i++) void client.requestRaw("x", {});
  expect((await client.closed).why).toMatch(/closed/);
});
