/** Where line breakpoints go, in files that are loaded and in files that are not. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Debuggee, debug, project } from "./debuggee.ts";

const FUNCTION = `function k(n) {
  const r = n * 3;
  return r;

}
`;

const CALLBACKS = `const handlers = [];

function first(x) {
  return x + 1;

}

handlers.push(first);
handlers[0](1);
`;

const COLUMNS = "for (let i = 0; i < 2; i++) globalThis.n = i;\nconsole.log(globalThis.n);\n";

/** Every line this breakpoint was ever said to stand on. */
function linesTold(d: Debuggee, id: number | undefined): unknown[] {
  const told = d.events
    .filter(({ event }) => event === "breakpoint")
    .map(({ body }) => body.breakpoint as { id: number; line: number });
  return told.filter((one) => one.id === id).map(({ line }) => line);
}

for (const [lib, text, app] of [
  ["lib.mjs", `export ${FUNCTION}`, 'import { k } from "./lib.mjs";\nconsole.log(k(2));\n'],
  ["lib.mjs", `export default ${FUNCTION}`, 'import k from "./lib.mjs";\nconsole.log(k(2));\n'],
  ["lib.mjs", `${FUNCTION}export { k };`, 'import { k } from "./lib.mjs";\nconsole.log(k(2));\n'],
  ["lib.cjs", `exports.k = k;\n${FUNCTION}`, 'import { k } from "./lib.cjs";\nconsole.log(k(2));\n'],
  ["lib.cjs", `exports.k = ${FUNCTION}`, 'import { k } from "./lib.cjs";\nconsole.log(k(2));\n'],
] as const) {
  test(`a file of nothing but functions: ${JSON.stringify(text.slice(0, 24))}`, async () => {
    const dir = project({ [lib]: text, "app.mjs": app });
    const line = text.split("\n").findIndex((one) => one.includes("const r")) + 1;
    const d = await debug(join(dir, "app.mjs"));
    expect(await d.setBreakpoints(join(dir, lib), [line])).toMatchObject([
      { verified: false, reason: "pending", line, message: "pending: not loaded yet" },
    ]);
    await d.run();
    expect(await d.stop()).toMatchObject({ reason: "breakpoint", hitBreakpointIds: [1] });
    expect(await d.at()).toBe(`k:${line}`);
    expect(linesTold(d, 1)).toEqual([line]);
  });
}

test("a function nothing refers to, alone in its file: never failed before V8 has the file", async () => {
  const dir = project({ "lib.cjs": FUNCTION, "app.cjs": 'require("./lib.cjs");\n' });
  const d = await debug(join(dir, "app.cjs"));
  expect(await d.setBreakpoints(join(dir, "lib.cjs"), [2, 5, 6])).toMatchObject([
    { verified: false, reason: "pending", line: 2 },
    { verified: false, reason: "pending", line: 5 },
    { verified: false, reason: "failed", message: expect.stringContaining("no code at or after line 6") },
  ]);
});

for (const name of ["app.cjs", "app.mjs"]) {
  test(`${name}: behind a function's last statement: the next line with code, and no other line is ever told`, async () => {
    const app = join(project({ [name]: CALLBACKS }), name);
    const d = await debug(app);
    expect(await d.setBreakpoints(app, [5, 6])).toMatchObject([
      { verified: false, line: 5 },
      { verified: false, line: 6 },
    ]);
    await d.run();
    expect(await d.stop()).toMatchObject({ hitBreakpointIds: [1, 2] });
    expect(await d.at()).toBe("<module>:8");
    expect(linesTold(d, 1)).toEqual([8]);
    const late = await d.setBreakpoints(app, [{ line: 5, condition: "true" }]);
    expect(late).toMatchObject([{ verified: true, line: 8, message: "line 5 has no code; bound to line 8" }]);
  });
}

test("nothing after it: V8's own choice, the function's last statement", async () => {
  const dir = project({
    "lib.mjs": `export ${FUNCTION}`,
    "app.mjs": 'import { k } from "./lib.mjs";\nk(1);\n',
  });
  const d = await debug(join(dir, "app.mjs"));
  await d.setBreakpoints(join(dir, "lib.mjs"), [5]);
  await d.run();
  await d.stop();
  expect(await d.at()).toBe("k:3");
});

test("a column: the nearest place on its line, before the file is loaded and after", async () => {
  const app = join(project({ "app.cjs": COLUMNS }), "app.cjs");
  const asked = [
    { line: 1, column: 40 },
    { line: 1, column: 25 },
  ];
  const d = await debug(app);
  await d.setBreakpoints(app, [...asked, 2]);
  await d.run();
  await d.stop();
  const early = (await d.setBreakpoints(app, [...asked, 2])).slice(0, 2);
  expect(early.map(({ line }) => line)).toEqual([1, 1]);
  const late = await d.setBreakpoints(
    app,
    asked.map((one) => ({ ...one, condition: "true" })),
  );
  const spot = ({ line, column, message }: { line?: number; column?: number; message?: string }) => [
    line,
    column,
    message,
  ];
  expect(late.map(spot)).toEqual(early.map(spot));
  expect(late.map(({ message }) => message)).toEqual([undefined, undefined]);
});

test("a file is compiled once for all its breakpoints", async () => {
  const text = Array.from({ length: 300 }, (_, at) => `globalThis.n = ${at};`).join("\n");
  const app = join(project({ "app.cjs": text }), "app.cjs");
  const d = await debug(app);
  let compiled = 0;
  d.cdp.on("Debugger.scriptParsed", ({ url }) => {
    if (url.startsWith("sonde-check:")) compiled++;
  });
  const lines = Array.from({ length: 300 }, (_, at) => at + 1);
  await d.setBreakpoints(app, lines.slice(0, 299));
  const all = await d.setBreakpoints(app, lines);
  expect(all.every(({ reason, line }, at) => reason === "pending" && line === at + 1)).toBe(true);
  expect(compiled).toBe(1);
});

for (const name of ["app.cjs", "app.mjs"]) {
  test(`${name}: a function on one line, before the file is loaded and after`, async () => {
    const app = join(
      project({
        [name]: "function one(a) { return a; }\n\nfunction two(a) { return a; }\none(1);\ntwo(2);\n",
      }),
      name,
    );
    const d = await debug(app);
    await d.setBreakpoints(app, [1]);
    await d.run();
    await d.stop();
    expect(await d.at()).toBe("one:1");
    const late = await d.setBreakpoints(app, [2, 3]);
    expect(late.map(({ line }) => line)).toEqual([3, 3]);
    expect(await d.move("continue")).toBe("two:3");
  });
}
