/** What cannot be done is said, with what to do instead: calls that are wrong, and debuggers that cannot. */
import { describe, expect, test } from "vitest";
import { said } from "../../src/advice/advice.ts";
import { REGISTERED } from "../../src/commands/index.ts";
import { chosen } from "../../src/commands/mcp/choosing.ts";
import { toolsOf } from "../../src/commands/mcp/tools.ts";
import { toolWords } from "../../src/commands/mcp/words.ts";
import { SondeError } from "../../src/errors.ts";
import { marker } from "../support/markers.ts";
import { borrowSonde } from "../support/sonde.ts";
import { find } from "../support/spoken.ts";
import { startMcp } from "./mcp.ts";

type Args = Record<string, unknown>;

/** An invalid call for each action, and what its message names. */
const INVALID: [tool: "debug" | "inspect", action: string, args: Args, says: RegExp][] = [
  ["debug", "launch", {}, /launch needs `program`/],
  ["debug", "launch", { program: "a.js", args: "one two" }, /`args`: must be a list/],
  ["debug", "attach", {}, /attach needs `pid` or `port`/],
  ["debug", "attach", { pid: 1, port: 2 }, /`pid` or `port`, not both/],
  ["debug", "attach", { pid: 1, host: "there" }, /`host` goes with `port`/],
  ["debug", "set_breakpoint", { file: "a.js" }, /set_breakpoint needs `line` or `function`/],
  ["debug", "set_breakpoint", { file: "a.js", line: 1, function: "f" }, /not both/],
  ["debug", "set_breakpoint", { file: "a.js", line: 0 }, /`line`: `0` is too small: 1 is the least/],
  ["debug", "remove_breakpoint", {}, /needs `line` or `function`/],
  ["debug", "set_instruction_breakpoint", {}, /needs `instruction_reference`/],
  ["debug", "remove_instruction_breakpoint", { offset: 4 }, /needs `instruction_reference`/],
  ["debug", "data_breakpoint_info", {}, /needs `name`/],
  ["debug", "set_data_breakpoint", {}, /needs `data_id`/],
  ["debug", "set_data_breakpoint", { data_id: "x", access_type: "look" }, /`access_type`: `look` is none of/],
  ["debug", "set_data_breakpoint", { data_id: "x", log: "{x}" }, /takes no `log`/],
  ["debug", "remove_data_breakpoint", {}, /needs `data_id`/],
  ["debug", "continue", { frame_id: 1 }, /continue takes no `frame_id`/],
  ["debug", "step_over", { line: 1 }, /step_over takes no `line`/],
  ["debug", "step_in", { function: "f" }, /step_in takes no `function`/],
  ["debug", "step_out", { levels: 2 }, /step_out takes no `levels`/],
  ["debug", "pause", { count: 2 }, /pause takes no `count`/],
  ["debug", "evaluate", {}, /needs `expression`/],
  [
    "debug",
    "evaluate",
    { expression: "1", context: "side" },
    /`context`: "side" is not one of watch, .*repl/,
  ],
  ["debug", "write_memory", { memory_reference: "0x1" }, /needs `data`/],
  ["debug", "write_memory", { memory_reference: "0x1", data: "***" }, /must be base64/],
  ["debug", "custom_request", {}, /needs `command`/],
  ["debug", "custom_request", { command: "threads", arguments: "x" }, /`arguments`: must be an object/],
  ["debug", "terminate", { frame_id: 0 }, /terminate takes no `frame_id`/],
  ["debug", "set_variable", { name: "x" }, /needs `value`/],
  ["debug", "set_exception_breakpoints", {}, /needs `filters`/],
  ["debug", "restart", { program: "x" }, /restart takes no `program`/],
  ["debug", "ask_back", { count: 2 }, /ask_back takes no `count`/],
  ["debug", "until", { file: "a.js" }, /until needs `line`/],
  ["inspect", "stack_trace", { levels: 0 }, /`levels`: `0` is too small: 1 is the least/],
  ["inspect", "stack_trace", { frame_id: 1 }, /stack_trace takes no `frame_id`/],
  ["inspect", "breakpoints", { file: "x" }, /breakpoints takes no `file`/],
  ["inspect", "threads", { thread_id: 1 }, /threads takes no `thread_id`/],
  ["inspect", "scopes", { frame_id: -1 }, /`frame_id`: `-1` is too small: 0 is the least/],
  ["inspect", "variables", {}, /needs `variable_ref` or `scope_id`/],
  ["inspect", "variables", { variable_ref: "seven" }, /is not a handle such as 7 or @v7/],
  ["inspect", "disassemble", { instruction_count: 2, offset: 4 }, /`offset` goes with `memory_reference`/],
  ["inspect", "read_memory", { count: 4 }, /needs `memory_reference`/],
  ["inspect", "modules", { count: 2 }, /modules takes no `count`/],
  ["inspect", "loaded_sources", { file: "x" }, /loaded_sources takes no `file`/],
  ["inspect", "output", { lines: 4 }, /output takes no `lines`/],
  ["inspect", "sessions", { session: "x" }, /sessions takes no `session`/],
  ["inspect", "context", { lines: "many" }, /`lines`: must be a number/],
  ["inspect", "registers", { name: "rip" }, /registers takes no `name`/],
];

