/** The server as a client of the protocol sees it: what it costs, what it promises, progress, cancellation, sharing. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { marker } from "../support/markers.ts";
import { createSonde } from "../support/sonde.ts";
import { startMcp } from "./mcp.ts";

/** Of SPEC's 28 actions and our own. */
const ACTIONS = {
  debug:
    "launch attach set_breakpoint remove_breakpoint set_instruction_breakpoint remove_instruction_breakpoint data_breakpoint_info set_data_breakpoint remove_data_breakpoint set_exception_breakpoints continue step_over step_in step_out until pause restart evaluate set_variable write_memory custom_request terminate ask_back",
  inspect:
    "context stack_trace threads breakpoints scopes variables output read_memory disassemble registers modules loaded_sources sessions",
};

test("tools and instructions stay within their budget", async () => {
  const { client } = await startMcp(createSonde());
  const list = await client.listTools();
  const bytes = Buffer.byteLength(JSON.stringify(list)) + Buffer.byteLength(client.getInstructions() ?? "");
  expect(bytes / 4).toBeLessThanOrEqual(2000);
  expect(client.getInstructions()).toMatch(/probe.*trace.*debug/s);
});

test("each tool says what it offers and what it does to the world", async () => {
  const { client } = await startMcp(createSonde());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["probe", "trace", "debug", "inspect"]);
  for (const [name, actions] of Object.entries(ACTIONS)) {
    const tool = tools.find((one) => one.name === name);
    const offered = tool?.inputSchema.properties?.action as { enum: string[] };
    expect([...offered.enum].sort()).toEqual(actions.split(" ").sort());
    expect(tool?.inputSchema.required).toEqual(["action"]);
  }
  for (const { name, annotations } of tools) {
    const looks = name === "inspect";
    expect(annotations).toEqual({
      readOnlyHint: looks,
      destructiveHint: !looks,
      idempotentHint: looks,
      openWorldHint: !looks,
    });
  }
});

test("--tools chooses", async () => {
  const sonde = createSonde();
  const { client } = await startMcp(sonde, ["--tools", "inspect,debug"]);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["debug", "inspect"]);
  const refused = await sonde.run(["mcp", "--tools", "debugg"]);
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining("did you mean debug?") });
  expect((await sonde.run(["mcp", "--frob"])).stderr).toContain("mcp: no such option `--frob`");
});

test("the server ends with its input, and starts no daemon for a list of tools", async () => {
  const sonde = createSonde();
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  };
  const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
  const { stdout, status, stderr } = await sonde.run("mcp", {
    input: `${JSON.stringify(initialize)}\n${JSON.stringify(list)}\n`,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id: number }).id),
  ).toEqual([1, 2]);
  expect(sonde.processes()).toEqual([]);
});

