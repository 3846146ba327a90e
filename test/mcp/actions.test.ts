/** Every action once, on a debugger that has all of them: C under LLDB. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { printed } from "../contract/rig.ts";
import { builtFolder } from "../support/builds.ts";
import { marker } from "../support/markers.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { type Mcp, type Result, startMcp } from "./mcp.ts";

const folder = builtFolder("c");
const line = (file: string, name: string) => marker(join(folder, file), name);

interface Session extends Mcp {
  sonde: Sonde;
  debug(action: string, args?: Record<string, unknown>): Promise<Result>;
  inspect(action: string, args?: Record<string, unknown>): Promise<Result>;
}

/** `watch`, stopped in `add` at its first call. */
async function stoppedInAdd(): Promise<Session> {
  const sonde = borrowSonde();
  const mcp = await startMcp(sonde);
  await mcp.ok("debug", {
    action: "launch",
    program: "watch",
    cwd: folder,
    adapter: "lldb",
    breakpoints: [`watch.c:${line("watch.c", "write-global")}`],
  });
  return {
    ...mcp,
    sonde,
    debug: (action, args) => mcp.ok("debug", { action, ...args }),
    inspect: (action, args) => mcp.ok("inspect", { action, ...args }),
  };
}

test("moving: continue, steps, until, pause, restart, terminate", { timeout: 60_000 }, async () => {
  const { debug, inspect, refused } = await stoppedInAdd();
  expect((await debug("step_over")).text).toMatch(/^stopped: step .*watch\.c/);
  expect((await debug("step_out")).text).toMatch(/in main\b/);
  expect((await debug("continue", { expressions: ["v"] })).text).toMatch(/\nv = 2/);
  const after = { file: "watch.c", line: line("watch.c", "loop-first") };
  expect((await debug("until", after)).text).toContain(`watch.c:${after.line} in main`);
  await debug("remove_breakpoint", { file: "watch.c", line: line("watch.c", "write-global") });
  expect((await debug("step_in")).text).toMatch(/in add\b/);
  expect((await inspect("context", { lines: 1 })).text).toMatch(/in add\b/);

  const again = await debug("restart", { breakpoints: [`watch.c:${line("watch.c", "before")}`] });
  expect(again.text).toMatch(/^stopped: breakpoint .* in main/);
  expect((await debug("terminate")).text).toMatch(/^ended: session watch/);
  expect(await refused("inspect", { action: "context" })).toMatchObject({ code: "NO_SESSION" });
});

test("pause stops what runs; continue while it runs waits", { timeout: 60_000 }, async () => {
  const mcp = await startMcp(borrowSonde());
  const running = await mcp.ok("debug", {
    action: "launch",
    program: "idle",
    cwd: folder,
    adapter: "lldb",
    no_wait: true,
  });
  expect(running.data).toMatchObject({ state: "running" });
  const tick = `idle.c:${line("idle.c", "tick")}`;
  const stop = await mcp.ok("debug", { action: "continue", breakpoints: [tick] });
  expect(stop.text).toContain(`${tick} in tick`);
  await mcp.ok("debug", { action: "remove_breakpoint", file: "idle.c", line: line("idle.c", "tick") });
  await mcp.ok("debug", { action: "continue", no_wait: true });
  expect((await mcp.ok("debug", { action: "pause" })).text).toMatch(/^stopped: pause/);
});

test("attach by process id, and leave it running", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  const program = sonde.program(join(folder, "idle"), []);
  await printed(program.stdout, "ready");
  const mcp = await startMcp(sonde);
  const stop = await mcp.ok("debug", {
    action: "attach",
    pid: program.pid,
    adapter: "lldb",
    cwd: folder,
    breakpoints: [`idle.c:${line("idle.c", "tick")}`],
  });
  expect(stop.text).toMatch(/in tick\b/);
  expect((await mcp.ok("debug", { action: "terminate" })).text).toContain("the process runs on");
  expect(program.exitCode).toBeNull();
});

test("attach by port", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  const file = sonde.fixture("js/stats.js");
  const program = sonde.program(process.execPath, ["--inspect-brk=127.0.0.1:0", file]);
  let said = "";
  program.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  await printed(program.stderr, "ws://");
  const port = /127\.0\.0\.1:(\d+)/.exec(said)?.[1];
  const mcp = await startMcp(sonde);
  const stop = await mcp.ok("debug", {
    action: "attach",
    port: Number(port),
    host: "127.0.0.1",
    adapter: "node",
    breakpoints: [`stats.js:${marker(file, "mean-add")}`],
  });
  expect(stop.text).toMatch(/stats\.js/);
  await mcp.ok("debug", { action: "terminate" });
});

