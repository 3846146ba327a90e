/** Arguments, types, addresses and texts of C. */
import { expect, test } from "vitest";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { compile, ends, LLDB, stops } from "./rig.ts";

const SOURCE = `#include <stdio.h>
#include <string.h>
typedef struct { int x, y; } Point;
typedef struct Item { char name[32]; int count; double price; Point where; int marks[3]; struct Item *next; } Item;
int counter = 5;
int add(Item *items, int n, const char *label) {
  int total = n;
  Item *ptr = items;
  if (total > 0) {
    int n = 40;
    total += n + ptr->count;
  }
  printf("%s %s %d\\n", label, ptr->name, total); // here
  return total;
}
int main(int argc, char **argv) {
  Item items[2];
  memset(items, 0, sizeof items);
  strcpy(items[0].name, "gear");
  int n = 1000;
  return add(items, 2, argv[0] ? "hello" : "") == n + argc;
}
`;
const HERE = `items.c:${SOURCE.split("\n").findIndex((line) => line.includes("// here")) + 1}`;

async function inItems(adapter: string): Promise<Sonde> {
  const sonde = borrowSonde();
  compile(sonde, "items.c", SOURCE);
  await stops(sonde, ["start", "items", "--adapter", adapter, "--break", HERE]);
  return sonde;
}

const names = async (sonde: Sonde, ...more: string[]) =>
  (await sonde.ask<{ values: { name: string }[] }>(["args", ...more])).values.map(({ name }) => name);

test.each(["lldb", "cdt-gdb"])("%s: the arguments alone, of any frame", async (adapter) => {
  const sonde = await inItems(adapter);
  expect(await names(sonde)).toEqual(["items", "n", "label"]);
  expect(await names(sonde, "--frame", "1")).toEqual(["argc", "argv"]);
  // An expression is one of the frame that is asked about, whichever was looked at before.
  expect((await sonde.run(["print", "n + 1", "--frame", "1"])).stdout).toBe("n + 1 = 1001  (int)\n");
  expect((await sonde.run(["print", "n + 1"])).stdout).toBe("n + 1 = 3  (int)\n");
  await sonde.ask("frame 1");
  expect((await sonde.run(["print", "n + 1", "--frame", "0"])).stdout).toBe("n + 1 = 3  (int)\n");
});

test.each(["lldb", "cdt-gdb"])(
  "%s: a value with its type, an address in a base, a text on a line",
  async (adapter) => {
    const sonde = await inItems(adapter);
    expect((await sonde.run("print counter --type")).stdout).toBe("counter = 5  (int)\n");
    expect((await sonde.run("print ptr --format hex")).stdout).toMatch(
      /^ptr = 0x[1-9a-f][0-9a-f]+ {2}\(Item \*\)\n$/,
    );
    expect((await sonde.run("print ptr --format address")).stdout).toMatch(
      /^ptr = 0x[0-9a-f]{16} {2}\(Item \*\)\n$/,
    );
    expect((await sonde.run(["print", "ptr->name"])).stdout).toMatch(
      /^ptr->name = "gear" {2}\(char ?\[32\]\)\n$/,
    );
    expect((await sonde.run("print label")).stdout).toMatch(
      /^label = 0x[0-9a-f]+ "hello" {2}\(const char \*\)\n$/,
    );
  },
);

test("what a line leaves out can be opened; the first of main's arguments is shown; a text is written into an array", async () => {
  const sonde = await inItems("lldb");
  const { stdout } = await sonde.run(["print", "*ptr"]);
  expect(stdout).toMatch(/where(:| = )\{x:0, y:0\}/);
  expect(stdout).toMatch(/marks(:| = )\{0, 0, 0\}/);
  const frame = (await sonde.run("locals --frame 1")).stdout;
  expect(frame).toMatch(/argv = 0x[0-9a-f]+ → ".*\/items" {2}\(char \*\*\)/);
  expect((await sonde.run(["set", "ptr->name", "new bolt"])).stderr).toContain(
    `hint: a string needs quotes: \`sonde set 'ptr->name' '"new bolt"'\``,
  );
  await sonde.ask(["set", "ptr->name", '"new bolt"']);
  expect((await sonde.run(["set", "ptr->name", `"${"x".repeat(32)}"`])).stderr).toContain(
    "33 bytes, and there is room for 32",
  );
  await sonde.ask("next");
  expect((await sonde.run("output")).stdout).toContain("hello new bolt 42");
});

const TEXTS = `#include <stdio.h>
struct Named { char name[8]; const char *label; };
int main(void) {
  struct Named one = {"abc", "first"};
  char *bad = (char *)1, *far = (char *)0x7000000000, *none = NULL, *empty = "";
  printf("%s %p %p %p %p\\n", one.label, (void *)bad, (void *)far, (void *)none, (void *)empty);
  return 0;
}
`;

test("a text that is not there is not an empty one, and one that was written stays", async () => {
  const sonde = borrowSonde();
  compile(sonde, "texts.c", TEXTS);
  const { values } = await stops(sonde, ["start", "texts", ...LLDB, "--break", "texts.c:6"]);
  const shown = Object.fromEntries(values.map(({ name, value }) => [name, value]));
  expect(shown).toMatchObject({
    bad: "0x0000000000000001 (not readable)",
    far: "0x0000007000000000 (not readable)",
    none: "0x0000000000000000",
    empty: expect.stringMatching(/^0x[0-9a-f]+ ""$/),
  });
  expect(await sonde.ask(["print", "(char *)1"])).toMatchObject({
    value: "0x0000000000000001 (not readable)",
  });
  await sonde.ask("args");
  await sonde.ask(["set", "one.label", '"second"']);
  // What LLDB keeps for the text of an expression is used again for the next.
  await sonde.refusal(["set", "one.name", '"much too long"']);
  expect((await sonde.ask<{ value: string }>("print one.label")).value).toMatch(/ "second"$/);
  expect((await ends(sonde, "continue")).exitCode).toBe(0);
  const output = await sonde.text("output");
  expect(output).toContain("second 0x1 0x7000000000");
  // What our scripts in LLDB say is for us.
  expect(output).not.toContain("sonde");
});