test("an invalid call of every action names what is wrong with it", async () => {
  const mcp = await startMcp(borrowSonde());
  const { tools } = await mcp.client.listTools();
  const all = tools
    .filter(({ name }) => name === "debug" || name === "inspect")
    .flatMap(({ inputSchema: { properties = {} } }) => (properties.action as { enum: string[] }).enum);
  expect([...new Set(INVALID.map(([, action]) => action))].sort()).toEqual([...all].sort());
  for (const [tool, action, args, says] of INVALID) {
    const { code, message } = await mcp.refused(tool, { action, ...args });
    expect(`${action}: ${code}: ${message}`).toMatch(/: BAD_ARGUMENT: /);
    expect(message).toMatch(says);
  }
});

test.each<[string, Args, RegExp]>([
  ["probe", {}, /place needs `locations` or `function` or `exception`/],
  ["probe", { mode: "crash" }, /crash needs `command` or `core`/],
  ["probe", { mode: "crash", command: "x", program: "y" }, /`program` goes with `core`/],
  ["probe", { mode: "hang" }, /hang needs `command` or `pid`/],
  ["probe", { mode: "hang", pid: 1, after: 1 }, /`after` goes with `command`/],
  ["probe", { mode: "test" }, /test needs `command`/],
  ["probe", { mode: "test", command: "pytest", stdin: "x" }, /test takes no `stdin`/],
  ["probe", { mode: "crush" }, /probe has no mode "crush"/],
  ["trace", {}, /record needs `at` or `function`/],
  ["trace", { at: ["a.py:1"], runs: 3 }, /record takes no `runs`/],
  ["trace", { mode: "diff" }, /diff needs `command` or `traces`/],
  ["trace", { mode: "diff", traces: ["t1", "t2"], depth: 1 }, /`depth` applies only to new runs/],
  ["trace", { mode: "diff", command: "x", runs: 3, command_b: "y" }, /`runs` repeats one command/],
  ["trace", { mode: "show", traces: ["t1", "t2"] }, /show takes one/],
])("%s %j is refused", async (tool, args, says) => {
  const mcp = await startMcp(borrowSonde());
  const { code, message } = await mcp.refused(tool, args);
  expect(code).toBe("BAD_ARGUMENT");
  expect(message).toMatch(says);
});

test("a slip is met with the nearest name", async () => {
  const mcp = await startMcp(borrowSonde());
  expect((await mcp.refused("debug", { action: "contine" })).hint).toContain("`continue`");
  expect((await mcp.refused("debug", {})).message).toBe("debug needs `action`");
  expect((await mcp.refused("debug", { action: "stack_trace" })).hint).toContain("tool `inspect`");
  expect((await mcp.refused("inspect", { action: "continue" })).hint).toContain("tool `debug`");
  expect((await mcp.refused("debug", { action: "launch", programm: "x" })).hint).toContain("`program`");
  await expect(mcp.call("debugg", {})).rejects.toThrow(/no tool debugg; did you mean debug\?/);
  await expect(mcp.call("evaluate", {})).rejects.toThrow(/it is the action evaluate of debug/);
});

test.each([
  ["debug", "next", '`debug {"action":"step_over"}`'],
  ["debug", "n", '`debug {"action":"step_over"}`'],
  ["debug", "step", '`debug {"action":"step_in"}`'],
  ["debug", "s", '`debug {"action":"step_in"}`'],
  ["debug", "stepIn", '`debug {"action":"step_in"}`'],
  ["debug", "finish", '`debug {"action":"step_out"}`'],
  ["debug", "c", '`debug {"action":"continue"}`'],
  ["debug", "print", '`debug {"action":"evaluate","expression":"<expression>","context":"watch"}`'],
  ["debug", "bt", '`inspect {"action":"stack_trace"}`'],
  ["inspect", "stackTrace", '`inspect {"action":"stack_trace"}`'],
  ["debug", "break", '`debug {"action":"set_breakpoint","line":<line>}`'],
  ["debug", "setBreakpoints", '`debug {"action":"set_breakpoint","file":"<file>","line":<line>}`'],
  ["debug", "start", '`debug {"action":"launch","program":"<program>"}`'],
  ["debug", "quit", '`debug {"action":"terminate"}`'],
])("%s %s is another debugger's word for it", (name, action, call) => {
  const tools = toolsOf(REGISTERED);
  try {
    chosen(tools, name, { action }, find);
    throw new Error("it was taken");
  } catch (thrown) {
    expect(thrown).toMatchObject({ code: "BAD_ARGUMENT" });
    const hint = thrown instanceof SondeError ? thrown.told.hint : undefined;
    expect(said(hint ?? "", toolWords(tools, find))).toBe(`use ${call}`);
  }
});

