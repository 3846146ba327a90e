/** Parameters told apart from other locals: by text, and in a frame. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { parameterNames } from "../../src/adapters/node/javascript/parameters.ts";
import { debug, marker, project } from "./debuggee.ts";

test.each([
  ["(a, b) {}", ["a", "b"]],
  ["() {}", []],
  ["x => x", ["x"]],
  ["async x => x", ["x"]],
  ["async (x, y) => x", ["x", "y"]],
  ["function* name(a) {}", ["a"]],
  ["(a = f(1, [2, 3]), b = '),(', c = `${d}`, ...rest) {}", ["a", "b", "c", "rest"]],
  ["({ a, b: c, d = 1, 'e f': [g, , h = {}], [k + 1]: i, 2: j, ...others } = {}, [m]) {}", "acdghijothersm"],
  ["(a /* , b */, // )\n c) => {}", ["a", "c"]],
  ["(a = (x, y) => ({ x }), b = /[)]/) {}", ["a", "b"]],
  ["class A { constructor(a) {} }", undefined],
  ["(a + b) * 2", undefined],
  ["(a: number) {}", undefined],
  ["(a, b", undefined],
])("%s", (text, names) => {
  const found = parameterNames(text);
  expect(typeof names === "string" ? found?.join("") : found).toEqual(names);
});

test("a scope of arguments: every kind of function, no name twice, both can be set", async () => {
  const source = `
function simple(n, list) { const local = n + 1; return stop(n, local); }
const arrow = ({ a, b: [c] }, d = a + 1, ...rest) => { const local = 1; return stop(a, c, d, rest, local); };
class Acc { constructor(start) { this.start = start; } async add(by) { let local = by; stop(local); } }
function closed(p, get = () => p) { var local = p; return stop(get, local); }
function none() { const local = 1; return stop(local); }
function stop() {
  return 1; // @here
}
simple(1, [2]);
arrow({ a: 1, b: [2] }, undefined, 5, 6);
new Acc(1).add(2);
closed(3);
none();
`;
  const app = join(project({ "app.cjs": source }), "app.cjs");
  const d = await debug(app);
  await d.setBreakpoints(app, [marker(app, "here")]);
  await d.run();
  const caller = async () => {
    await d.stop();
    const frame = (await d.frames())[1];
    const scopes = await d.scopes(frame?.id);
    const own = scopes.filter(({ name }) => name === "Arguments" || name === "Local" || name === "Block");
    const found: Record<string, Record<string, string>> = {};
    for (const { name, variablesReference } of own)
      found[name] = Object.fromEntries(
        (await d.variables(variablesReference)).map((one) => [one.name, one.value]),
      );
    return { scopes, found };
  };
  const { scopes, found } = await caller();
  expect(found).toEqual({ Arguments: { n: "1", list: "[2]" }, Local: { local: "2" } });
  expect(scopes.slice(0, 2)).toMatchObject([
    { name: "Arguments", presentationHint: "arguments" },
    { name: "Local", presentationHint: "locals" },
  ]);
  const set = (at: number, name: string, value: string) =>
    d.request("setVariable", { variablesReference: scopes[at]?.variablesReference, name, value });
  expect(await set(0, "n", "n + 10")).toMatchObject({ value: "11" });
  expect(await set(1, "local", "7")).toMatchObject({ value: "7" });
  await expect(set(1, "n", "1")).rejects.toThrow("no variable n in this scope");
  const [list] = (await d.variables(scopes[0]?.variablesReference ?? 0)).filter(
    ({ name }) => name === "list",
  );
  expect((await d.variables(list?.variablesReference ?? 0))[0]).toMatchObject({ name: "0", value: "2" });
  expect(await d.variables(scopes[0]?.variablesReference ?? 0)).toMatchObject([
    { value: "11" },
    { value: "[2]" },
  ]);

  const next = async () => {
    await d.request("continue");
    return (await caller()).found;
  };
  // With values of their own to compute, parameters have a scope apart from the body's.
  expect(await next()).toEqual({
    Arguments: { a: "1", c: "2", d: "2", rest: "[5, 6]" },
    Local: {},
    Block: { local: "1" },
  });
  expect(await next()).toEqual({ Arguments: { by: "2" }, Local: { this: "Acc {start: 1}", local: "2" } });
  const closed = await next();
  expect(closed.Arguments).toEqual({ p: "3", get: "ƒ get()" });
  expect({ ...closed.Local, ...closed.Block }).toEqual({ local: "3" });
  expect(await next()).toEqual({ Local: { local: "1" } });
});
