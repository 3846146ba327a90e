import { describe, expect, test } from "vitest";
import { bounded } from "../../src/mcp/data.ts";
import { toolWords } from "../../src/mcp/hints.ts";
import { ALL } from "../../src/mcp/main.ts";
import { said, saidData, saidError, saidFailure, saidText } from "../../src/surface/said.ts";

const WORDS = toolWords(ALL);

test.each([
  [
    "`sonde pause` stops it now; `sonde await` waits",
    '`debug {"action":"pause"}` stops it now; `debug {"action":"continue"}` waits',
  ],
  [
    "`sonde break <file>:<line> --log '{expr}'`",
    '`debug {"action":"set_breakpoint","log":"{expr}","file":"<file>","line":<line>}`',
  ],
  ["`sonde trace show t6`", '`trace {"mode":"show","traces":["t6"]}`'],
  ["`sonde backtrace --all --limit 100`", '`inspect {"action":"stack_trace","levels":100}`'],
  ["`sonde variables @v7`", '`inspect {"action":"variables","variable_ref":"@v7"}`'],
  ["`sonde stop -s web` ends it", '`debug {"action":"terminate","session":"web"}` ends it'],
  ["`sonde attach 42; sonde pause`", '`debug {"action":"attach","pid":42}`, then `debug {"action":"pause"}`'],
  [
    "sonde break file:line, or sonde break -f function",
    '`debug {"action":"set_breakpoint","file":"<file>","line":<line>}`, or `debug {"action":"set_breakpoint","function":"function"}`',
  ],
  ["sonde restart with an earlier breakpoint", '`debug {"action":"restart"}` with an earlier breakpoint'],
  ["did you mean `-s web`?", 'did you mean `session: "web"`?'],
  ["name one with -s", "name one with `session`"],
  ["`sonde watch remove 1` first", '`debug {"action":"remove_data_breakpoint","data_id":"1"}` first'],
  ["`sonde trace list`", '`trace {"mode":"list"}`'],
  [
    "use `sonde source` and `sonde step`",
    'use `inspect {"action":"context","lines":20}` and `debug {"action":"step_in"}`',
  ],
  [
    "use `sonde break <file>:<line>:<column>`",
    'use `debug {"action":"set_breakpoint","file":"<file>","line":<line>,"column":<column>}`',
  ],
  [
    "`sonde trace --function f --function g -- ./a`",
    '`trace {"mode":"record","function":["f","g"],"command":"./a"}`',
  ],
])("%s", (typed, here) => {
  expect(said(typed, WORDS)).toBe(here);
});