test("another thread is looked at, and the look comes back", { timeout: 60_000 }, async () => {
  const mcp = await startMcp(borrowSonde());
  const at = `threads.c:${line("threads.c", "work-first")}`;
  await mcp.ok("debug", {
    action: "launch",
    program: "threads",
    cwd: folder,
    adapter: "lldb",
    breakpoints: [at],
  });
  const { data } = await mcp.ok("inspect", { action: "threads" });
  const threads = data.threads as { number: number; current: boolean }[];
  const other = threads.find(({ current }) => !current)?.number;
  const elsewhere = await mcp.ok("inspect", { action: "stack_trace", thread_id: other, levels: 10 });
  const here = await mcp.ok("inspect", { action: "context" });
  expect(here.text).toContain(at);
  expect(elsewhere.text).not.toContain(at);
  expect((await mcp.ok("inspect", { action: "threads" })).data).toEqual(data);
});

test("breakpoints: set, set again, function, remove", { timeout: 60_000 }, async () => {
  const { debug, refused } = await stoppedInAdd();
  const place = { file: "watch.c", line: line("watch.c", "write-local") };
  expect((await debug("set_breakpoint", place)).data).toMatchObject({ breakpoints: [{ state: "bound" }] });
  const changed = await debug("set_breakpoint", { ...place, condition: "i == 3" });
  expect(changed.data).toMatchObject({ breakpoints: [{ state: "bound", condition: "i == 3" }] });
  await debug("remove_breakpoint", { file: "watch.c", line: line("watch.c", "write-global") });
  // Set twice, it is one: the condition holds.
  expect((await debug("continue", { expressions: ["i"] })).text).toMatch(/\ni = 3/);
  expect((await debug("remove_breakpoint", place)).text).toMatch(/^removed: breakpoint/);
  expect(await refused("debug", { action: "remove_breakpoint", ...place })).toMatchObject({
    code: "BAD_ARGUMENT",
    message: expect.stringContaining("no breakpoint at watch.c"),
  });
  expect((await debug("set_breakpoint", { function: "add", hit_condition: "2" })).text).toContain("add");
  expect((await debug("remove_breakpoint", { function: "add" })).text).toMatch(/^removed/);
});

test("instruction breakpoints, disassembly, registers", { timeout: 60_000 }, async () => {
  const { debug, inspect } = await stoppedInAdd();
  const code = await inspect("disassemble", { instruction_count: 5, memory_reference: "main" });
  const { instructions } = code.data as { instructions: { address: string; text: string }[] };
  expect(instructions).toHaveLength(5);
  expect((await inspect("disassemble", { instruction_count: 4 })).text).toMatch(/^->/m);
  const back = await inspect("disassemble", {
    instruction_count: 3,
    instruction_offset: 1,
    memory_reference: instructions[0]?.address,
    resolve_symbols: false,
  });
  expect(back.data).toMatchObject({ instructions: [{ address: expect.anything() }, {}, {}] });
  const first = (back.data.instructions as { address: string }[])[0]?.address ?? "0";
  expect(BigInt(first)).toBe(BigInt(instructions[1]?.address ?? "1"));
  expect((await inspect("registers")).text).toMatch(/\b(rip|pc) = 0x/);
  const pc = async (frame_id: number) => {
    const { data } = await inspect("registers", { names: ["rip"], frame_id });
    return (data.registers as { value: string }[])[0]?.value;
  };
  if (process.arch === "x64") expect(await pc(1)).not.toBe(await pc(0));

  const here = await inspect("stack_trace", { levels: 2 });
  expect(here.data).toMatchObject({ frames: [{ function: "add" }, { function: "main" }] });
  const set = await debug("set_instruction_breakpoint", { instruction_reference: "main", offset: 4 });
  expect(set.data).toMatchObject({ breakpoints: [{ kind: "instruction" }] });
  const gone = await debug("remove_instruction_breakpoint", { instruction_reference: "main", offset: 4 });
  expect(gone.text).toMatch(/^removed: instruction breakpoint|^removed: breakpoint/);
});

