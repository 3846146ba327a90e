/** What `finish` shows as a function's value is that value, or nothing: small objects that look after themselves are not in registers. */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";
import { compile, LLDB, stops } from "./rig.ts";

const FUNCTIONS: Record<string, { type: string; made: string; shown: string | undefined }> = {
  number: { type: "int", made: "41", shown: "41" },
  small: { type: "Small", made: "{1, 2}", shown: "{a:1, b:2}" },
  mixed: { type: "Mixed", made: "{1.5, 3}", shown: "{x:1.5, y:3}" },
  pair: { type: "std::pair<int, int>", made: "{8, 9}", shown: "(8, 9)" },
  large: { type: "Large", made: "{1, 2, 3}", shown: "{a:1, b:2, c:3}" },
  pointer: { type: "int *", made: "nullptr", shown: "0x0000000000000000" },
  // Each of these would be taken for what happens to be in a register.
  shared: { type: "std::shared_ptr<int>", made: "std::make_shared<int>(5)", shown: undefined },
  unique: { type: "std::unique_ptr<int>", made: "std::make_unique<int>(6)", shown: undefined },
  own: { type: "Own", made: "{7}", shown: undefined },
  copied: { type: "Copied", made: "{7}", shown: undefined },
  inside: { type: "Inside", made: "{{7}}", shown: undefined },
  derived: { type: "Derived", made: "{}", shown: undefined },
};

const BEFORE = `#include <memory>
#include <utility>
struct Small { int a, b; };
struct Mixed { double x; int y; };
struct Large { long a, b, c; };
struct Own { int *p; Own(int v) : p(new int(v)) {} Own(const Own &o) : p(new int(*o.p)) {} ~Own() { delete p; } };
struct Copied { int v; Copied(int n) : v(n) {} Copied(const Copied &o) : v(o.v) {} };
struct Inside { Copied one; };
struct Base { virtual int f() { return 1; } };
struct Derived : Base { int k = 4; };
`;

test("LLDB, C++", { timeout: 90_000 }, async () => {
  const sonde = borrowSonde();
  const names = Object.keys(FUNCTIONS);
  const made = names.map((name) => {
    const { type, made: value } = FUNCTIONS[name] ?? { type: "", made: "" };
    return `${type} ${name}() { ${type} made = ${value}; return made; }\n`;
  });
  const calls = names.map((name) => `  auto v_${name} = ${name}();\n`);
  const text = `${BEFORE}${made.join("")}int main() {\n${calls.join("")}  return v_number + v_small.a;\n}\n`;
  const program = compile(sonde, "ret.cpp", text, ["g++"]);
  const first = BEFORE.split("\n").length;
  const places = names.flatMap((_, at) => ["--break", `ret.cpp:${first + at}`]);
  let at = await stops(sonde, ["start", program, ...LLDB, ...places]);
  const seen: Record<string, string | undefined> = {};
  for (const [index, name] of names.entries()) {
    expect(at.frame?.function).toBe(name);
    const { values } = await stops(sonde, "finish");
    seen[name] = values.find((one) => one.name === "(Return Value)")?.value;
    if (index < names.length - 1) at = await stops(sonde, "continue");
  }
  expect(seen).toEqual(Object.fromEntries(names.map((name) => [name, FUNCTIONS[name]?.shown])));
});
