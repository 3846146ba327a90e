/** Function breakpoints and exceptions. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { findFunctions } from "../../src/adapters/node/javascript/function-finder.ts";
import { debug, marker, project } from "./debuggee.ts";

const TSX = pathToFileURL(join(import.meta.dirname, "../../node_modules/tsx/dist/loader.mjs")).href;

const LIB = `// function total( in a comment
export function total(list) {
  return list.length; // @total
}
export class Acc {
  static make() { return new Acc(); } // @make
  #n = 0;
  add(n) {
    this.#n += n; // @add
    return this;
  }
}
export const arrow = (x) => x + 1; // @arrow
export const obj = {
  method(a) {
    return a; // @method
  },
};
`;
const MAIN = `import { total, Acc, arrow, obj } from "./lib.mjs";
total([1]); total([1, 2]); Acc.make().add(1); arrow(1); obj.method(2);
`;

test("the finder", () => {
  const at = (source: string, name: string) =>
    findFunctions(source, name).map(({ line, column }) => `${line}:${column}`);
  expect(at("function a() { x() }", "a")).toEqual(["0:14"]);
  expect(at("const s = 'function a() {}'; /* function a() {} */ // function a() {}", "a")).toEqual([]);
  expect(at("const a = async (x, { y } = {}) => {\n}", "a")).toEqual(["0:36"]);
  expect(at("const a = x => x * 2", "a")).toEqual(["0:15"]);
  expect(at("exports.a = function* () {}", "a")).toEqual(["0:26"]);
  expect(at("a(1); if (a(2)) { } a", "a")).toEqual([]);
  expect(at("class A { a(x) { } static async a2() {} b = () => { } }", "A.a")).toEqual(["0:16"]);
  expect(at("class A { go() { function a() {} } } class B { a() {} }", "A.a")).toEqual([]);
  expect(at("A.prototype.a = function () { }", "A.prototype.a")).toEqual(["0:29"]);
  expect(at("const o = { a: (x) => x, b() {} }", "o.a")).toEqual(["0:22"]);
  expect(at("const a = (1 + 2) * 3; const b = a / 2; const c = /function a() {}/", "a")).toEqual([]);
  expect(at("const t = `function a() {} ${(() => { function a() {} })()}`", "a")).toHaveLength(1);
});

test("functions by name stop at their first statement, in files that are not loaded yet", async () => {
  const dir = project({ "lib.mjs": LIB, "main.mjs": MAIN });
  const lib = join(dir, "lib.mjs");
  const d = await debug(join(dir, "main.mjs"));
  const { breakpoints } = await d.request<{ breakpoints: object[] }>("setFunctionBreakpoints", {
    breakpoints: [
      { name: "total", condition: "list.length > 1" },
      { name: "Acc.add" },
      { name: "Acc.prototype.make" },
      { name: "arrow" },
      { name: "obj.method" },
      { name: "nowhere" },
      { name: "a b" },
    ],
  });
  expect(breakpoints[0]).toMatchObject({
    id: 1,
    verified: false,
    reason: "pending",
    message: "no function named total in the loaded scripts yet",
  });
  expect(breakpoints[6]).toMatchObject({ verified: false, reason: "failed" });
  await d.run();
  for (const [mark, id] of [
    ["total", 1],
    ["make", 3],
    ["add", 2],
    ["arrow", 4],
    ["method", 5],
  ] as const) {
    expect(await d.stop()).toMatchObject({ reason: "function breakpoint", hitBreakpointIds: [id] });
    expect((await d.top()).line).toBe(marker(lib, mark));
    if (mark === "total") expect((await d.evaluate("list.length")).result).toBe("2");
    await d.request("continue");
  }
  await d.end();
  const bound = d.events
    .filter(({ event }) => event === "breakpoint")
    .map(({ body }) => body.breakpoint as { id: number; verified: boolean });
  expect(bound.map(({ id, verified }) => `${id} ${verified}`).sort()).toEqual([
    "1 true",
    "2 true",
    "3 true",
    "4 true",
    "5 true",
  ]);
});

