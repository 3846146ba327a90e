import { expect, test } from "vitest";
import { isCutForTime } from "../../src/adapters/lldb/values.ts";

test.each([
  "{history:{0, 0, 0, 0}, ...}",
  "0x00007fffffffe5c0 {history:{0, 0, 0, 0}, ...}",
  "{...}",
  "{a:1, ...}",
])("%s was cut because the time was over", (value) => {
  expect(isCutForTime({ value })).toBe(true);
});

test.each([
  "{history:{0, 0, 0, 0}, total:60}",
  "{aaaaaaaa:1, bbbbbbbb:2, cccccccc:3, ...}",
  "0x00007fffffffe510 {p:0x00007fffffffe5c0, d:{1, 0, 0, 0, 0, …}, ...}",
  '"...}"',
  "0x00007fffffffe5c0",
  "42",
])("%s was not", (value) => {
  expect(isCutForTime({ value })).toBe(false);
});
