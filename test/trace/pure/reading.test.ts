/** What a line of source writes, by its text. */
import { expect, test } from "vitest";
import {
  changesName,
  partOf,
  statementOf,
  wantedBy,
  writes,
  writesName,
} from "../../../src/trace/origin/reading.ts";

test("a stream of C++ is written by what is put into it", () => {
  expect(writesName("out", '    out << "fees=" << earned_;')).toBe(true);
  expect(changesName("out", "out<<total;")).toBe(true);
  expect(writesName("earned_", '    out << "fees=" << earned_;')).toBe(false);
  expect(writesName("bits", "bits <<= 2;")).toBe(false);
  expect(writesName("bits", "int more = bits << 2;")).toBe(false);
});

test("a key may have any characters, and a list's text is no key", () => {
  expect(statementOf(['assert tokens("x") == ["("]'], 1).fields).toEqual([]);
  expect(statementOf(["return ['a*']"], 1).fields).toEqual([]);
  const key = statementOf(['assert langs["C++"] == rows[0]["a|b"] + call()["[x"] + maybe?.["."]'], 1);
  expect(key.fields).toEqual(["C++", "a|b", "[x", "."]);
  for (const name of [...key.fields, "(", "a\\b", "^$", "{2}", "a-b/c"]) {
    expect(writes(name, `langs["${name}"] = 2`)).toBe(true);
    expect(writes(name, `made = {"${name}": 2}`)).toBe(true);
    expect(writes(name, 'langs["other"] = 2')).toBe(false);
    expect(changesName(name, "x = 1")).toBe(false);
    expect(wantedBy(name, statementOf(["a, b = both()"], 1))).toBeUndefined();
    const made = statementOf([`return { "${name}": one, "other": two }`], 1);
    expect(partOf(made, { key: name, at: 0 }).names).not.toContain("two");
  }
  expect(writes("C++", 'langs["CC"] = 2')).toBe(false);
  expect(writes(".", 'langs["x"] = 2')).toBe(false);
});
