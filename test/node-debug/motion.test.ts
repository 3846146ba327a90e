/** Steps, pauses, async stacks, restarts, leaving. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Debuggee, debug, marker, project } from "./debuggee.ts";

async function start(
  files: Record<string, string>,
  main: string,
  marks: string[],
): Promise<{ d: Debuggee; app: string; dir: string }> {
  const dir = project(files);
  const app = join(dir, main);
  const d = await debug(app);
  await d.setBreakpoints(
    app,
    marks.map((mark) => marker(app, mark)),
  );
  await d.run();
  await d.stop();
  return { d, app, dir };
}

test("into, over, out, to the end; Node's own code is never shown by a step", async () => {
  const { d } = await start(
    {
      "app.cjs": `function inner(x) {
  return x + 1;
}
function outer(x) {
  const a = inner(x); // @here
  return [3, 1].sort((p, q) => p - q).concat(a);
}
require("fs").existsSync("/");
console.log(outer(1));
`,
    },
    "app.cjs",
    ["here"],
  );
  expect(await d.move("stepIn")).toBe("inner:2");
  // Once more on the same line: V8 stops where a function returns, with the value in hand.
  expect(await d.move("next")).toBe("inner:2");
  expect((await d.scopes())[0]).toMatchObject({ name: "Return value", presentationHint: "returnValue" });
  expect(await d.scope("Return value")).toEqual({ "return value": "2" });
  expect(await d.move("stepOut")).toBe("outer:6");
  expect(await d.move("stepIn")).toBe("(anonymous):6");
  expect(await d.move("stepOut")).toMatch(/outer:6/);
  expect(await d.move("stepOut")).toBe("<module>:9");
  await d.request("next");
  expect(await d.end()).toBe(0);
  expect(d.events.filter(({ event }) => event === "continued")).toEqual([]);
});

test("a step over and into `require` and `import` of files that are held on the way", async () => {
  const files = {
    "a.cjs": 'require("./b.cjs");\nexports.a = 1; // @inA\n//# sourceMappingURL=none.map\n',
    "b.cjs": "exports.b = 1;\n//# sourceMappingURL=none.map\n",
    "never.ts": "let x = 1;\n",
    "app.cjs":
      'const first = 1; // @here\nrequire("./a.cjs");\nconst after = 2;\nconst { b } = require("./b.cjs");\nconsole.log(after, b);\n',
  };
  for (const into of [false, true]) {
    const dir = project(files);
    const app = join(dir, "app.cjs");
    const d = await debug(app);
    await d.setBreakpoints(app, [1]);
    // Something that is not loaded makes scripts with maps be held.
    await d.setBreakpoints(join(dir, "never.ts"), [1]);
    await d.run();
    await d.stop();
    expect(await d.move("next")).toBe("<module>:2");
    if (into) {
      // Node's loader lies between: stepping into what is being loaded comes out behind it.
      expect(await d.move("stepIn")).toBe("<module>:3");
    } else {
      expect(await d.move("next")).toBe("<module>:3");
      expect(await d.move("next")).toBe("<module>:4");
    }
  }
});

test("a step over `await import` of a held module", async () => {
  const { d } = await start(
    {
      "m.mjs":
        "export const m = 1;\n//# sourceMappingURL=data:application/json,%7B%22version%22%3A3%2C%22sources%22%3A%5B%22m.ts%22%5D%2C%22names%22%3A%5B%5D%2C%22mappings%22%3A%22AAAA%22%7D\n",
      "app.mjs": 'let x = 1; // @here\nconst { m } = await import("./m.mjs");\nx += m;\nconsole.log(x);\n',
    },
    "app.mjs",
    ["here"],
  );
  await d.setBreakpoints(join(project({ "never.ts": "let x = 1;\n" }), "never.ts"), [1]);
  expect(await d.move("next")).toBe("<module>:2");
  expect(await d.move("next")).toBe("<module>:3");
});

test("a step out of `finally` behind a `return`, which V8 loses", async () => {
  const { d } = await start(
    {
      "app.cjs": `function f() {
  try {
    return 1;
  } finally {
    console.log("x"); // @here
  }
}
const r = f();
console.log(r);
`,
    },
    "app.cjs",
    ["here"],
  );
  expect(await d.move("next")).toMatch(/^(f:[67]|<module>:[89])$/);
});

test("async: over an await in the same function, the stack behind it, into a callback", async () => {
  const { d, app } = await start(
    {
      "app.cjs": `async function leaf() {
  const a = 1; // @here
  await null;
  return a + 1; // @after
}
async function main() {
  const r = await leaf();
  setTimeout(() => {
    console.log(r); // @timer
  }, 1);
}
main();
`,
    },
    "app.cjs",
    ["here", "timer"],
  );
  expect(await d.move("next")).toBe("leaf:3");
  expect(await d.move("next")).toBe(`leaf:${marker(app, "after")}`);
  const frames = await d.frames();
  expect(frames.find(({ presentationHint }) => presentationHint === "label")).toMatchObject({
    name: "await",
  });
  const past = frames.find(({ name }) => name === "main");
  expect(past).toMatchObject({ line: 7, source: { path: app } });
  expect(await d.request("scopes", { frameId: past?.id })).toEqual({ scopes: [] });
  await expect(d.request("evaluate", { expression: "r", frameId: past?.id })).rejects.toThrow(
    "before an await",
  );
  await d.request("continue");
  await d.stop();
  expect((await d.frames()).map(({ name }) => name)).toContain("Timeout");
});

test("frames of Node and of libraries are told apart from the user's", async () => {
  const { d, dir } = await start(
    {
      "node_modules/lib/index.js": "module.exports = (f) => f();\n",
      "app.cjs": 'require("lib")(() => {\n  debugger; // @here\n});\n',
    },
    "app.cjs",
    ["here"],
  );
  const frames = await d.frames();
  const lib = frames.find(({ source }) => source?.path === join(dir, "node_modules/lib/index.js"));
  expect(lib).toMatchObject({
    presentationHint: "subtle",
    source: { origin: "library", presentationHint: "deemphasize" },
  });
  const internal = frames.find(({ source }) => source?.name?.startsWith("node:internal"));
  expect(internal).toMatchObject({
    presentationHint: "subtle",
    source: {
      origin: "node internals",
      presentationHint: "deemphasize",
      sourceReference: expect.any(Number),
    },
  });
  const { content } = await d.request<{ content: string }>("source", {
    source: internal?.source,
    sourceReference: internal?.source?.sourceReference,
  });
  expect(content).toContain("Module");
  const { sources } = await d.request<{ sources: { path: string }[] }>("loadedSources");
  expect(sources.map(({ path }) => path).slice(0, 2)).toEqual(expect.arrayContaining([join(dir, "app.cjs")]));
  const page = await d.request<{ stackFrames: object[]; totalFrames: number }>("stackTrace", {
    startFrame: 1,
    levels: 1,
  });
  expect(page.stackFrames.length).toBe(1);
  expect(page.totalFrames).toBe(frames.length);
});

test("debugger statement; pause of a busy program and of one that only waits", async () => {
  const dir = project({
    "busy.cjs": "let n = 0;\nsetTimeout(() => {\n  for (;;) n++;\n}, 1);\nconsole.log(1);\n",
    "idle.cjs": "setTimeout(() => {}, 60000);\nconsole.log(1);\n",
  });
  const busy = await debug(join(dir, "busy.cjs"));
  await busy.run();
  await busy.printed("1\n");
  await busy.request("pause");
  expect(await busy.stop()).toMatchObject({ reason: "pause" });
  expect((await busy.top()).line).toBe(3);
  await busy.request("continue");
  await busy.request("pause");
  expect(await busy.stop()).toMatchObject({ reason: "pause" });

  const idle = await debug(join(dir, "idle.cjs"));
  await idle.run();
  await idle.printed("1\n");
  await idle.request("pause");
  expect(await idle.stop()).toMatchObject({
    reason: "pause",
    description: "idle: waiting for timers, I/O or messages",
  });
  expect(await idle.request("stackTrace", { threadId: 1 })).toEqual({ stackFrames: [], totalFrames: 0 });
  expect(
    (await idle.request<{ result: string }>("evaluate", { expression: "process.pid > 0", context: "repl" }))
      .result,
  ).toBe("true");
  await idle.request("continue");
  await expect(idle.request("next")).rejects.toThrow("the program is running");
});

test("pausing between timers shows no frames of Node's; every way of moving on works from there", async () => {
  const dir = project({
    "tick.cjs":
      "let n = 0;\nsetInterval(() => {\n  n++; // @tick\n}, 400);\nsetInterval(() => {}, 20);\nconsole.log(1);\n",
  });
  const app = join(dir, "tick.cjs");
  const d = await debug(app);
  await d.run();
  await d.printed("1\n");
  for (const command of ["next", "stepIn", "stepOut", "continue"]) {
    await d.request("pause");
    await d.stop();
    const { stackFrames } = await d.request<{ stackFrames: { source?: { path?: string } }[] }>("stackTrace");
    expect(stackFrames.length === 0 || stackFrames[0]?.source?.path === app).toBe(true);
    await d.setBreakpoints(app, [marker(app, "tick")]);
    await d.request(command);
    await d.stop();
    expect((await d.top()).source?.path).toBe(app);
    await d.setBreakpoints(app, []);
    await d.request("continue");
  }
});

test("a frame is restarted with the values it has now", async () => {
  const { d } = await start(
    { "app.cjs": "function f(n) {\n  n = n * 2;\n  return n; // @here\n}\nconsole.log(f(5));\n" },
    "app.cjs",
    ["here"],
  );
  await d.setBreakpoints((await d.top()).source?.path ?? "", []);
  await d.request("restartFrame", { frameId: (await d.top()).id });
  expect(await d.stop()).toMatchObject({ reason: "restart" });
  expect(await d.at()).toBe("f:2");
});

test("step into one call of several", async () => {
  const { d } = await start(
    {
      "app.cjs":
        "const a = (x) => {\n  return x + 1;\n};\nconst b = (x) => {\n  return x * 2;\n};\nfunction f() {\n  return b(a(3)) + a(4); // @here\n}\nf();\n",
    },
    "app.cjs",
    ["here"],
  );
  const { targets } = await d.request<{ targets: { id: number; label: string }[] }>("stepInTargets", {
    frameId: (await d.top()).id,
  });
  expect(targets.map(({ label }) => label)).toEqual(["b", "a", "a"]);
  await d.request("stepIn", { targetId: targets[0]?.id });
  await d.stop();
  expect(await d.at()).toBe("b:5");
});

test("live edit: changed code runs; a function on the stack is refused in words", async () => {
  const { d, app } = await start(
    {
      "app.cjs":
        'function greet() {\n  return "old";\n}\nfunction go() {\n  console.log(greet()); // @here\n}\ngo();\ngo();\n',
    },
    "app.cjs",
    ["here"],
  );
  const text =
    'function greet() {\n  return "new";\n}\nfunction go() {\n  console.log(greet()); // @here\n}\ngo();\ngo();\n';
  expect(await d.request("sonde/setSource", { path: app })).toEqual({
    status: "unchanged: the program already runs this text",
    changed: false,
  });
  expect(await d.request("sonde/setSource", { path: app, source: text, dryRun: true })).toEqual({
    status: "replaced",
    changed: false,
  });
  expect(
    await d.request("sonde/setSource", { path: app, source: text.replace("console.log", "console.error") }),
  ).toMatchObject({
    changed: false,
    status: expect.stringMatching(/^refused: a changed function is on the stack/),
  });
  expect(await d.request("sonde/setSource", { path: app, source: "function (" })).toMatchObject({
    changed: false,
    status: expect.stringMatching(/does not compile.*SyntaxError/),
  });
  writeFileSync(app, text);
  expect(await d.request("sonde/setSource", { path: app })).toEqual({ status: "replaced", changed: true });
  await d.setBreakpoints(app, []);
  await d.request("continue");
  await d.end();
  expect(d.stdout).toBe("new\nnew\n");
});

test("breakpointLocations: columns of a line", async () => {
  const { d, app } = await start({ "app.cjs": "const f = (x) => x;\nf(f(1)); f(2); // @here\n" }, "app.cjs", [
    "here",
  ]);
  const { breakpoints } = await d.request<{ breakpoints: { line: number; column: number }[] }>(
    "breakpointLocations",
    { source: { path: app }, line: 2 },
  );
  expect(breakpoints.map(({ column }) => column)).toEqual(expect.arrayContaining([1, 3, 10]));
});

test("leaving: the program goes on as if it had never been debugged", async () => {
  const { d, app } = await start(
    {
      "app.cjs":
        "for (let i = 0; i < 3; i++) {\n  console.log(i); // @here\n}\nconsole.log(typeof __sonde);\n",
    },
    "app.cjs",
    ["here"],
  );
  await d.setBreakpoints(app, [{ line: 2, condition: "true" }]);
  await d.debugger.dispose();
  expect(await Promise.race([d.cdp.closed, new Promise((r) => setTimeout(r, 500))])).toBeUndefined();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(d.stdout).toBe("0\n1\n2\nundefined\n");
});

test("leaving: nothing of ours is there when the program runs on", async () => {
  const { d, app } = await start(
    { "app.cjs": "let left; // @here\nleft = typeof __sonde;\nconsole.log(left);\n" },
    "app.cjs",
    ["here"],
  );
  await d.setBreakpoints(app, [{ line: 3, condition: "true" }]);
  await d.debugger.dispose();
  await d.printed("\n");
  expect(d.stdout).toBe("undefined\n");
});
