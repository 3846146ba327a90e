/**
 * A source map that says by its `scopes` (ECMA-426's proposal of that name) what each variable of the source is in the code, where nothing
 * else does: no names, and no mapping of any identifier.
 */
import { encode } from "@jridgewell/sourcemap-codec";
import { expect, test } from "vitest";
import { parsed } from "../../src/adapters/node/javascript/parse.cjs";
import type { Names } from "../../src/adapters/node/names/names.cjs";
import { Names as NamesOf } from "../../src/adapters/node/names/names.cjs";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

const SOURCE = `const RATE = 2;
let total = 100;
const bag = { list: [7] };
function half(total: number, unused: number): number {
  const out = total / RATE, first = bag.list[0];
  return out + first - first;
}
console.log(half(10, 1) + half(20, 1), total);
`;

const CODE = `let a=100,d={list:[7]};function b(a){const c=a/2;d;
return c}
console.log(b(10)+b(20),a);
`;

/** Made by another encoder (srcmap-scopes 0.4.0, of crates.io): module { RATE, total, half, bag } with half { total, unused, out, first }. */
const SCOPES = "BCAAA,DCCCC,BHDNGK,DFICC,CDB,CDA,ECAA,GKLMN,EGiBC,GLAOP,FBJ,FCA";
const NAMES = [
  ...["module", "RATE", "total", "half", "bag", "function", "unused", "out", "first"],
  ...["2", "a", "b", "d", "c", "d.list[0]"],
];
const MAPPINGS: [number, number, number, number][][] = [
  [
    [0, 0, 1, 0],
    [10, 0, 2, 0],
    [23, 0, 3, 0],
    [37, 0, 4, 2],
  ],
  [[0, 0, 5, 2]],
  [[0, 0, 7, 0]],
];

function compiled(scopes: string = SCOPES): Sonde {
  const sonde = borrowSonde();
  const map = {
    version: 3,
    sources: ["app.ts"],
    names: NAMES,
    mappings: encode(MAPPINGS),
    scopes,
  };
  sonde.write("app.ts", SOURCE);
  sonde.write("app.js", `${CODE}//# sourceMappingURL=app.js.map\n`);
  sonde.write("app.js.map", JSON.stringify(map));
  return sonde;
}

test("what is printed, shown and set is the source's", async () => {
  const sonde = compiled();
  const shot = await sonde.text("start app.js --break app.ts:6");
  expect(shot).toContain("total = 10");
  expect(shot).toContain("out = 5");
  expect(shot).not.toMatch(/\b[acd] = /);
  expect(await sonde.text("print total")).toContain("total = 10");
  expect(await sonde.text(["print", "total + out + RATE + first"])).toContain("= 24");
  expect(await sonde.text("print bag.list")).toContain("[7]");
  expect(await sonde.refusal("print unused")).toMatchObject({
    message: expect.stringContaining("the compiler left it out of the code"),
  });
  await sonde.text("set out 9");
  expect(await sonde.text("print out")).toContain("out = 9");
  await sonde.text("stop");
});

test("a condition is asked in the source's names", async () => {
  const sonde = compiled();
  const shot = await sonde.text(["start", "app.js", "--break", "app.ts:6 if total == 20 && RATE == 2"]);
  expect(shot).toContain("out = 10");
  await sonde.text("stop");
});

test.each(["node-source", "node-condition", "stops"])(
  "a trace by %s watches the source's variables",
  async (collector) => {
    const sonde = compiled();
    const watched = ["total", "out", "RATE", "first", "unused"].flatMap((name) => ["--watch", name]);
    const { hits } = await sonde.ask<{ hits: { values: string[] }[] }>([
      "trace",
      "--at",
      "app.ts:6",
      "--collector",
      collector,
      ...watched,
      "--",
      "node",
      "app.js",
    ]);
    expect(hits.map(({ values }) => values.slice(0, 4))).toEqual([
      ["10", "5", "2", "7"],
      ["20", "10", "2", "7"],
    ]);
    expect(JSON.stringify(hits[0]?.values[4])).not.toMatch(/\d/);
  },
);

function names(scopes: string, code = CODE): Names {
  const program = parsed(code, "script");
  if (program === undefined) throw new Error("not a program");
  return new NamesOf(program, code, { mappings: MAPPINGS, names: NAMES, scopes, textOf: () => SOURCE });
}

test("one that the code hides, or would have to run code for, is not told", () => {
  const hiding = CODE.replace("c=a/2;", "c=a/2,e=[8].map(c=>c);");
  const inside = hiding.indexOf("=>c") + 2;
  expect(names(SCOPES, hiding).meaning("out", inside)).toMatchObject({
    fault: expect.stringContaining("hides"),
  });
  expect(names(SCOPES, hiding).meaning("total", inside)).toEqual({ text: "a" });
  const calls = new NamesOf(parsed(CODE, "script") as never, CODE, {
    mappings: MAPPINGS,
    names: NAMES.with(-1, "d.list.pop()"),
    scopes: SCOPES,
    textOf: () => SOURCE,
  });
  expect(calls.meaning("first", CODE.indexOf("return"))).toMatchObject({
    fault: expect.stringContaining("run code"),
  });
});

test.each([
  ["a range that does not end", SCOPES.replace(",FCA", "")],
  ["a name that is not there", SCOPES.replace("GKLMN", "GKLMgB")],
  ["a number of values that is not that of the variables", SCOPES.replace("GKLMN", "GKLM")],
  ["a scope that is not there", SCOPES.replace("EGiBC", "EGiBI")],
  ["no text of that kind", "B?"],
])("%s: as if there were no scopes", (_, scopes) => {
  expect(names(scopes).meaning("RATE", CODE.indexOf("return"))).toEqual(
    names("").meaning("RATE", CODE.indexOf("return")),
  );
});

test("one that is given in parts is not told, since drafts differ in how", () => {
  const named = names(SCOPES.replace("GLAOP", "GLAOP,HCABA"));
  const at = CODE.indexOf("return");
  expect(named.meaning("out", at)).toMatchObject({ fault: expect.stringContaining("in parts") });
  expect(named.meaning("total", at)).toEqual({ text: "a" });
});
