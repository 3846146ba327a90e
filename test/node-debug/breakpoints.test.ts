/** Line breakpoints: the truth about binding, conditions, counts, log messages. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { debug, marker, project } from "./debuggee.ts";

const LOOP = `// a comment
const seen = [];

function work(i) {
  const doubled = i * 2; // @work
  seen.push(doubled);
}

for (let i = 1; i <= 10; i++) work(i);
console.log(seen.length); // @end

// the end
`;

test("break, stack, variables, step, evaluate", async () => {
  const dir = project({
    "app.cjs": `class Acc {
  constructor() { this.total = 0; }
  add(n) {
    const before = this.total;
    this.total += n; // @add
    return before;
  }
}
const acc = new Acc();
for (const n of [1, 2]) acc.add(n);
console.log(acc.total); // @end
`,
  });
  const app = join(dir, "app.cjs");
  const d = await debug(app);
  expect(await d.setBreakpoints(app, [marker(app, "add")])).toMatchObject([
    { id: 1, verified: false, reason: "pending" },
  ]);
  await d.run();
  expect(await d.stop()).toMatchObject({ reason: "breakpoint", hitBreakpointIds: [1] });
  expect((await d.event("breakpoint")).breakpoint).toMatchObject({
    id: 1,
    verified: true,
    line: marker(app, "add"),
  });
  expect(await d.at()).toBe("add:5");
  expect((await d.frames()).slice(0, 2).map((f) => f.name)).toEqual(["add", "<module>"]);
  expect(await d.scope("Local")).toEqual({ this: "Acc {total: 0}", before: "0" });
  expect(await d.scope("Arguments")).toEqual({ n: "1" });
  expect(await d.move("next")).toBe("add:6");
  expect((await d.evaluate("this.total + 1")).result).toBe("2");
  await d.setBreakpoints(app, []);
  await d.request("continue");
  expect(await d.end()).toBe(0);
  expect(d.stdout).toBe("3\n");
  expect(d.events.filter((e) => e.event === "log")).toEqual([]);
});

for (const name of ["app.cjs", "app.mjs"]) {
  test(`${name}: lines without code, before the file is loaded and after`, async () => {
    const app = join(project({ [name]: LOOP }), name);
    const d = await debug(app);
    const early = await d.setBreakpoints(app, [3, 12, 999, marker(app, "work")]);
    expect(early).toMatchObject([
      {
        verified: false,
        reason: "pending",
        line: 3,
        message: "pending: not loaded yet; line 3 has no code; it will bind to the next line that has",
      },
      {
        verified: false,
        reason: "failed",
        message: expect.stringContaining("the nearest lines with code are"),
      },
      { verified: false, reason: "failed", message: expect.stringContaining("no code at or after line 999") },
      { verified: false, reason: "pending", line: 5, message: "pending: not loaded yet" },
    ]);
    await d.run();
    expect((await d.stop()).hitBreakpointIds).toEqual([1, 4]);
    const [unchanged, , , bound] = await d.setBreakpoints(app, [3, 12, 999, marker(app, "work")]);
    expect(unchanged).toMatchObject({
      id: 1,
      verified: true,
      line: 5,
      message: "line 3 has no code; bound to line 5",
    });
    expect(bound).toMatchObject({ id: 4, verified: true, line: 5 });
    const late = await d.setBreakpoints(app, [11, 7]);
    expect(late[0]).toMatchObject({
      verified: false,
      message: expect.stringMatching(/no code at or after line 11; the nearest .* 10/),
    });
    expect(late[1]).toMatchObject({ verified: true, line: 7 });
    await d.setBreakpoints(app, []);
    await d.request("continue");
    await d.end();
    expect(d.stdout).toBe("10\n");
  });
}

test("a missing file, a file that is never loaded, TypeScript that is not loaded yet", async () => {
  const dir = project({ "app.cjs": "console.log(1);\n", "other.ts": "// note\n\nconst x: number = 1;\n" });
  const d = await debug(join(dir, "app.cjs"));
  expect(await d.setBreakpoints(join(dir, "none.js"), [1])).toMatchObject([
    { verified: false, reason: "failed", message: `no such file: ${join(dir, "none.js")}` },
  ]);
  expect(await d.setBreakpoints(join(dir, "other.ts"), [1, 3, 9])).toMatchObject([
    {
      verified: false,
      reason: "pending",
      line: 1,
      message: expect.stringContaining("line 1 has no code"),
    },
    { verified: false, reason: "pending", line: 3 },
    {
      verified: false,
      reason: "failed",
      message: "no code at or after line 9; the nearest line with code is 3",
    },
  ]);
});

test("odd paths: spaces, # % ?, non-ASCII, symlinks, a query in an import", async () => {
  const dir = project({
    "odd dir/a#b %41 ü?.cjs": "let x = 1;\nx++; // @here\nmodule.exports = x;\n",
    "real/lib.mjs": "export let y = 1;\ny++; // @here\n",
    "app.mjs":
      'import "./odd dir/a%23b %2541 ü%3f.cjs";\nawait import("./link/lib.mjs");\nawait import("./link/lib.mjs?again=1");\n',
  });
  symlinkSync(join(dir, "real"), join(dir, "link"));
  const odd = join(dir, "odd dir/a#b %41 ü?.cjs");
  const linked = join(dir, "link/lib.mjs");
  const d = await debug(join(dir, "app.mjs"));
  await d.setBreakpoints(odd, [marker(odd, "here")]);
  await d.setBreakpoints(linked, [marker(linked, "here")]);
  await d.run();
  await d.stop();
  expect((await d.top()).source?.path).toBe(odd);
  for (const _ of ["plain", "with a query"]) {
    await d.request("continue");
    await d.stop();
    expect(await d.top()).toMatchObject({ line: 2, source: { path: join(dir, "real/lib.mjs") } });
  }
  await d.request("continue");
  expect(await d.end()).toBe(0);
});

test("a module loaded twice keeps its breakpoint in both", async () => {
  const dir = project({
    "lib.cjs": "globalThis.n = (globalThis.n ?? 0) + 1;\nglobalThis.n; // @here\n",
    "app.cjs":
      'require("./lib.cjs");\ndelete require.cache[require.resolve("./lib.cjs")];\nrequire("./lib.cjs");\n',
  });
  const lib = join(dir, "lib.cjs");
  const d = await debug(join(dir, "app.cjs"));
  await d.setBreakpoints(lib, [2]);
  await d.run();
  await d.stop();
  expect((await d.evaluate("n")).result).toBe("1");
  await d.request("continue");
  await d.stop();
  expect((await d.evaluate("n")).result).toBe("2");
});

test("conditions: checked when set, obeyed; one that throws stops and says so", async () => {
  const app = join(project({ "app.cjs": LOOP }), "app.cjs");
  const line = marker(app, "work");
  const d = await debug(app);
  expect(await d.setBreakpoints(app, [{ line, condition: "i ==" }])).toMatchObject([
    {
      verified: false,
      reason: "failed",
      refusedPart: "condition",
      message: "condition: SyntaxError: Unexpected end of input",
    },
  ]);
  expect(await d.setBreakpoints(app, [{ line, condition: "if (i) i" }])).toMatchObject([
    { verified: false, reason: "failed", message: "condition: not an expression" },
  ]);
  expect(await d.setBreakpoints(app, [{ line, hitCondition: "many" }])).toMatchObject([
    { verified: false, message: expect.stringContaining("hit condition") },
  ]);
  const [first, second] = await d.setBreakpoints(app, [
    { line, condition: "i === 4 // the fourth" },
    { line: line + 1, condition: "i > 4 && nosuch > 1" },
  ]);
  await d.run();
  expect(await d.stop()).toMatchObject({ reason: "breakpoint", hitBreakpointIds: [first?.id] });
  expect((await d.evaluate("i")).result).toBe("4");
  await d.request("continue");
  expect(await d.stop()).toMatchObject({ reason: "breakpoint", hitBreakpointIds: [second?.id] });
  expect((await d.evaluate("i")).result).toBe("5");
  const output = d.events.filter(({ event }) => event === "output").map(({ body }) => body);
  expect(output).toEqual([
    expect.objectContaining({
      category: "important",
      output: expect.stringMatching(
        /^breakpoint \d+ condition failed: ReferenceError: nosuch is not defined\n$/,
      ),
    }),
  ]);
});

test("hit conditions", async () => {
  for (const [hitCondition, expected] of [
    ["5", [5]],
    ["== 5", [5]],
    [">8", [9, 10]],
    [">=9", [9, 10]],
    ["<3", [1, 2]],
    ["%4", [4, 8]],
  ] as const) {
    const app = join(project({ "app.cjs": LOOP }), "app.cjs");
    const d = await debug(app);
    await d.setBreakpoints(app, [{ line: marker(app, "work"), hitCondition }]);
    await d.run();
    for (const i of expected) {
      await d.stop();
      expect((await d.evaluate("i")).result).toBe(String(i));
      await d.request("continue");
    }
    await d.end();
    expect(d.stops).toBe(expected.length);
  }
});

test("log messages go to us and not to the program's output; nothing is left to be seen in the program", async () => {
  const app = join(
    project({
      "app.cjs": `${LOOP}console.log(Object.keys(globalThis).filter((k) => /sonde/i.test(k)).length);\n`,
    }),
    "app.cjs",
  );
  const d = await debug(app);
  const line = marker(app, "work");
  await d.setBreakpoints(app, [
    { line, condition: "i < 3", logMessage: "i={i} obj={({a: i, s: `x`})} bad={nope} s={'raw'} \\{literal}" },
  ]);
  await d.run();
  await d.end();
  const output = d.events.filter(({ event }) => event === "output").map(({ body }) => body);
  expect(output.map((body) => body.output)).toEqual([
    'i=1 obj={a: 1, s: "x"} bad=<error: ReferenceError: nope is not defined> s=raw {literal}\n',
    'i=2 obj={a: 2, s: "x"} bad=<error: ReferenceError: nope is not defined> s=raw {literal}\n',
  ]);
  expect(output[0]).toMatchObject({ category: "console", source: { path: app }, line });
  expect(d.stops).toBe(0);
  expect(d.stdout).toBe("10\n0\n");
});

test("set while running: hit; columns inside a line", async () => {
  const app = join(
    project({
      "app.cjs":
        "let n = 0;\nsetInterval(() => { n++; f(n); }, 5);\nfunction f(x) {\n  return x + 1; // @f\n}\nconsole.log(1);\n",
    }),
    "app.cjs",
  );
  const d = await debug(app);
  await d.run();
  await d.printed("1\n");
  const [bp] = await d.setBreakpoints(app, [{ line: 2, column: 26 }]);
  expect(bp).toMatchObject({ verified: true, line: 2, column: 26 });
  await d.stop();
  expect(await d.top()).toMatchObject({ line: 2, column: 26 });
  await expect(d.request("pause")).rejects.toThrow("already stopped");
});

test("a stop and a log message share a line", async () => {
  for (const name of ["app.cjs", "app.mjs"]) {
    const app = join(project({ [name]: LOOP }), name);
    const line = marker(app, "work");
    const d = await debug(app);
    await d.setBreakpoints(app, [
      { line, logMessage: "i={i}" },
      { line, condition: "i === 2" },
      { line, condition: "i === 3" },
    ]);
    await d.run();
    expect(await d.stop()).toMatchObject({ hitBreakpointIds: [2] });
    await d.request("continue");
    expect(await d.stop()).toMatchObject({ hitBreakpointIds: [3] });
    expect(d.events.filter(({ event }) => event === "output").length).toBe(3);
  }
});

test("stop on entry: first statement of the file's own body", async () => {
  for (const [name, first] of [
    ["app.cjs", "#!/usr/bin/env node"],
    ["app.mjs", "#!/usr/bin/env node"],
    ["app.cjs", "function g() { return f(); }"],
    ["app.mjs", "function g() { return f(); }"],
  ] as const) {
    const app = join(
      project({
        [name]: `${first}\nfunction f() {\n  return 1;\n}\nlet a = f();\nconsole.log(a);\n`,
      }),
      name,
    );
    const d = await debug(app, { stopOnEntry: true });
    await d.run();
    expect(await d.stop()).toMatchObject({ reason: "entry" });
    expect(await d.at()).toBe("<module>:5");
    await d.request("continue");
    expect(await d.end()).toBe(0);
    expect(d.stops).toBe(1);
  }
});
