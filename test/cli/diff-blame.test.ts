/** `sonde diff` of versions that differ in many places: which call is to blame, and when none is. */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

const SHOP = ({ loads, name }: { loads: number[]; name: string }) => `prices = {}


def load(n):
    ${name} = n * 10
    prices[n] = ${name}
    return n


def price(n):
    ${name} = 0
    for one in range(1, n):
        ${name} += prices.get(one, 0)
    return ${name}


def label(n):
    ${name} = str(n)
    return ${name} + "!"


${loads.map((n) => `load(${n})`).join("\n")}
print(label(1))
print(price(5))
`;

test("a call that only one run made: no call after it is blamed", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  sonde.write("a/shop.py", SHOP({ loads: [1, 2, 3, 4], name: "value" }));
  sonde.write("b/shop.py", SHOP({ loads: [1, 2, 4], name: "number" }));
  const text = await sonde.text(["diff", "--a", "python3 a/shop.py", "--b", "python3 b/shop.py"]);
  expect(text).not.toContain("first call");
  expect(text).not.toContain("changed no result");
  expect(text).toMatch(/^(?:changed between A and B.*\n(?: .*\n)+)?first divergence: line a\/shop\.py:/);
  expect(text).toMatch(/A: a\/shop\.py:24 \| load\(3\)/);
  expect(text).toMatch(/output, line 2: A "100", B "70"/);
});

test("the same versions with every call made in both: the call is named", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  const loads = [1, 2, 3, 4];
  sonde.write("a/shop.py", SHOP({ loads, name: "value" }));
  sonde.write("b/shop.py", SHOP({ loads, name: "number" }).replace("range(1, n)", "range(2, n)"));
  const text = await sonde.text(["diff", "--a", "python3 a/shop.py", "--b", "python3 b/shop.py"]);
  expect(text).toMatch(
    /^first call with the same arguments and a different result: price\(n=5\), called at a\/shop\.py:27\n {2}A 100, B 90\n/,
  );
});

test("a call in which the run ended was not left: nobody says that it does not end", {
  timeout: 60_000,
}, async () => {
  const sonde = borrowSonde();
  const text = (name: string) => `import os\n\n${SHOP({ loads: [1, 2], name })}`;
  sonde.write("a/shop.py", text("value"));
  sonde.write(
    "b/shop.py",
    text("number").replace("number = 0", "os._exit(4)").replace("print(label(1))", "print(label(0 + 1))"),
  );
  const told = await sonde.text(["diff", "--a", "python3 a/shop.py", "--b", "python3 b/shop.py"]);
  expect(told).toMatch(
    /^first call with the same arguments .*: price\(n=5\), .*\n {2}A 30, B had not returned when the run ended\n/,
  );
  expect(told).toMatch(/B exit code 4/);
});
