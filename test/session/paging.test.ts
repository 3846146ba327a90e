/** Paging reaches every part of everything: of arrays, containers, objects and scopes, in pages that neither repeat nor leave out. */
import { describe, expect, test } from "vitest";
import { compile } from "../native/rig.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

const slow = { timeout: 90_000 };

interface Page {
  values: { name: string; value: string; handle?: string }[];
  more: number;
  next?: number;
  total: number;
}

async function handleOf(sonde: Sonde, name: string): Promise<string> {
  const { handle } = await sonde.ask<{ handle?: string }>(["print", name, "--depth", "0"]);
  if (handle === undefined) throw new Error(`${name} has no handle`);
  return handle;
}

/** From the first page on, by what each says of the next. */
async function all(sonde: Sonde, handle: string, count = 1000): Promise<Page["values"]> {
  const values: Page["values"] = [];
  for (let next: number | undefined = 0; next !== undefined && values.length < 50_000; ) {
    const words = ["variables", handle, "--start", String(next), "--count", String(count)];
    const page: Page = await sonde.ask<Page>(words);
    values.push(...page.values);
    next = page.next;
  }
  return values;
}

const GO = `package main

import "fmt"

func main() {
	ints := make([]int, 300)
	words := make([]string, 2500)
	table := map[int]int{}
	for i := range words {
		words[i] = fmt.Sprint("w", i)
		table[i] = i * 2
	}
	for i := range ints {
		ints[i] = i
	}
	fmt.Println(len(ints), len(words), len(table)) // line 16
}
`;

test("go: slices and maps", slow, async () => {
  const sonde = borrowSonde();
  sonde.write("big.go", GO);
  await sonde.ask("start big.go --break big.go:16");
  const ints = await handleOf(sonde, "ints");
  expect(await sonde.ask(["variables", ints])).toMatchObject({ more: 200, next: 100, total: 300 });
  expect((await all(sonde, ints, 70)).map(({ value }) => value)).toEqual(
    Array.from({ length: 300 }, (_, i) => String(i)),
  );
  const words = await all(sonde, await handleOf(sonde, "words"));
  expect(words.map(({ value }) => value)).toEqual(Array.from({ length: 2500 }, (_, i) => `"w${i}"`));
  const table = (await all(sonde, await handleOf(sonde, "table"))).filter(({ name }) => name !== "len()");
  expect(new Set(table.map(({ name }) => name)).size).toBe(2500);
  expect(table.every(({ name, value }) => Number(value) === Number(name) * 2)).toBe(true);
});

const CPP = `#include <map>
#include <vector>
int main() {
  static int plain[3000];
  std::vector<int> grown;
  std::map<int, int> table;
  for (int i = 0; i < 3000; i++) { plain[i] = i; grown.push_back(i * 2); if (i < 150) table[i] = i; }
  return plain[5] + grown[5] + (int)table.size();
}
`;

test("C++: an array, a vector, a map and the scope they are in", slow, async () => {
  const sonde = borrowSonde();
  const program = compile(sonde, "big.cpp", CPP, ["g++"]);
  await sonde.ask(["start", program, "--adapter", "lldb", "--break", "big.cpp:8"]);
  const values = async (name: string) =>
    (await all(sonde, await handleOf(sonde, name))).map((one) => one.value);
  const numbers = Array.from({ length: 3000 }, (_, i) => i);
  expect(await values("plain")).toEqual(numbers.map(String));
  expect(await values("grown")).toEqual(numbers.map((i) => String(i * 2)));
  expect((await values("table")).length).toBe(150);
  expect(await sonde.text(["variables", await handleOf(sonde, "plain"), "--start", "5000"])).toBe(
    "nothing there: it has 3000 parts\n",
  );
  await scopePages(sonde);
});

/** The same names, one by one as all at once. */
async function scopePages(sonde: Sonde): Promise<void> {
  const { scopes } = await sonde.ask<{ scopes: { handle: string; kind?: string }[] }>("scopes");
  const { handle = "" } = scopes.find(({ kind }) => kind === "locals") ?? {};
  const whole = await sonde.ask<Page>(["variables", handle]);
  expect(whole.values.length).toBeGreaterThan(1);
  expect((await all(sonde, handle, 1)).map(({ name }) => name)).toEqual(whole.values.map(({ name }) => name));
}

const JS = `const list = Array.from({ length: 12000 }, (_, i) => i * 2);
const table = new Map(list.map((v, i) => ["k" + i, v]));
const unique = new Set(list);
const typed = new Float64Array(12000).map((_, i) => i);
const wide = Object.fromEntries(list.map((v, i) => ["p" + i, v]));
const match = /b(c)/.exec("abcd");
console.log(list.length, table.size, unique.size, typed.length, wide.p1, match[1]);
`;

describe("javascript", () => {
  test("arrays, maps, sets, typed arrays, wide objects, scopes", slow, async () => {
    const sonde = borrowSonde();
    sonde.write("big.js", JS);
    await sonde.ask("start big.js --break big.js:7");
    for (const name of ["list", "table", "unique", "typed", "wide"]) {
      const handle = await handleOf(sonde, name);
      const words = ["variables", handle, "--start", "11990", "--count", "10"];
      const page = await sonde.ask<Page>(words);
      const step = name === "typed" ? 1 : 2;
      const expected = Array.from({ length: 10 }, (_, i) => String((11990 + i) * step));
      expect({ name, values: page.values.map(({ value }) => value) }).toEqual({ name, values: expected });
      expect(await sonde.ask<Page>(["variables", handle])).toMatchObject({ next: 100 });
    }
    const match = await all(sonde, await handleOf(sonde, "match"), 2);
    expect(match.map(({ name }) => name)).toEqual(expect.arrayContaining(["0", "1", "index", "input"]));
    expect(new Set(match.map(({ name }) => name)).size).toBe(match.length);
    await scopePages(sonde);
  });
});