test("what is watched is asked for first", async () => {
  const mcp = await startMcp(borrowSonde());
  for (const args of [{ name: "x" }, {}]) {
    const { hint } = await mcp.refused("debug", { action: "set_data_breakpoint", ...args });
    expect(hint).toMatch(/^`debug \{"action":"data_breakpoint_info",.*gives the `data_id`; .*takes data_id/);
  }
  const { message } = await mcp.refused("debug", { action: "launch", command: "node a.js", args: ["1"] });
  expect(message).toBe("`args` goes with `program`; `command` is the whole command line");
});

test("a folder that was given before is named when a file is not there", async () => {
  const sonde = borrowSonde();
  sonde.fixture("js/stats.js");
  sonde.write("below/a.js", "1;\n");
  const mcp = await startMcp(sonde);
  await mcp.ok("inspect", { action: "sessions", cwd: "below" });
  const gone = { action: "launch", program: "stats.js" };
  expect((await mcp.refused("debug", gone)).hint).toMatch(
    /`cwd` of an earlier call; pass `cwd` to change it/,
  );
  expect((await mcp.refused("probe", { locations: ["stats.js:1"] })).hint).toMatch(/^that folder is the/);
  const now = await mcp.refused("debug", { ...gone, cwd: "below" });
  expect(now.message).toContain("below");
  expect(now.hint ?? "").not.toContain("earlier call");
});

describe("Node, which has no machine to look at", () => {
  const REFUSED: [tool: string, args: Args, says: RegExp][] = [
    ["inspect", { action: "read_memory", memory_reference: "0x1", count: 4 }, /memory/],
    ["inspect", { action: "disassemble", instruction_count: 4 }, /disassemble/],
    ["inspect", { action: "registers" }, /registers/],
    ["inspect", { action: "modules" }, /modules/],
    ["debug", { action: "write_memory", memory_reference: "0x1", data: "AA==" }, /memory/],
    [
      "debug",
      { action: "set_instruction_breakpoint", instruction_reference: "0x1" },
      /instruction breakpoints/,
    ],
    ["debug", { action: "data_breakpoint_info", name: "total" }, /V8 cannot stop when a variable changes/],
    ["debug", { action: "set_data_breakpoint", data_id: "total" }, /V8 cannot stop when a variable changes/],
  ];

  test("every action that it cannot do says so, and what to do instead", async () => {
    const sonde = borrowSonde();
    const program = sonde.fixture("js/stats.js");
    const mcp = await startMcp(sonde);
    const breakpoints = [`stats.js:${marker(program, "mean-add")}`];
    await mcp.ok("debug", { action: "launch", program, breakpoints });
    for (const [tool, args, says] of REFUSED) {
      const refusal = await mcp.refused(tool, args);
      expect(refusal).toMatchObject({ code: "UNSUPPORTED", message: expect.stringMatching(says) });
      expect(refusal.hint).toBeDefined();
    }
    const { hint } = await mcp.refused("inspect", { action: "modules" });
    expect(hint).toContain('`inspect {"action":"loaded_sources"}`');
    const disassemble = await mcp.refused("inspect", { action: "disassemble", instruction_count: 4 });
    expect(disassemble.hint).toContain('`inspect {"action":"context","lines":20}`');
  });
});

test("the state of the program is told, with the action that changes it", async () => {
  const sonde = borrowSonde();
  sonde.fixture("js/endless.js");
  const mcp = await startMcp(sonde);
  expect(await mcp.refused("inspect", { action: "context" })).toMatchObject({
    code: "NO_SESSION",
    hint: expect.stringContaining(
      'debug {"action":"launch","program":"<program>","breakpoints":["<file:line>"]}',
    ),
  });
  await mcp.ok("debug", { action: "launch", program: "endless.js", no_wait: true });
  expect(await mcp.refused("debug", { action: "step_over" })).toMatchObject({
    code: "NOT_STOPPED",
    hint: expect.stringContaining('`debug {"action":"pause"}`'),
  });
  expect(await mcp.refused("inspect", { action: "context", session: "endles" })).toMatchObject({
    code: "NO_SESSION",
    hint: expect.stringContaining('`session: "endless"`'),
  });
  expect(await mcp.refused("inspect", { action: "sessions", cwd: "nowhere" })).toMatchObject({
    message: expect.stringMatching(/no folder .*nowhere/),
  });
});
