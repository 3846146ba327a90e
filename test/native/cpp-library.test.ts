/** The standard library's classes hold what the program put there, whoever compiled it. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { emptyPacks } from "../../src/adapters/lldb/template-packs.ts";
import { readableType } from "../../src/adapters/lldb/types.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { compile, LLDB, stops } from "./rig.ts";

const HELD = `#include <any>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>
struct Engine { int power = 5; };
struct Wheel { double size = 2.5; };
struct Car {
  std::unique_ptr<Engine> engine = std::make_unique<Engine>();
  std::unique_ptr<Wheel> wheel = std::make_unique<Wheel>();
  std::tuple<int, double> place{1, 2.5};
  virtual ~Car() {}
};
struct Fast : Car { int gears = 6; };
class Inner { public: int a = 1; };
class Outer : public Inner { public: int b = 2; Inner inner; };
struct Mixed { int x; struct { int y; }; union { int u; unsigned v; }; };
int twice(int n) { return n * 2; }
int main() {
  std::tuple<> none;
  std::tuple<int, std::string, double> three{1, "two", 3.5};
  std::tuple<int, std::string> two{1, "x"};
  std::tuple<char, float> letters{'c', 1.5f};
  std::pair<int, std::pair<int, int>> pairs{1, {2, 3}};
  Car car;
  std::unique_ptr<Car> fast = std::make_unique<Fast>();
  std::unique_ptr<int[]> row(new int[2]{8, 9});
  auto shared = std::make_shared<Wheel>();
  auto again = shared;
  std::shared_ptr<int> nobody;
  std::weak_ptr<int> late = std::make_shared<int>(3);
  std::optional<std::string> some = "five", nothing;
  std::variant<int, std::string> text = std::string("v"), number = 7;
  std::string hello = "hello", large(100, 'x'), odd("a\\0\\"\\n\\xff", 5);
  const std::string &same = hello;
  std::u16string wide = u"wide";
  std::map<std::string, int> ages{{"ann", 30}, {"bob", 40}};
  std::unordered_map<int, std::vector<int>> rows{{1, {10, 11}}, {7, {70}}};
  std::vector<std::unique_ptr<int>> owners;
  owners.push_back(std::make_unique<int>(1));
  std::function<int(int)> call = twice, empty;
  std::any any = 5;
  std::atomic<int> counter{44};
  Mixed mixed{1, {2}, {3}};
  int8_t small = -5; uint8_t byte = 200; char letter = 'a'; wchar_t far = L'\\u00e9';
  int &&moved = 6;
  Outer outer;
  const std::unique_ptr<Car> &borrowed = fast;
  std::cout << "" << std::flush;
  printf("%d\\n", twice(2)); // here
  return 0;
}
`;
const LINE = HELD.split("\n").findIndex((line) => line.includes("// here")) + 1;

const plain = (text = "") => text.replace(/0x[0-9a-f]*[1-9a-f][0-9a-f]*/g, "0x…");

const print = async (sonde: Sonde, expression: string) =>
  plain((await sonde.ask<{ value: string }>(["print", expression])).value);

interface Listed {
  scopes: { name: string; values: { name: string; value: string; type?: string }[] }[];
}