test("data breakpoints", { timeout: 60_000 }, async () => {
  const { debug, refused } = await stoppedInAdd();
  const info = await debug("data_breakpoint_info", { name: "total" });
  expect(info.data).toEqual({
    dataId: "total",
    expression: "total",
    accesses: ["read", "write", "readWrite"],
    local: false,
  });
  expect(info.text).toBe(
    'total can be watched (read, write, readWrite)\nnext: `debug {"action":"set_data_breakpoint","data_id":"total"}`\n',
  );
  expect((await debug("data_breakpoint_info", { name: "local", frame_id: 1 })).data).toMatchObject({
    dataId: "1:local",
    local: true,
  });
  await debug("remove_breakpoint", { file: "watch.c", line: line("watch.c", "write-global") });
  const set = await debug("set_data_breakpoint", { data_id: "total", access_type: "write" });
  expect(set.data).toMatchObject({ watches: [{ kind: "data", state: "bound", access: "write" }] });
  const stop = await debug("continue");
  expect(stop.text).toMatch(/^stopped: .*total/);
  expect(stop.data).toMatchObject({ snapshot: { watches: [{ old: "0", new: "1" }] } });
  expect((await debug("remove_data_breakpoint", { data_id: "total" })).text).toMatch(/^removed/);
  expect(await refused("debug", { action: "data_breakpoint_info", name: "nothing_such" })).toMatchObject({
    code: "EVAL_FAILED",
  });
});

test("data_breakpoint_info asks and changes nothing", { timeout: 60_000 }, async () => {
  const { debug, sonde } = await stoppedInAdd();
  await debug("set_data_breakpoint", { data_id: "1:local" });
  const before = await sonde.ask("-s watch breakpoint list");
  await debug("data_breakpoint_info", { name: "total" });
  const known = await debug("data_breakpoint_info", { name: "local", frame_id: 1 });
  expect(known.text).toContain("; watch 2 is on it");
  expect(await sonde.ask("-s watch breakpoint list")).toEqual(before);
  const messages = await sonde.text("-s watch logs --protocol --tail 1000 --grep DataBreakpoint");
  expect(messages.match(/"command":"dataBreakpointInfo","arguments"/g)?.length).toBeGreaterThanOrEqual(3);
  expect(messages.match(/"command":"setDataBreakpoints","arguments"/g)).toHaveLength(1);
});

test.each([
  ["2", ["3 (hit 2)"]],
  [">=2", ["3 (hit 2)", "6 (hit 3)"]],
  [">2", ["6 (hit 3)"]],
])("a data breakpoint with the hit condition %s", { timeout: 60_000 }, async (hit_condition, values) => {
  const { debug } = await stoppedInAdd();
  await debug("remove_breakpoint", { file: "watch.c", line: line("watch.c", "write-global") });
  const set = await debug("set_data_breakpoint", { data_id: "total", hit_condition });
  expect(set.data).toMatchObject({ watches: [{ state: "bound", hitCondition: hit_condition }] });
  // No "changed from": what it was before this write is not what it was at the last stop.
  for (const value of values) expect((await debug("continue")).text).toContain(`total = ${value}`);
  expect((await debug("continue")).text).toMatch(/^exited: code 0/);
});

test("a hit condition that the debugger cannot count is refused", { timeout: 60_000 }, async () => {
  const { refused, sonde } = await stoppedInAdd();
  const count = { action: "set_data_breakpoint", data_id: "total", hit_condition: "%2" };
  expect(await refused("debug", count)).toMatchObject({
    message: expect.stringContaining("LLDB counts hits only as 5, >=5 or >5"),
  });
  expect(await refused("debug", { ...count, hit_condition: "often" })).toMatchObject({
    code: "BAD_ARGUMENT",
    message: "`hit_condition`: `often` is not a count",
  });
  expect(await sonde.ask("-s watch watch list")).toMatchObject({ watches: [] });
});

