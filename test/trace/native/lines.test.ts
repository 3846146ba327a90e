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

const KEEPING = `#include <string>
#include <vector>
struct Box {
  int held = 0;
  std::string text(int by) const;
};
std::string Box::text(int by) const {
  static int total = 5;
  static std::vector<int> all;
  total += by;
  all.push_back(total);
  return std::string(held + all.size(), 'x');
}
std::string plain(int by) {
  return std::string(by, 'y');
}
int main() {
  Box box;
  std::string name = "a name";
  return box.text(1).size() + box.text(2).size() + plain(3).size() + name.size() - 12;
}
`;

const EMPTY_BASES = `struct Mark {};
struct Other {};
struct Whole { int whole = 1; };
struct Middle : Mark, Whole { int middle = 2; };
struct Box : Mark, Other {
  int first = 3, second = 4;
  void put(int by);
};
void Box::put(int by) {
  first += by;
  second += by;
}
struct Deep : Other, Middle {
  virtual ~Deep() {}
  int last = 5;
  void put(int by);
};
void Deep::put(int by) {
  whole += by;
  middle += by;
  last += by;
}
int main() {
  Box box;
  box.put(10);
  Deep deep;
  deep.put(20);
  return box.first + box.second + deep.whole + deep.middle + deep.last - 103 - 4;
}
`;

const CROWDED = `static int pick(int n) {
  switch (n) {
    case 0: n += 10; break; case 1: n += 20; break; case 2: n += 30; break; case 3: n += 40; break; case 4: n += 50; break;
  }
  return n;
}
static int few(int n) {
  if (n > 2)
    goto middle;
  if (n > 1) { n += 1; } else { middle: n += 100; }
  return n;
}
int main(void) {
  int sum = 0;
  for (int i = 0; i < 5; i++) sum += pick(i) > 30 ? 1 : few(i) > 50 ? 2 : 3;
  return sum;
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

  test("tell what a function keeps from call to call, where that is declared", async () => {
    const program = compiled("keeping.cpp", KEEPING, ["g++", "-O0"]);
    const { told, record } = await lines(program, { functions: ["Box::text"] });
    expect(record.end).toEqual({ how: "exited", exitCode: 0 });
    const of = (call: number) => told.filter((one) => one.split(" ")[1] === String(call));
    const without = (one: string) => one.replace(/ this=.*?(?= by=)/, "").replace(/ → .*/, "");
    expect(of(1).slice(0, 5).map(without)).toEqual([
      "call 1 Box::text:9 by=1",
      "line 1 Box::text:8",
      "line 1 Box::text:9 total=5",
      "line 1 Box::text:10 all=size=0",
      "line 1 Box::text:11 total=6",
    ]);
    expect(of(2).slice(0, 5).map(without)).toEqual([
      "call 2 Box::text:9 by=2",
      "line 2 Box::text:8",
      "line 2 Box::text:9 total=6",
      "line 2 Box::text:10 all=size=1 {6}",
      "line 2 Box::text:11 total=8",
    ]);
  });

  test.each(["g++", "clang++"])("tell every field of a class whose bases hold nothing (%s)", async (cc) => {
    const { told } = await lines(compiled("bases.cpp", EMPTY_BASES, [cc, "-O0"]), {
      functions: ["Box::put", "Deep::put"],
    });
    const changed = (name: string) =>
      told
        .flatMap((one) => (one.includes(name) ? [...one.matchAll(/ this\.(\w+=\d+)/g)] : []))
        .map((m) => m[1]);
    expect(changed(" Box::put:")).toEqual(["first=13", "second=14"]);
    expect(changed(" Deep::put:")).toEqual(["whole=21", "middle=22", "last=25"]);
  });

  test("name functions plainly, and only those of the folder", async () => {
    const program = compiled("keeping.cpp", KEEPING, ["g++", "-O0"]);
    const { events } = await lines(program, {});
    const called = events.filter(({ kind }) => kind === "call").map((one) => one.function);
    expect([...new Set(called)].sort()).toEqual(["Box::text", "main", "plain"]);
    const asked = await lines(program, { functions: ["plain"] });
    expect(asked.told[0]).toBe("call 1 plain:15 by=3");
  });

  test.each(["gcc", "clang"])(
    "are met from every side, where %s puts several pieces of code on one",
    async (cc) => {
      const { told } = await lines(compiled("crowded.c", CROWDED, [cc, "-O0"]), {});
      const calls = (name: string) =>
        told
          .filter((one) => one.startsWith("call") && one.includes(` ${name}:`))
          .map((one) => one.split(" ")[1] ?? "");
      const met = (name: string, line: number) =>
        calls(name).filter((who) => told.some((one) => one.startsWith(`line ${who} ${name}:${line}`)));
      expect(calls("pick")).toHaveLength(5);
      expect(met("pick", 3)).toEqual(calls("pick"));
      expect(calls("few").length).toBeGreaterThan(1);
      expect(met("few", 10)).toEqual(calls("few"));
    },
  );
});