test("one-shot tools: probe, crash, hang, test; trace, diff, show", { timeout: 90_000 }, async () => {
  const sonde = createSonde();
  const program = sonde.fixture("js/stats.js");
  sonde.fixture("js/uncaught.js");
  sonde.write(
    "sum.test.js",
    "require('node:test')('adds up', () => { const sum = 1 + 2; require('node:assert').equal(sum, 4); });\n",
  );
  const mcp = await startMcp(sonde);
  const at = `stats.js:${marker(program, "mean-add")}`;
  const probe = await mcp.ok("probe", { locations: [at], hits: 2, expressions: ["values.length"] });
  expect(probe.text).toMatch(/v = 2/);
  expect(probe.text).toMatch(/values\.length = 4/);
  const crash = await mcp.ok("probe", { mode: "crash", command: "node uncaught.js" });
  expect(crash.text).toContain("cannot read 9 characters");
  expect(crash.data).toMatchObject({ crashed: true });
  sonde.fixture("js/endless.js");
  const hang = await mcp.ok("probe", { mode: "hang", command: "node endless.js", after: 0.5 });
  expect(hang.data).toMatchObject({ verdict: "busy", left: false });
  const thrown = await mcp.ok("probe", { exception: true, command: "node uncaught.js" });
  expect(thrown.text).toMatch(/^stopped: /);
  const tested = await mcp.ok("probe", { mode: "test", command: "node --test sum.test.js" });
  expect(tested.text).toMatch(/sum = 3/);

  const trace = await mcp.ok("trace", { at: [`${at}=v`], expressions: ["total"], command: "node stats.js" });
  expect(trace.data).toMatchObject({ trace: { seen: 4 } });
  const { id } = trace.data.trace as { id: string };
  expect((await mcp.ok("trace", { mode: "show", traces: [id], where: "v == 3" })).text).toMatch(/\b3\b/);
  // As the other tools say it.
  expect((await mcp.ok("trace", { action: "show", traces: [id], where: "v == 3" })).text).toMatch(/\b3\b/);
  const calls = await mcp.ok("trace", { function: "mean", command: "node stats.js" });
  expect(calls.text).toMatch(/mean\(/);
  sonde.write(
    "double.js",
    "let all = '';\nprocess.stdin.on('data', (c) => (all += c)).on('end', () => {\n  const n = Number(all);\n  console.log(n * 2);\n});\n",
  );
  const diff = await mcp.ok("trace", {
    mode: "diff",
    command: "node double.js",
    stdin: "1",
    stdin_b: "2",
    at: ["double.js:4=n"],
  });
  expect(diff.text).toMatch(/double\.js:4/);
});

test("a trace's answer is bounded, however long the run", { timeout: 60_000 }, async () => {
  const sonde = createSonde();
  sonde.write("long.js", "let n = 0;\nfor (let i = 0; i < 5000; i++) {\n  n += i;\n}\n");
  const mcp = await startMcp(sonde);
  const { text, data } = await mcp.ok("trace", { at: ["long.js:3=n,i"] });
  expect(data).toMatchObject({ truncated: true, trace: { seen: 5000 } });
  expect(JSON.stringify(data).length).toBeLessThanOrEqual(16 * 1024);
  expect(text.length).toBeLessThan(8 * 1024);
});

test("who asks for progress gets it", async () => {
  const sonde = createSonde();
  sonde.fixture("js/endless.js");
  const mcp = await startMcp(sonde);
  const seen: { progress: number; message?: string | undefined }[] = [];
  let enough = () => {};
  const several = new Promise<void>((done) => {
    enough = done;
  });
  const waiting = mcp.call(
    "debug",
    { action: "launch", program: "endless.js", timeout: 300 },
    {
      onprogress: (one) => {
        seen.push(one);
        if (seen.length === 3) enough();
      },
    },
  );
  await several;
  await mcp.ok("debug", { action: "pause" });
  expect((await waiting).text).toMatch(/^stopped: pause/);
  expect(seen.map(({ progress }) => progress)).toEqual(
    seen.map(({ progress }) => progress).toSorted((a, b) => a - b),
  );
  expect(seen[0]?.message).toBe("started");
});

test("a call that is cancelled ends in the daemon too, and the program goes on", async () => {
  const sonde = createSonde();
  sonde.fixture("js/endless.js");
  const mcp = await startMcp(sonde);
  await mcp.ok("debug", { action: "launch", program: "endless.js", no_wait: true });
  const cancel = new AbortController();
  const waiting = mcp.call(
    "debug",
    { action: "continue", timeout: 300 },
    { signal: cancel.signal, onprogress: () => cancel.abort("enough") },
  );
  await expect(waiting).rejects.toThrow("enough");
  await expect
    .poll(() => sonde.ask("daemon status"))
    .toMatchObject({
      requests: 0,
    });
  expect((await mcp.ok("inspect", { action: "sessions" })).data).toMatchObject({
    sessions: [{ name: "endless", state: "running" }],
  });
});

test("a launch that is cancelled leaves nothing", async () => {
  const sonde = createSonde();
  sonde.fixture("js/endless.js");
  const mcp = await startMcp(sonde);
  const cancel = new AbortController();
  const waiting = mcp.call(
    "debug",
    { action: "launch", program: "endless.js", timeout: 300 },
    { signal: cancel.signal, onprogress: () => cancel.abort("enough") },
  );
  await expect(waiting).rejects.toThrow("enough");
  await expect.poll(() => sonde.ask("sessions")).toMatchObject({ sessions: [] });
});

test("timeout: still running is an answer", async () => {
  const sonde = createSonde();
  sonde.fixture("js/endless.js");
  const mcp = await startMcp(sonde);
  const running = await mcp.ok("debug", { action: "launch", program: "endless.js", timeout: 0.1 });
  expect(running.data).toMatchObject({ state: "running", waitedSecs: 5 });
});

test("sessions are shared with the command line, both ways", { timeout: 60_000 }, async () => {
  const sonde = createSonde();
  const program = sonde.fixture("js/stats.js");
  const mcp = await startMcp(sonde);
  const line = marker(program, "mean-add");
  await sonde.text(["start", "stats.js", "--break", `stats.js:${line}`]);
  expect((await mcp.ok("inspect", { action: "sessions" })).data).toMatchObject({
    sessions: [{ name: "stats" }],
  });
  expect((await mcp.ok("debug", { action: "continue" })).text).toMatch(/\(hit 2\)/);
  expect((await mcp.ok("debug", { action: "evaluate", expression: "v" })).text).toMatch(/^v = 2/);
  expect(await sonde.text("print v")).toMatch(/^v = 2/);
  await sonde.text("stop");

  await mcp.ok("debug", {
    action: "launch",
    program: "stats.js",
    breakpoints: [`stats.js:${line}`],
    session: "mine",
  });
  expect(await sonde.text("sessions")).toMatch(/^mine {2}stopped/);
  expect(await sonde.text("continue")).toMatch(/\(hit 2\)/);
  expect((await mcp.ok("inspect", { action: "context", session: "mine" })).text).toMatch(/v = 2/);
});

test("paths are relative to the client's root, and then to the folder it gave last", async () => {
  const sonde = createSonde();
  sonde.write("sub/app.js", "const deep = 1;\nconsole.log(deep);\n");
  sonde.write("other/app.js", "const other = 2;\nconsole.log(other);\n");
  mkdirSync(join(sonde.project, "empty"));
  const mcp = await startMcp(sonde, [], { capabilities: { roots: {} } });
  mcp.client.setRequestHandler(ListRootsRequestSchema, () => ({
    roots: [{ uri: pathToFileURL(join(sonde.project, "sub")).href }],
  }));
  const first = await mcp.ok("debug", { action: "launch", program: "app.js", breakpoints: ["app.js:2"] });
  expect(first.text).toMatch(/deep = 1/);
  const cwd = join(sonde.project, "other");
  expect(
    (await mcp.ok("debug", { action: "launch", program: "app.js", breakpoints: ["app.js:2"], cwd })).text,
  ).toMatch(/other = 2/);
  expect((await mcp.ok("debug", { action: "evaluate", expression: "other" })).text).toMatch(/^other = 2/);
});

test("the same folder said twice is the same folder", async () => {
  const sonde = createSonde();
  sonde.write("sub/app.js", "const deep = 1;\nconsole.log(deep);\n");
  sonde.write("sub/deeper/app.js", "const deep = 2;\nconsole.log(deep);\n");
  const mcp = await startMcp(sonde);
  const probe = { locations: ["app.js:2"], command: "node app.js" };
  for (const _ of [1, 2]) expect((await mcp.ok("probe", { ...probe, cwd: "sub" })).text).toMatch(/deep = 1/);
  expect((await mcp.ok("probe", { ...probe, cwd: "deeper" })).text).toMatch(/deep = 2/);
  expect(
    await mcp.refused("debug", { action: "evaluate", expression: "1", context: "raw", frame_id: 1 }),
  ).toMatchObject({
    code: "BAD_ARGUMENT",
  });
});

test("what is no message is answered with an error, and the server goes on", async () => {
  const sonde = createSonde();
  const child = sonde.spawn(["mcp"]);
  if (!child.stdin || !child.stdout || !child.stderr) throw new Error("no streams");
  const initialize = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "sonde-test", version: "1" },
  };
  const long = { name: "probe", arguments: { locations: ["x".repeat(12 * 1024 * 1024)] } };
  const lines = [
    "{ not json",
    "",
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: initialize }),
    JSON.stringify([{ jsonrpc: "2.0", id: 7, method: "ping" }]),
    "7",
    JSON.stringify({ jsonrpc: "1.0", id: "old", method: "ping" }),
    JSON.stringify({ jsonrpc: "2.0", id: 8, method: 8 }),
    JSON.stringify({ jsonrpc: "2.0", id: {}, method: "ping" }),
    JSON.stringify({ jsonrpc: "2.0", id: 9, method: "ping", params: 5 }),
    JSON.stringify({ jsonrpc: "2.0", id: 10, method: "ping", extra: 1 }),
    JSON.stringify({ jsonrpc: "2.0", id: 77, result: null }),
    // An answer that is none is not answered.
    JSON.stringify({ jsonrpc: "2.0", id: {}, result: {} }),
    `"${"x".repeat(65 * 1024 * 1024)}"`,
    JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: long }),
    JSON.stringify({ jsonrpc: "2.0", id: 3, method: "tools/list" }),
  ];
  child.stdin.write(`${lines.join("\n")}\n`);
  const said = text(child.stderr);
  interface Answer {
    id: number | string | null;
    result?: { isError?: boolean };
    error?: { code: number; message: string };
  }
  const answers: Answer[] = [];
  for await (const line of createInterface(child.stdout)) {
    answers.push(JSON.parse(line) as Answer);
    if (answers.length === 12) child.stdin?.end();
  }
  const errors = answers.flatMap(({ id, error }) => (error ? [[id, error.code, error.message]] : []));
  expect(errors).toEqual([
    [null, -32700, expect.stringMatching(/^Parse error: /)],
    [null, -32600, "Invalid request: batches are not supported: send one message per line"],
    [null, -32600, "Invalid request: a message must be an object"],
    ["old", -32600, 'Invalid request: `jsonrpc` must be "2.0"'],
    [8, -32600, "Invalid request: `method` must be a string"],
    [null, -32600, "Invalid request: `id` must be a string or an integer"],
    [9, -32600, "Invalid request: `params` must be an object"],
    [10, -32600, "Invalid request: a request must not have `extra`"],
    [null, -32600, "a message is at most 67108864 bytes long"],
  ]);
  const answered = (id: number) => answers.find((one) => one.id === id)?.result;
  expect(answered(1)).toBeDefined();
  expect(answered(2)?.isError).toBe(true);
  expect(answered(3)).toHaveProperty("tools");
  expect(await said).toMatch(/^sonde mcp: Parse error/);
});