test.each([
  ["`sonde doctor` says why", "no tool does that"],
  ["`sonde next --instruction`", "step_over cannot"],
  ["`sonde watch remove 1 2` first", "it removes one"],
  ["sonde break -f __cxa_throw and another", "a sentence"],
  ["`cmake --build build`", "another program's option"],
  ["run sonde as that user", "no command at all"],
])("%s stays: %s", (typed) => {
  const here = said(typed, WORDS, "start").replace(/`debug.*?`/, "sonde break -f __cxa_throw");
  // …and where it can be typed is said of a command line.
  expect(here).toBe(typed.replace(/^(`sonde [^`]+`)/, "$1 (in a shell)"));
});

describe("options", () => {
  test.each([
    ["(+26 more: --start 100)", "variables", "(+26 more: `start: 100`)"],
    ["--timeout <seconds> gives it longer", "probe", "`timeout: <seconds>` gives it longer"],
    ["more runs: --flaky 50", "diff", "more runs: `runs: 50`"],
    ["--hits 7, --hits 3..9", "trace show", '`range: "7"`, `range: "3..9"`'],
    [
      "--at <file:line> --watch <expression>, or --function <name>; the command line goes after `--`",
      "trace",
      "`at: <file:line>`, `expressions: <expression>`, or `function: <name>`; the command line goes in `command`",
    ],
    ["(+3 more threads: --json)", "hang", "(+3 more threads: structured content)"],
    ["--max-hits keeps more", "diff", "--max-hits keeps more"],
  ])("%s of %s", (typed, command, here) => {
    expect(said(typed, WORDS, command)).toBe(here);
  });

  test("of the command that was named before them", () => {
    expect(said("[cut: `sonde trace show` with --hits shows parts]", WORDS, "trace")).toBe(
      '[cut: `trace {"mode":"show"}` with `range` shows parts]',
    );
  });
});

test("a failure names the action and its argument", () => {
  expect(saidFailure("start break: Invalid input", WORDS, "start")).toBe(
    "launch `breakpoints`: Invalid input",
  );
  expect(saidFailure("print needs <expression>", WORDS, "print")).toBe("evaluate needs `expression`");
  expect(said("usage: sonde until <location> [options]", WORDS, "until")).toBe(
    'usage: `debug {"action":"until","line":<line>}`, which takes line, file, breakpoints, expressions, no_wait, session, cwd, timeout',
  );
});

test("only tools that are offered are named", () => {
  const some = toolWords(ALL.filter(({ name }) => name === "inspect"));
  expect(said("`sonde pause`, `sonde threads`", some)).toBe(
    '`sonde pause` (in a shell), `inspect {"action":"threads"}`',
  );
});

test("a program's own words stay as they are", () => {
  const words = "  | next: `sonde pause` (+1: `sonde pause`)\n  name = '`sonde pause`'\n";
  const text = `${words}  (+3 library frames: \`sonde backtrace --all\`)\nnext: \`sonde await\` waits\n`;
  expect(saidText(text, WORDS)).toBe(
    `${words}  (+3 library frames: \`inspect {"action":"stack_trace","levels":20}\`)\nnext: \`debug {"action":"continue"}\` waits\n`,
  );
  const data = { values: [{ value: "`sonde pause`" }], notes: ["`sonde pause`"], message: "`sonde pause`" };
  expect(saidData(data, WORDS)).toEqual({ ...data, notes: ['`debug {"action":"pause"}`'] });
});

test("what a run printed that is over, and what it was run by", () => {
  expect(saidText("program output (22 earlier lines: --json)\n", WORDS, "probe")).toBe(
    'program output (22 earlier lines: structured content; or `debug {"action":"launch"}` it, then `inspect {"action":"output"}`)\n',
  );
  expect(saidText("program output (22 earlier lines: --json has the last 5)\n", WORDS, "probe")).toBe(
    "program output (22 earlier lines: structured content has the last 5)\n",
  );
  const ran = "ran a.py itself; if another program reaches this line, give its command line";
  expect(saidText(`${ran} after \`--\`\n`, WORDS, "probe")).toBe(`${ran} in \`command\`\n`);
});

test("data is cut evenly until it fits, and says so", () => {
  const small = { list: [1, 2, 3] };
  expect(bounded(small, 1000)).toBe(small);
  const cut = bounded({ list: Array.from({ length: 900 }, (_, at) => ({ at, text: "x".repeat(50) })) }, 2000);
  expect(cut.truncated).toBe(true);
  expect(JSON.stringify(cut).length).toBeLessThanOrEqual(2000);
  expect((cut.list as unknown[]).length).toBeGreaterThan(5);
});

test("what a program or a debugger says is left as it is, however long", () => {
  const words = "unknown option --json; usage: sonde eval it, or run sonde continue";
  expect(saidError({ code: "EVAL_FAILED", message: words }, WORDS, "print")).toEqual({ message: words });
  const long = `sonde start ${"a ".repeat(40_000)}`;
  expect(said(long, WORDS, "print")).toBe(long);
  const words30 = `sonde start ${"a ".repeat(900)}`;
  expect(said(words30, WORDS, "print").length).toBeGreaterThan(1_700);
});
