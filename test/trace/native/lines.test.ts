import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import type { Lines } from "../../../src/trace/plan.ts";
import type { LineEvent } from "../../../src/trace/record.ts";
import { markers } from "../../support/markers.ts";
import { launching, planOf, recorded } from "../support.ts";
import { compiled, fixture, type Program } from "./rig.ts";

const LONG = { timeout: 120_000 };

async function lines({ program, source }: Program, more: Partial<Lines>) {
  const asked = { functions: [], under: [dirname(source)], depth: 0, ...more };
  const opening = launching({ program, cwd: dirname(source) });
  const record = await recorded("lldb", opening, planOf([], { lines: asked }), { collector: "lldb" });
  const events = record.hits.flatMap((one) => (one.kind === "point" ? [] : [one]));
  return { record, events, told: events.map(brief) };
}

/** `2<1 leaf:5 n=5`: the second call, made by the first. */
function brief({ kind, call, parent, line, changes, gone, value, ...one }: LineEvent): string {
  const name = one.function.replace(/^::/, ""); // LLDB's mark for what only its file knows
  const who = `${call}${parent === undefined ? "" : `<${parent}`}`;
  const changed = changes.map(([variable, text]) => ` ${variable}=${text}`).join("");
  const lost = (gone ?? []).map((variable) => ` -${variable}`).join("");
  return `${kind} ${who} ${name}:${line}${changed}${lost}${value === undefined ? "" : ` → ${value}`}`;
}

const LEAVES = `#include <stdexcept>
static double half(int n) { return n / 2.0; }
static int fails(int n) {
  int twice = n * 2;
  if (n > 2)
    throw std::runtime_error("too many");
  return twice;
}
int main() {
  int seen = 0;
  for (int i = 2; i < 4; i++) {
    try {
      seen += fails(i);
    } catch (const std::exception &) {
      seen += half(3) > 1 ? 100 : 0;
    }
  }
  return seen;
}
`;

describe("lines inside LLDB", LONG, () => {
  test("of a function are those that ran, with what changed", async () => {
    const program = fixture("c", "calls");
    const at = markers(program.source);
    const { told } = await lines(program, { functions: ["leaf"] });
    const first = at["leaf-first"] ?? 0;
    expect(told.slice(0, 5)).toEqual([
      `call 1 leaf:${first} n=5`,
      `line 1 leaf:${first}`,
      `line 1 leaf:${first + 1} doubled=10`,
      `line 1 leaf:${first + 2}`,
      `return 1 leaf:${first + 2} → 10`,
    ]);
    expect(told.filter((one) => one.startsWith("call"))).toEqual(
      ["5", "10", "1", "2"].map((n, index) => `call ${index + 1} leaf:${first} n=${n}`),
    );
  });

  test("of the calls that it makes are recorded as deep as asked", async () => {
    const program = fixture("c", "calls");
    const at = markers(program.source);
    const [middle = 0, leaf = 0] = [at["middle-first"], at["leaf-first"]];
    const { told } = await lines(program, { functions: ["middle"], depth: 1 });
    expect(told).toEqual([
      `call 1 middle:${middle} n=5`,
      `line 1 middle:${middle}`,
      `call 2<1 leaf:${leaf} n=5`,
      `line 2<1 leaf:${leaf}`,
      `line 2<1 leaf:${leaf + 1} doubled=10`,
      `line 2<1 leaf:${leaf + 2}`,
      `return 2<1 leaf:${leaf + 2} → 10`,
      `line 1 middle:${middle + 1} first=10`,
      `call 3<1 leaf:${leaf} n=10`,
      `line 3<1 leaf:${leaf}`,
      `line 3<1 leaf:${leaf + 1} doubled=20`,
      `line 3<1 leaf:${leaf + 2}`,
      `return 3<1 leaf:${leaf + 2} → 20`,
      `line 1 middle:${middle + 2} second=20`,
      `line 1 middle:${middle + 3}`,
      `return 1 middle:${middle + 3} → 30`,
    ]);
  });

  test("of a whole program show loops, and calls left by an exception", async () => {
    const program = compiled("leaves.cpp", LEAVES, ["g++", "-O0"]);
    const { told, record } = await lines(program, {});
    expect(record.end).toEqual({ how: "exited", exitCode: 104 });
    expect(told).toContain("return 2<1 fails:8 → 4");
    expect(told).toContain("call 3<1 fails:4 n=3");
    expect(told).toContain("throw 3<1 fails:6");
    expect(told).toContain("return 4<1 half:2 → 1.5");
    expect(told.filter((one) => one.startsWith("line 1 main:11"))).toHaveLength(3);
    expect(told.at(-1)).toBe("return 1 main:19 → 104");
  });

  test("are named by functions that exist", async () => {
    const { record, events } = await lines(fixture("c", "calls"), { functions: ["nosuch"] });
    expect(events).toEqual([]);
    expect(record.notes).toEqual(["function nosuch was not found in the program"]);
    expect(record.end).toEqual({ how: "exited", exitCode: 0 });
  });
});
