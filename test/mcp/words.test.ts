/** Advice in the words of tools: what is said to call asks for the same command with the same arguments. */
import { describe, expect, test } from "vitest";
import {
  advice,
  blank,
  call,
  named,
  option,
  optionOf,
  said,
  saidWithin,
  shell,
  type Told,
  WHOLE,
} from "../../src/advice/advice.ts";
import { REGISTERED } from "../../src/commands/index.ts";
import { chosen } from "../../src/commands/mcp/choosing.ts";
import { readCall } from "../../src/commands/mcp/reading.ts";
import { toolsOf } from "../../src/commands/mcp/tools.ts";
import { toolWords } from "../../src/commands/mcp/words.ts";
import { bounded } from "../../src/mcp/data.ts";
import { EXAMPLES, find, plain } from "../support/spoken.ts";

const TOOLS = toolsOf(REGISTERED);

function here(told: Told, asked?: string): string {
  return said(told, toolWords(TOOLS, find, asked === undefined ? undefined : find(asked)));
}

test.each<[Told, string]>([
  [
    advice`${call("pause")} stops it now; ${call("await")} waits`,
    '`debug {"action":"pause"}` stops it now; `debug {"action":"continue"}` waits',
  ],
  [
    advice`${call("breakpoint add", { location: blank("file:line"), log: "{expr}" })}`,
    '`debug {"action":"set_breakpoint","file":"<file>","line":<line>,"log":"{expr}"}`',
  ],
  [advice`${call("trace show", { id: "t6" })}`, '`trace {"mode":"show","traces":["t6"]}`'],
  [
    advice`${call("backtrace", { all: true, limit: 100 })}`,
    '`inspect {"action":"stack_trace","levels":100}`',
  ],
  [advice`${call("backtrace", { all: true })}`, '`inspect {"action":"stack_trace","levels":20}`'],
  [advice`${call("variables", { handle: "@v7" })}`, '`inspect {"action":"variables","variable_ref":"@v7"}`'],
  [advice`${call("stop", {}, "web")} ends it`, '`debug {"action":"terminate","session":"web"}` ends it'],
  [
    advice`${call("breakpoint add", { function: blank("function") })}`,
    '`debug {"action":"set_breakpoint","function":"<function>"}`',
  ],
  [
    advice`${call("watch remove", { ids: [1] })} first`,
    '`debug {"action":"remove_data_breakpoint","data_id":"1"}` first',
  ],
  [advice`${call("trace list")}`, '`trace {"mode":"list"}`'],
  [
    advice`${call("trace", { function: ["f", "g"], args: ["./a"] })}`,
    '`trace {"mode":"record","command":"./a","function":["f","g"]}`',
  ],
  [
    advice`${call("trace", { at: [blank("file:line")], args: [blank("command")] })}`,
    '`trace {"mode":"record","command":"<command>","at":["<file:line>"]}`',
  ],
  [advice`${call("attach", { port: blank("[host:]port") })}`, '`debug {"action":"attach","port":<port>}`'],
  [advice`${call("frame", { number: 3 })}`, '`inspect {"action":"context","frame_id":3}`'],
  [
    advice`${call("start", { program: "a.js", cwd: "b" })}`,
    '`debug {"action":"launch","program":"a.js","cwd":"b"}`',
  ],
])("%s", (told, text) => {
  expect(here(told)).toBe(text);
});

test.each<[string, Told, string]>([
  ["no tool does that", advice`${call("doctor")} says why`, "`sonde doctor` (in a shell) says why"],
  [
    "step_over cannot",
    advice`${call("next", { instruction: true })}`,
    "`sonde next --instruction` (in a shell)",
  ],
  [
    "it removes one",
    advice`${call("watch remove", { ids: [1, 2] })}`,
    "`sonde watch remove 1 2` (in a shell)",
  ],
  ["no command of the engine's", advice`${shell("sonde daemon logs")}`, "`sonde daemon logs` (in a shell)"],
])("a command line stays: %s", (_, told, text) => {
  expect(here(told)).toBe(text);
});

