/** Calls in other words than the actions' own, which are meant clearly enough. */
import { expect, test } from "vitest";
import { marker } from "../support/markers.ts";
import { borrowSonde } from "../support/sonde.ts";
import { startMcp } from "./mcp.ts";

test("a place in one text, or a line of the file the program is stopped in", {
  timeout: 60_000,
}, async () => {
  const sonde = borrowSonde();
  const file = sonde.fixture("js/stats.js");
  const line = marker(file, "mean-add");
  const mcp = await startMcp(sonde);
  const launched = await mcp.ok("debug", {
    action: "launch",
    command: "node stats.js",
    breakpoints: [`stats.js:${line}`],
  });
  expect(launched.text).toContain(`stats.js:${line}`);
  const set = (args: object) => mcp.ok("debug", { action: "set_breakpoint", ...args });
  const condition = "1 > 2";
  const at = (more: object = {}) => ({
    breakpoints: [expect.objectContaining({ path: file, line, state: "bound", ...more })],
  });
  expect((await set({ location: `stats.js:${line} if ${condition}` })).data).toEqual(at({ condition }));
  expect((await set({ file: `stats.js:${line}` })).data).toEqual(at());
  expect((await set({ line, condition })).data).toEqual(at({ condition }));
  // The same place each time: one breakpoint.
  expect(await sonde.ask("breakpoint list")).toMatchObject(at({ condition }));
  expect((await mcp.ok("debug", { action: "remove_breakpoint", line })).text).toMatch(/^removed/);
  expect(await sonde.ask("breakpoint list")).toEqual(expect.objectContaining({ breakpoints: [] }));
  const wrong = await mcp.refused("debug", { action: "set_breakpoint", location: "stats.js" });
  expect(wrong.message).toBe("set_breakpoint needs `line` or `function`");
});

const SPANS = `def clip(start, end):
    size = end - start
    return size


def last(size):
    return size


for at in range(4):
    clip(at, 10 * at)
    last(at)
`;

test("a place with expressions and a condition; two functions; the list", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  sonde.write("spans.py", SPANS);
  const mcp = await startMcp(sonde);
  const both = await mcp.ok("trace", { at: ["spans.py:3=start,size if size > 10"] });
  expect(both.data.hits).toMatchObject([{ values: ["2", "18"] }, { values: ["3", "27"] }]);
  const typed = await sonde.ask(["trace", "--at", "spans.py:3=start if size > 10 else 0,size if size > 17"]);
  expect(typed).toMatchObject({ hits: [{ values: ["2", "18"] }, { values: ["3", "27"] }] });
  const calls = await mcp.ok("trace", { function: ["clip", "last"], command: "python3 spans.py" });
  expect(calls.text).toMatch(/clip.*last/s);
  const listed = await mcp.ok("trace", { mode: "list" });
  expect(listed.text).toMatch(/^t\d+ .*clip\(\), last\(\).*\nt\d+ .*spans\.py:3/);
  expect((await mcp.refused("trace", { mode: "show", traces: ["t999"] })).hint).toBe(
    '`trace {"mode":"list"}`',
  );
});

test("more of what was printed, by the call that shows it", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  sonde.write("many.js", 'for (let at = 0; at < 80; at++) console.log("line", at);\n');
  const mcp = await startMcp(sonde);
  await mcp.ok("debug", { action: "launch", program: "many.js" });
  const { text } = await mcp.ok("inspect", { action: "output" });
  expect(text).toMatch(/^\(30 earlier lines: `inspect \{"action":"output","count":80\}`\)\n/);
  const [, call = "{}"] = /`inspect (\{.*?\})`/.exec(text) ?? [];
  expect((await mcp.ok("inspect", JSON.parse(call))).text).toMatch(/^ {2}\| line 0\n/);
});

test("a command without tests is not called one that passed", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  const mcp = await startMcp(sonde);
  const { text } = await mcp.ok("probe", { mode: "test", command: "echo hi" });
  expect(text).toMatch(/^no test runner recognised {2}· echo hi {2}· exit code 0\n/);
  expect(await sonde.text("test -- echo hi")).toBe(text);
});
