/** Lines that few of the passing tests ran: which stand out, and when nothing is said. */
import { expect, test } from "vitest";
import { activations } from "../../src/trace/origin/activations.ts";
import { functionsOf, unusualIn } from "../../src/trace/origin/unusual.ts";
import type { LineEvent } from "../../src/trace/record.ts";
import { Spectrum } from "../../src/trace/spectrum.ts";

const SOURCE = ["def parse(text):", "    if text:", "        merge(text)", "    return text"];
const about = { source: () => SOURCE, reached: new Set<string>() };
const failing = { path: "/test_x.py", line: 9 };

function ran(): ReturnType<typeof activations> {
  const event = (seq: number, kind: LineEvent["kind"], line: number): LineEvent => ({
    ...{ kind, line, seq, ms: seq, thread: "main", call: 1, function: "parse", path: "/x.py", changes: [] },
  });
  return activations([
    event(1, "call", 1),
    event(2, "line", 2),
    event(3, "line", 3),
    event(4, "line", 4),
    event(5, "return", 4),
  ]);
}

function spectrumOf(lines: [line: number, returned: number, thrown: number][], returned = 8): Spectrum {
  const spectrum = new Spectrum();
  spectrum.add({ returned, thrown: 1, files: [["/test_x.py", [[9, 0, 1]]]] });
  spectrum.add({ returned: 0, thrown: 1, files: [["/x.py", lines]] });
  return spectrum;
}

test("what only the failing tests ran comes first, and what most tests ran not at all", () => {
  const spectrum = spectrumOf([
    [2, 8, 2],
    [3, 0, 2],
    [4, 3, 2],
  ]);
  const found = unusualIn(ran(), spectrum, failing, about);
  expect(found?.lines.map(({ line, failed, passed }) => [line, failed, passed])).toEqual([
    [3, 2, 0],
    [4, 2, 3],
  ]);
  expect([found?.failed, found?.passed]).toEqual([2, 8]);
  expect(found && functionsOf(found, 3)).toEqual(["parse"]);
});

test("nothing where the failing test is not among those that failed, or too few pass", () => {
  const lines: [number, number, number][] = [[3, 0, 2]];
  expect(unusualIn(ran(), spectrumOf(lines), { ...failing, line: 8 }, about)).toBeUndefined();
  expect(unusualIn(ran(), spectrumOf(lines, 2), failing, about)).toBeUndefined();
});

test("a function that the failure depends on stands out more", () => {
  const spectrum = spectrumOf([[3, 1, 2]]);
  spectrum.add({ returned: 0, thrown: 0, files: [["/y.py", [[3, 1, 2]]]] });
  const [one] = ran();
  const all = one === undefined ? [] : [one, { ...one, path: "/y.py", function: "read" }];
  const lines = (reached: string[]) =>
    unusualIn(all, spectrum, failing, { ...about, reached: new Set(reached) })?.lines.map(({ path }) => path);
  expect(lines(["/y.py\0read"])).toEqual(["/y.py", "/x.py"]);
  expect(lines(["/x.py\0parse"])).toEqual(["/x.py", "/y.py"]);
});