test.each<[string, Told, string]>([
  ["variables", advice`(+26 more: ${option({ start: 100 })})`, "(+26 more: `start: 100`)"],
  [
    "probe",
    advice`${option({ timeout: blank("seconds") })} gives it longer`,
    "`timeout: <seconds>` gives it longer",
  ],
  ["diff", advice`more runs: ${option({ flaky: 50 })}`, "more runs: `runs: 50`"],
  [
    "trace show",
    advice`${option({ hits: "7" })}, ${option({ hits: "3..9" })}`,
    '`range: "7"`, `range: "3..9"`',
  ],
  ["trace", advice`the command line goes in ${named("args")}`, "the command line goes in `command`"],
  ["start", advice`${named("break")}: no such place`, "`breakpoints`: no such place"],
  ["until", advice`needs ${named("location")}`, "needs `file` and `line`"],
  ["hang", advice`(+3 more threads: ${WHOLE})`, "(+3 more threads: structured content)"],
  ["diff", advice`${named("maxHits")} keeps more`, "--max-hits keeps more"],
  ["trace", advice`with ${optionOf("trace show", { hits: blank("range") })}`, "with `range: <range>`"],
])("an option of %s", (asked, told, text) => {
  expect(here(told, asked)).toBe(text);
});

test("a failure names the action and its argument, and how it is called", () => {
  expect(here(advice`${{ do: "name", command: "print" }} needs ${named("expression")}`, "print")).toBe(
    "evaluate needs `expression`",
  );
  expect(here(advice`${{ do: "usage", command: "until" }}`)).toBe(
    'usage: `debug {"action":"until","line":<line>}`, which takes file, line, breakpoints, expressions, no_wait, timeout, session, cwd',
  );
});

test("only tools that are offered are named", () => {
  const some = toolWords(toolsOf(REGISTERED, ["inspect"]), find);
  expect(said(advice`${call("pause")}, ${call("threads")}`, some)).toBe(
    '`sonde pause` (in a shell), `inspect {"action":"threads"}`',
  );
});

test("of an answer only what is advice is put into words", () => {
  const data = {
    values: [{ value: "`sonde pause`" }],
    notes: [advice`${call("pause")}`],
    again: call("next"),
  };
  expect(saidWithin(data, toolWords(TOOLS, find))).toEqual({
    values: data.values,
    notes: ['`debug {"action":"pause"}`'],
    again: 'debug {"action":"step_over"}',
  });
  const plainData = { lines: [{ text: "`sonde pause`" }] };
  expect(saidWithin(plainData, toolWords(TOOLS, find))).toBe(plainData);
});

describe("the call asks for the command that was typed", () => {
  const sayable = EXAMPLES.flatMap(({ line, asked }) => {
    const text = toolWords(TOOLS, find).line(asked);
    const [, tool, json] = /^(\w+) (\{.*\})$/s.exec(text) ?? [];
    return tool !== undefined && json !== undefined ? [{ line, asked, tool, json }] : [];
  });

  test("and there are enough of them", () => {
    expect(sayable.length).toBeGreaterThan(40);
  });

  test.each(sayable)("$line", ({ asked, tool, json }) => {
    const { cwd, ...given } = JSON.parse(json) as Record<string, unknown>;
    const { action, rest } = chosen(TOOLS, tool, given, find);
    const read = readCall(action, rest, false);
    const said = action.ways.filter(({ offer }) => offer.onlySaid).map(({ command }) => command.name);
    expect([read.command.name, ...said]).toContain(asked.command);
    if (read.command.name !== asked.command) return;
    for (const [key, value] of Object.entries(asked.args))
      if (key !== "cwd" && value !== false) expect(plain(read.args[key]), key).toEqual(plain(value));
  });
});

test("data is cut evenly until it fits, and says so", () => {
  const small = { list: [1, 2, 3] };
  expect(bounded(small, 1000)).toBe(small);
  const cut = bounded({ list: Array.from({ length: 900 }, (_, at) => ({ at, text: "x".repeat(50) })) }, 2000);
  expect(cut.truncated).toBe(true);
  expect(JSON.stringify(cut).length).toBeLessThanOrEqual(2000);
  expect((cut.list as unknown[]).length).toBeGreaterThan(5);
});
