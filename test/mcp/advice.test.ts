/** What an agent reads over MCP, call by call: no option of the command line, and a command line only for what no tool does. */
import { expect, test } from "vitest";
import { marker } from "../support/markers.ts";
import { borrowSonde } from "../support/sonde.ts";
import { startMcp } from "./mcp.ts";

/** Command lines that are not said to be for a shell, and options, apart from what the program and the commands themselves say. */
function foreign(text: string): string[] {
  const own = text.split("\n").filter((line) => !/^\s*\||^(->)?\s+\d+ \||^trace t\d+: /.test(line));
  const whole = own.join("\n");
  const lines = whole.match(/`sonde [^`]+`(?! \(in a shell\))/g) ?? [];
  const options = whole.replace(/`[^`]*`/g, "").match(/(?<![\w-])--[a-z][a-z-]*/g) ?? [];
  return [...lines, ...options];
}

test("a session: more values, more frames, output, the end", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  sonde.write(
    "many.js",
    `const many = Array.from({ length: 500 }, (_, at) => at);
for (let at = 0; at < 60; at++) console.log("line", at);
function deep(n) {
  if (n > 0) return deep(n - 1);
  return many.length; // here
}
deep(30);
`,
  );
  const mcp = await startMcp(sonde);
  const launched = await mcp.ok("debug", {
    action: "launch",
    program: "many.js",
    breakpoints: ["many.js:5"],
  });
  expect(launched.text).toContain('`inspect {"action":"stack_trace","levels":20}`');
  expect(launched.text).toContain('(40 earlier lines: `inspect {"action":"output"}`)');
  const [, handle] =
    /(@v\d+)/.exec((await mcp.ok("debug", { action: "evaluate", expression: "many" })).text) ?? [];
  const variables = await mcp.ok("inspect", { action: "variables", variable_ref: handle });
  const [, start] = /\(\+\d+ more: `start: (\d+)`\)/.exec(variables.text) ?? [];
  const next = await mcp.ok("inspect", { action: "variables", variable_ref: handle, start });
  expect(next.text).toContain(`${start}`);
  const stack = await mcp.ok("inspect", { action: "stack_trace" });
  const output = await mcp.ok("inspect", { action: "output" });
  const ended = await mcp.ok("debug", { action: "continue" });
  const after = await mcp.refused("debug", { action: "step_over" });
  expect(after.hint).toContain('`debug {"action":"restart"}` runs it again');
  const all = [launched, variables, next, stack, output, ended].map(({ text }) => text);
  expect(foreign([...all, after.hint ?? "", after.message].join("\n"))).toEqual([]);
});

test("whole runs: what a trace, a probe and a failing test lead to", { timeout: 120_000 }, async () => {
  const sonde = borrowSonde();
  const loop = sonde.fixture("js/loop.js");
  sonde.fixture("js/endless.js");
  sonde.fixture("js/testing-node");
  const at = `loop.js:${marker(loop, "loop-first")}`;
  const mcp = await startMcp(sonde);
  const probe = await mcp.ok("probe", { locations: [at], expressions: ["i"] });
  const running = await mcp.ok("probe", { function: "nothingSuch", command: "node endless.js", timeout: 5 });
  expect(running.text).toContain("next: `timeout: <seconds>` gives it more time");
  sonde.write("count.js", "let sum = 0;\nfor (let i = 0; i < 300; i++) {\n  sum += i;\n}\n");
  const trace = await mcp.ok("trace", { at: ["count.js:3=sum"], command: "node count.js" });
  const [, call = "{}"] = /more: `trace (\{.*?\})`/.exec(trace.text) ?? [];
  const shown = await mcp.ok("trace", JSON.parse(call));
  expect(shown.text).toMatch(/^trace t\d+: /);
  const failing = await mcp.ok("probe", {
    mode: "test",
    command: "node --test cart.test.js",
    cwd: "testing-node",
  });
  const [, step = "{}"] = /next: `trace (\{.*?\})` shows total/.exec(failing.text) ?? [];
  expect((await mcp.ok("trace", JSON.parse(step))).text).toContain("\n  returned 25\n");
  expect(failing.data.next).toBe(`trace ${step}`);
  for (const { text } of [probe, running, trace, shown, failing]) expect(foreign(text)).toEqual([]);
});