test.each(["g++", "clang++"])("%s: what each of them holds", { timeout: 60_000 }, async (compiler) => {
  const sonde = borrowSonde();
  compile(sonde, "held.cpp", HELD, [compiler, "-std=c++17"]);
  await stops(sonde, ["start", "held", ...LLDB, "--break", `held.cpp:${LINE}`]);
  const { scopes } = await sonde.ask<Listed>("locals");
  const locals = scopes.find(({ name }) => name === "Locals")?.values ?? [];
  const shown = Object.fromEntries(locals.map(({ name, value }) => [name, plain(value)]));
  expect(shown).toMatchObject({
    none: "()",
    three: '(1, "two", 3.5)',
    two: '(1, "x")',
    letters: "('c', 1.5)",
    pairs: "(1, (2, 3))",
    fast: expect.stringMatching(/^0x… → \{Car:\{engine:0x… → \{…\}, …\}, gears:6\}$/),
    row: "0x… → 8",
    shared: "0x… → {size:2.5} strong=2 weak=0",
    nobody: "nullptr",
    late: "expired",
    some: '"five"',
    nothing: "nullopt",
    text: '(std::string) "v"',
    number: "(int) 7",
    hello: '"hello"',
    large: `"${"x".repeat(100)}"`,
    odd: '"a\\0\\"\\n\\xff"',
    same: '0x… "hello"',
    wide: 'u"wide"',
    ages: 'size=2 {"ann": 30, "bob": 40}',
    owners: "size=1 {0x… → 1}",
    call: "→ twice(int)",
    empty: "empty",
    any: "(int) 5",
    counter: "44",
    mixed: "{x:1, y:2, u:3, v:3}",
    small: "-5",
    byte: "200",
    letter: "'a'",
    far: "'é'",
    moved: "0x… → 6",
    outer: "{Inner:{a:1}, b:2, inner:{a:1}}",
  });
  expect(locals.find(({ name }) => name === "two")?.type).toBe("std::tuple<int, std::string>");
  // None of the library's own, of which there are dozens.
  expect(scopes.flatMap(({ values }) => values).filter(({ name }) => /^(std|__\w+)::/.test(name))).toEqual(
    [],
  );
  expect(await print(sonde, "*borrowed")).toMatch(/gears:6\}$/);
  expect(await print(sonde, "car.place")).toBe("(1, 2.5)");
  expect(await print(sonde, "car.wheel->size")).toBe("2.5");
  expect(await print(sonde, "shared->size")).toBe("2.5");
  expect(await print(sonde, "some->size()")).toBe("4");
  expect(await print(sonde, "hello.size() + 1")).toBe("6");
  expect(await print(sonde, 'ages["bob"]')).toBe("40");
  expect(await print(sonde, "rows[7][0] + rows[1][1]")).toBe("81");
  expect((await sonde.refusal(["print", "rows[2]"])).message).toBe("rows[2]: it has no entry for 2");
  expect((await sonde.refusal(["print", "rows[1][2]"])).message).toBe(
    "rows[1][2]: it has 2 elements: there is no [2]",
  );
  expect((await sonde.refusal(["print", "fast.gears"])).message).toContain("no member named 'gears'");
  expect(await print(sonde, "rows.size()")).toBe("2");
  expect(await sonde.text("modules")).toMatch(/^held {2}held$/m);
});

test("types as they are written", () => {
  const text = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
  expect(readableType(text)).toBe("std::string");
  expect(
    readableType(
      `std::map<${text}, int, std::less<${text} >, std::allocator<std::pair<const ${text}, int> > > &`,
    ),
  ).toBe("std::map<std::string, int> &");
  expect(readableType("std::allocator<int>")).toBe("std::allocator<int>");
  expect(readableType("std::function<int (char, std::vector<int, std::allocator<int> >)>")).toBe(
    "std::function<int (char, std::vector<int>)>",
  );
  expect(readableType("bool (*)(int, std::less<int>)")).toBe("bool (*)(int, std::less<int>)");
});

test("only packs that hold nothing are taken out", () => {
  // 1: a pack without children; 2: one with a child; 3: a class whose attribute has a value of its own.
  const table = [1, 0x87, 0x82, 1, 0, 0, 0, 2, 0x87, 0x82, 1, 1, 0, 0, 3, 2, 1, 0x0b, 0x21, 7, 0, 0, 0];
  expect(emptyPacks(Buffer.from(table))).toEqual([1]);
  expect(emptyPacks(Buffer.from([]))).toEqual([]);
  expect(emptyPacks(Buffer.from([1, 0x87]))).toEqual([]);
});

test("a process that was attached to is read the same way", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  const waiting = HELD.replace("  return 0;\n", "  fflush(stdout);\n  for (;;) getchar();\n");
  compile(sonde, "held.cpp", waiting, ["g++", "-std=c++17"]);
  const child = sonde.program("./held", []);
  await new Promise<void>((ready) => child.stdout?.once("data", () => ready()));
  await sonde.ask(["attach", String(child.pid), ...LLDB]);
  await stops(sonde, "pause");
  expect(await print(sonde, "car.place")).toBe("(1, 2.5)");
  await sonde.ask("detach");
  expect(execFileSync("ps", ["-o", "stat=", "-p", String(child.pid)], { encoding: "utf8" })).toMatch(/^S/);
});