test("function breakpoints in CommonJS and in tsx's output", async () => {
  const source =
    "export function total(list: number[]): number {\n  return list.length; // @total\n}\n\nclass Acc {\n  add(n: number) {\n    return n; // @add\n  }\n}\ntotal([1]);\nnew Acc().add(1);\n";
  for (const type of ["commonjs", "module"]) {
    const dir = project({ "package.json": JSON.stringify({ type }), "app.ts": source });
    const d = await debug(join(dir, "app.ts"), { nodeArgs: ["--import", TSX] });
    await d.request("setFunctionBreakpoints", { breakpoints: [{ name: "total" }, { name: "Acc.add" }] });
    await d.run();
    for (const line of [2, 7]) {
      expect(await d.stop()).toMatchObject({ reason: "function breakpoint" });
      expect((await d.top()).line).toBe(line);
      await d.request("continue");
    }
    await d.end();
  }
  const dir = project({
    "lib.cjs": "exports.f = function (x) {\n  return x;\n};\n",
    "app.cjs": 'require("./lib.cjs").f(1);\n',
  });
  const d = await debug(join(dir, "app.cjs"));
  await d.request("setFunctionBreakpoints", { breakpoints: [{ name: "f" }] });
  await d.run();
  await d.stop();
  expect(await d.top()).toMatchObject({ line: 2, source: { name: "lib.cjs" } });
  // Loaded now: found at once.
  const { breakpoints } = await d.request<{ breakpoints: object[] }>("setFunctionBreakpoints", {
    breakpoints: [{ name: "exports.f" }],
  });
  expect(breakpoints).toMatchObject([{ verified: true, line: 2 }]);
});

const THROWS = `class AppError extends Error {}
function fail(n) {
  throw new AppError("caught " + n); // @caught
}
for (const n of [1, 2]) try { fail(n) } catch {}
try { require("fs").readFileSync("/no/such/file") } catch {}
async function later() {
  throw new TypeError("outer", { cause: new RangeError("inner", { cause: "root" }) }); // @later
}
later();
`;

test("exceptions: uncaught only, with its causes", async () => {
  const app = join(project({ "app.cjs": THROWS }), "app.cjs");
  const d = await debug(app);
  const { breakpoints } = await d.request<{ breakpoints: object[] }>("setExceptionBreakpoints", {
    filters: ["uncaught"],
  });
  expect(breakpoints).toEqual([{ verified: true }]);
  await d.run();
  expect(await d.stop()).toMatchObject({ reason: "exception", text: "TypeError: outer" });
  expect((await d.top()).line).toBe(marker(app, "later"));
  expect(await d.request("exceptionInfo")).toMatchObject({
    exceptionId: "TypeError",
    description: "outer",
    breakMode: "unhandled",
    details: {
      typeName: "TypeError",
      stackTrace: expect.stringContaining("at later"),
      innerException: [
        {
          typeName: "RangeError",
          message: "inner",
          innerException: [{ typeName: "string", message: '"root"' }],
        },
      ],
    },
  });
  await d.request("continue");
  expect(await d.end()).toBe(1);
  expect(d.stops).toBe(1);
});

test("exceptions: all, caught, with conditions, thrown values that are no errors", async () => {
  const app = join(project({ "app.cjs": THROWS }), "app.cjs");
  const all = await debug(app);
  await all.request("setExceptionBreakpoints", { filters: ["all"] });
  await all.run();
  const seen: string[] = [];
  for (let i = 0; i < 4; i++) {
    seen.push(String((await all.stop()).text));
    await all.request("continue");
  }
  expect(seen).toEqual([
    "AppError: caught 1",
    "AppError: caught 2",
    expect.stringMatching(/^Error: ENOENT/),
    "TypeError: outer",
  ]);

  const some = await debug(app);
  const { breakpoints } = await some.request<{ breakpoints: object[] }>("setExceptionBreakpoints", {
    filters: [],
    filterOptions: [
      { filterId: "caught", condition: "error.message.endsWith('2')" },
      { filterId: "uncaught", condition: "1 +" },
    ],
  });
  expect(breakpoints).toMatchObject([
    { verified: true },
    { verified: false, message: expect.stringContaining("SyntaxError") },
  ]);
  await some.run();
  await some.stop();
  expect(await some.request("exceptionInfo")).toMatchObject({
    exceptionId: "AppError",
    description: "caught 2",
    breakMode: "always",
  });
  await some.request("continue");
  await some.end();
  expect(some.stops).toBe(1);

  const bare = await debug(join(project({ "app.mjs": 'throw "just text";\n' }), "app.mjs"));
  await bare.request("setExceptionBreakpoints", { filters: ["uncaught"] });
  await bare.run();
  expect(await bare.stop()).toMatchObject({ reason: "exception", text: '"just text"' });
  expect(await bare.request("exceptionInfo")).toMatchObject({
    exceptionId: "string",
    description: '"just text"',
  });
});
