/** Loops whose body is on the line of their head: what each round binds. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { Programs, told } from "./rig.ts";

/** What a function of one parameter does in one line, and what is told of that line: one text for each time it is told. */
async function rounds(
  line: string,
  given: string,
  { isAsync = false, file = "app.mjs" } = {},
): Promise<string[]> {
  const programs = new Programs({
    [file]: `const got = [];
const f = (...all) => got.push(all.join());
${isAsync ? "async " : ""}function run(given) {
  let sum = 0;
  ${line}
  return sum;
}
try { console.log(${isAsync ? "await " : ""}run(${given})); } catch (error) { console.log(String(error)); }
console.log(got.join(" "));
`,
  });
  const { hits, stdout, notes, stderr } = await programs.traced(["run"]);
  expect({ notes, stderr }).toEqual({ notes: [], stderr: "" });
  expect(stdout).toBe(execFileSync(process.execPath, [programs.path()], { encoding: "utf8" }));
  const events = told(hits.flatMap((one) => (one.kind === "point" ? [] : [one])));
  // What a line changed is told with the event that follows it.
  return events.slice(0, -1).flatMap((event, at) =>
    event.startsWith("line run:5")
      ? [
          (events[at + 1] ?? "")
            .replace(/^\w+ run:\d+ ?/, "")
            .replace(/ ?-> .*| ?-\w+/g, "")
            .trim(),
        ]
      : [],
  );
}

const EVENTS = `[{ type: "a", n: 1 }, { type: "b", n: 2 }]`;

test.each([
  [
    "for (const { type, ...event } of given) f(type, event.n);",
    EVENTS,
    ['type="a" event={n: 1}', 'type="b" event={n: 2}', ""],
  ],
  ["for (const [k, v] of given) f(k, v);", `new Map([["x", 1], ["y", 2]])`, ['k="x" v=1', 'k="y" v=2', ""]],
  ["for (const x of given) sum += x;", "[3, 4]", ["x=3 sum=3", "x=4 sum=7", ""]],
  ["for (const x of given) { sum += x; }", "[3, 4]", ["x=3 sum=3", "x=4 sum=7", ""]],
  ["for (const x of given) {sum += x}", "[3, 4]", ["x=3 sum=3", "x=4 sum=7", ""]],
  ["for (const x of given) { const y = x * 2; f(y); }", "[3, 4]", ["x=3 y=6", "x=4 y=8", ""]],
  ["for (const x of given);", "[3, 4]", ["x=3", "x=4", ""]],
  ["for (const x of given) {}", "[3, 4]", ["x=3", "x=4", ""]],
  ["for (const x of given) if (x > 3) break; else f(x)", "[3, 4, 5]", ["x=3", "x=4"]],
  ["for (const x of given) if (x > 3) return x; else f(x)", "[3, 4, 5]", ["x=3", "x=4"]],
  ["for (const x of given) if (x > 3) throw x;", "[3, 4, 5]", ["x=3", "x=4"]],
  ["for (let i = 0; i < given; i++) f(i);", "3", ["i=0", "i=1", "i=2", ""]],
  ["for (let i = 0; i < given; i++) { sum += i; f(sum); }", "3", ["i=0", "i=1 sum=1", "i=2 sum=3", ""]],
  ["for (let i = 0; ; i++) if (i > given) break;", "1", ["i=0", "i=1", "i=2"]],
  ["for (let i = 0; ; ) if (i++ > given) break;", "1", ["i=0", "i=1", "i=2"]],
  ["for (const k in given) sum += given[k];", "{ a: 1, b: 2 }", ['k="a" sum=1', 'k="b" sum=3']],
  ["for (var k in given) sum += given[k];", "{ a: 1, b: 2 }", ['k="a" sum=1', 'k="b" sum=3']],
  ["let k; for (k in given) { sum += given[k]; }", "{ a: 1, b: 2 }", ['k="a" sum=1', 'k="b" sum=3']],
  ["while (given.length > 0) sum += given.pop();", "[3, 4]", ["given=[3] sum=4", "given=[] sum=7", ""]],
  [
    "while (given.length > 0) { const x = given.pop(); f(x); }",
    "[3, 4]",
    ["given=[3] x=4", "given=[] x=3", ""],
  ],
  [
    "for (const a of given) for (const b of given) f(a, b);",
    "[1, 2]",
    ["a=1 b=1", "b=2", "", "a=2 b=1", "b=2", "", ""],
  ],
  [
    "outer: for (const a of given) for (const b in given) if (b > 0) continue outer; else f(a, b);",
    "[1, 2]",
    ['a=1 b="0"', 'b="1"', 'a=2 b="0"', 'b="1"', ""],
  ],
])("%s", async (line, given, expected) => {
  expect(await rounds(line, given)).toEqual(expected);
});

test("rounds that wait for their values", async () => {
  const line = "for await (const x of given) sum += x;";
  expect(await rounds(line, "[3, Promise.resolve(4)]", { isAsync: true })).toEqual([
    "x=3 sum=3",
    "x=4 sum=7",
  ]);
});

test("a body that goes on after the line of its head", async () => {
  const line = "for (const k in given) { f(k);\n  sum += given[k]; }";
  expect(await rounds(line, "{ a: 1, b: 2 }")).toEqual(['k="a"', 'k="b"']);
});

test("a function in the body keeps the round's own variables", async () => {
  const line =
    "const all = []; for (let i = 0; i < given; i++) all.push(() => i); sum = all.map((one) => one()).join();";
  expect(await rounds(line, "3", { file: "app.cjs" })).toContain(
    "i=2 all=[ƒ (anonymous)(), ƒ (anonymous)(), ƒ (anonymous)()]",
  );
});
