/** What is in a container or behind a pointer, without asking for it. */
import { expect, test } from "vitest";
import { readable, typed } from "../../src/adapters/lldb/values.ts";
import { borrowSonde } from "../support/sonde.ts";
import { compile, LLDB, stops } from "./rig.ts";

const VALUES = `#include <map>
#include <optional>
#include <string>
#include <vector>
struct Item { int a; std::string b; };
struct Node { const char *name; };
int use(int &number, std::vector<Item> &items) {
  std::vector<int> two{1, 2}, many{1, 2, 3, 4, 5, 6, 7}, none;
  std::map<std::string, int> ages{{"a", 1}, {"b", 2}};
  std::optional<int> some = 5, nothing;
  auto &entry = *ages.begin();
  auto *last = &*ages.rbegin();
  const int *pointer = &number;
  int *null = nullptr;
  double *bad = (double *)0xdddddddddddddddd;
  Node *dead = (Node *)0xdddddddddddddddd;
  return number + *pointer + (null == nullptr) + (bad == nullptr) + (dead == nullptr); // here
}
int main() {
  int x = 7;
  std::vector<Item> items{{1, "x"}};
  use(x, items);
  try { throw std::string("deep trouble"); } catch (std::string &) {}
  try { throw std::vector<int>{1}; } catch (std::vector<int> &) {}
  try { throw 42; } catch (int) {}
  return 0;
}
`;

const LINE = VALUES.split("\n").findIndex((line) => line.includes("// here")) + 1;
const CPP = ["g++", "-std=c++17"];

test("containers with their first elements, pointers and references with what they lead to", async () => {
  const sonde = borrowSonde();
  compile(sonde, "values.cpp", VALUES, CPP);
  const { values } = await stops(sonde, ["start", "values", ...LLDB, "--break", `values.cpp:${LINE}`]);
  const shown = Object.fromEntries(
    values.map(({ name, value }) => [name, value.replace(/^0x0000[0-9a-f]*[1-9a-f][0-9a-f]* /, "")]),
  );
  expect(shown).toMatchObject({
    number: "→ 7",
    items: 'size=1 {{a:1, b:"x"}}',
    two: "size=2 {1, 2}",
    many: "size=7 {1, 2, 3, 4, 5, …}",
    none: "size=0",
    ages: 'size=2 {"a": 1, "b": 2}',
    entry: '("a", 1)',
    last: '("b", 2)',
    some: "5",
    nothing: "nullopt",
    pointer: "→ 7",
    null: "0x0000000000000000",
    bad: "0xdddddddddddddddd (not readable)",
    dead: "0xdddddddddddddddd (not readable)",
  });
  expect(await sonde.ask("print pointer")).toMatchObject({ value: expect.stringMatching(/→ 7$/) });
});

test("what is thrown, by its type's name and with what it says", async () => {
  const sonde = borrowSonde();
  compile(sonde, "values.cpp", VALUES, CPP);
  const first = await stops(sonde, ["start", "values", ...LLDB, "--catch", "throw"]);
  expect(first.exception).toMatchObject({ type: "std::string", message: "deep trouble" });
  expect((await stops(sonde, "continue")).exception?.type).toMatch(/^std::vector<int/);
  expect((await stops(sonde, "continue")).exception).toMatchObject({ type: "int", message: "42" });
});

test("addresses that nothing can be at", () => {
  expect(readable('0x0000000000000010 {name:""}')).toBe("0x0000000000000010 (not readable)");
  expect(readable('0x00007fffffffe464 {name:"a"}')).toBe('0x00007fffffffe464 {name:"a"}');
  expect(readable("0x00007fffffffe464 → 7")).toBe("0x00007fffffffe464 → 7");
  expect(readable("0x10")).toBe("0x10");
});

test("a type that LLDB makes nothing of", () => {
  const tuple = { name: "tup", variablesReference: 0, type: "<no-type>" };
  expect(typed({ ...tuple, value: "<error: Invalid type: Cannot determine size>" })).toEqual({
    name: "tup",
    variablesReference: 0,
    value: "(LLDB cannot read its type)",
  });
});
