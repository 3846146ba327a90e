import { expect, test } from "vitest";
import { memoryLines } from "../../src/commands/values/memory-text.ts";

test("a dump: sixteen bytes a line, characters beside them", () => {
  const hex = Buffer.from("sonde \x01 bytes\0\0\0abc", "latin1").toString("hex");
  expect(memoryLines("0xff8", hex, "hex")).toEqual([
    "0xff8  73 6f 6e 64 65 20 01 20 62 79 74 65 73 00 00 00  sonde . bytes...",
    "0x1008  61 62 63                                         abc",
  ]);
});

test.each([
  ["i8", "ff01", ["0x0  -1  1"]],
  ["u16", "ffff0100aa", ["0x0  65535  1"]],
  ["i32", "feffffff", ["0x0  -2"]],
  ["u64", "ffffffffffffffff", ["0x0  18446744073709551615"]],
  ["f64", "000000000000f83f", ["0x0  1.5"]],
  ["text", "686900ff", ['0x0  "hi"']],
  ["i32", "00", []],
] as const)("%s of %s", (format, hex, lines) => {
  expect(memoryLines("0x0", hex, format)).toEqual(lines);
});