test("values: evaluate, scopes, variables, set_variable, another frame", { timeout: 60_000 }, async () => {
  const { debug, inspect, refused } = await stoppedInAdd();
  expect((await debug("evaluate", { expression: "v + 1" })).text).toMatch(/= 2/);
  expect((await debug("evaluate", { expression: "local", frame_id: 1, context: "watch" })).text).toMatch(
    /^local = 0/,
  );
  expect((await debug("evaluate", { expression: "version", context: "raw" })).text).toMatch(/lldb/i);
  const write = { action: "evaluate", expression: "v = 9", context: "watch" };
  expect((await refused("debug", write)).message).toBe("`v = 9` would have side effects");
  expect((await debug("evaluate", { expression: "v" })).text).toMatch(/^v = 1/);
  const command = { expression: "frame variable v", context: "raw" };
  expect((await refused("debug", { action: "evaluate", expression: command.expression })).hint).toBe(
    `that is a debugger command, not an expression: \`debug {"action":"evaluate","expression":"frame variable v","context":"raw"}\` runs it`,
  );
  expect((await debug("evaluate", command)).text).toMatch(/v = 1/);
  // The look has come back.
  expect((await inspect("context")).text).toMatch(/in add\b/);
  const scopes = await inspect("scopes", { frame_id: 1 });
  const [locals] = scopes.data.scopes as { handle: string; name: string }[];
  const handle = locals?.handle ?? "";
  expect((await inspect("variables", { scope_id: handle })).text).toMatch(/^i = 1/m);
  const number = Number(handle.replace("@v", ""));
  expect((await inspect("variables", { variable_ref: number, start: 0, count: 1 })).data).toMatchObject({
    values: [{}],
  });
  expect((await debug("set_variable", { name: "v", value: "40" })).text).toMatch(/^v = 40/);
  expect((await debug("step_over")).text).toMatch(/in add|in main/);
  expect((await debug("evaluate", { expression: "total" })).text).toMatch(/^total = 40/);
});

test("memory", { timeout: 60_000 }, async () => {
  const { debug, inspect } = await stoppedInAdd();
  const data = Buffer.from([42, 0, 0, 0]).toString("base64");
  expect((await debug("write_memory", { memory_reference: "&v", data })).text).toMatch(/^wrote 4 bytes/);
  const read = await inspect("read_memory", { memory_reference: "&v", count: 4 });
  expect(read.data).toMatchObject({ hex: "2a000000", data, unreadable: 0 });
  const next = await inspect("read_memory", {
    memory_reference: String(read.data.address),
    count: 2,
    offset: 1,
  });
  expect(next.data).toMatchObject({ hex: "0000" });
  const partly = await debug("write_memory", {
    memory_reference: "&v",
    data: Buffer.from([7]).toString("base64"),
    allow_partial: true,
  });
  expect(partly.data).toMatchObject({ written: 1, hex: "07" });
  expect((await debug("evaluate", { expression: "v" })).text).toMatch(/^v = 7/);
});

test("threads, modules, sources, output, sessions, exceptions, custom requests", {
  timeout: 60_000,
}, async () => {
  const { debug, inspect, refused } = await stoppedInAdd();
  expect((await inspect("threads")).text).toMatch(/^\* 1 .*watch\.c/);
  expect((await inspect("modules")).text).toContain("libc");
  const page = await inspect("modules", { start_module: 1, module_count: 1 });
  expect(page.data).toMatchObject({ modules: [{}] });
  expect(page.text).toMatch(/\(1 to 1 of \d+ modules\)/);
  expect((await inspect("sessions")).data).toMatchObject({ sessions: [{ name: "watch", state: "stopped" }] });
  const threads = await debug("custom_request", { command: "threads", arguments: {} });
  expect(threads.data).toMatchObject({ body: { threads: [{}] } });
  const caught = await debug("set_exception_breakpoints", { filters: ["none"] });
  expect(caught.data).toMatchObject({ catches: [] });
  expect(await refused("debug", { action: "set_exception_breakpoints", filters: ["no-such"] })).toMatchObject(
    { code: "BAD_ARGUMENT", message: expect.stringContaining("no-such") },
  );
  await debug("remove_breakpoint", { file: "watch.c", line: line("watch.c", "write-global") });
  await debug("continue");
  expect((await inspect("output", { count: 1 })).text).toContain("total 6 local 60");
});

test("loaded sources, on a debugger that lists them", async () => {
  const sonde = borrowSonde();
  const program = sonde.fixture("js/stats.js");
  const mcp = await startMcp(sonde);
  const stop = marker(program, "mean-add");
  await mcp.ok("debug", { action: "launch", program, breakpoints: [`stats.js:${stop}`] });
  expect((await mcp.ok("inspect", { action: "loaded_sources" })).text).toContain("stats.js");
});
