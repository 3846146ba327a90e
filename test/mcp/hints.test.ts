import { expect, test } from "vitest";
import { bounded } from "../../src/mcp/data.ts";
import { translated, translatedText } from "../../src/mcp/hints.ts";

test.each([
  ["`sonde pause` stops it now; `sonde await` waits", "`debug pause` stops it now; `debug continue` waits"],
  ["`sonde watch remove 1` first", "`debug remove_data_breakpoint 1` first"],
  ["`sonde doctor` says why", "`sonde doctor` says why"],
  ["`sonde setup python`", "`sonde setup python`"],
  ["did you mean `-s web`?", "did you mean `session`: web?"],
  ["name one with -s", "name one with `session`"],
])("%s", (typed, here) => {
  expect(translated(typed)).toBe(here);
});

test("a program's own words stay as they are", () => {
  const words = "  | next: `sonde pause` (+1: `sonde pause`)\n";
  const text = `${words}  (+3 library frames: \`sonde backtrace --all\`)\nnext: \`sonde await\` waits\n`;
  expect(translatedText(text)).toBe(
    `${words}  (+3 library frames: \`inspect stack_trace levels=40\`)\nnext: \`debug continue\` waits\n`,
  );
});

test("data is cut evenly until it fits, and says so", () => {
  const small = { list: [1, 2, 3] };
  expect(bounded(small, 1000)).toBe(small);
  const cut = bounded({ list: Array.from({ length: 900 }, (_, at) => ({ at, text: "x".repeat(50) })) }, 2000);
  expect(cut.truncated).toBe(true);
  expect(JSON.stringify(cut).length).toBeLessThanOrEqual(2000);
  expect((cut.list as unknown[]).length).toBeGreaterThan(5);
});
