/** Targets of other kinds: workers, programs already running, contexts of `vm`, other Nodes. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { connectInspector } from "../../src/adapters/node/process/connection.ts";
import { workerSession } from "../../src/adapters/node/process/worker-session.ts";
import { nodes } from "../support/nodes.ts";
import { Dap, debug, marker, project } from "./debuggee.ts";

const ESBUILD = join(import.meta.dirname, "../../node_modules/esbuild");

test("a worker: its own first pause is swallowed, breakpoints in it stop", async () => {
  const dir = project({
    "work.mjs":
      'import { parentPort } from "node:worker_threads";\nconst answer = 6 * 7;\nparentPort.postMessage(answer); // @here\n',
    "app.mjs":
      'import { Worker } from "node:worker_threads";\nnew Worker(new URL("./work.mjs", import.meta.url)).on("message", (m) => console.log("got", m));\n',
  });
  const work = join(dir, "work.mjs");
  const main = await debug(join(dir, "app.mjs"));
  const worker = new Promise<Dap>((resolve) => {
    main.cdp.onRaw("NodeWorker.attachedToWorker", (params) => {
      const { sessionId } = params as { sessionId: string };
      const cdp = workerSession(main.cdp, sessionId, () => {});
      resolve(
        new Dap({ kind: "worker", title: "worker 1", pid: 0, waiting: true, cdp }, { stopOnEntry: false }),
      );
    });
  });
  await main.cdp.sendRaw("NodeWorker.enable", { waitForDebuggerOnStart: true });
  await main.run();
  const d = await worker;
  await d.debugger.enable();
  await d.setBreakpoints(work, [{ line: marker(work, "here"), condition: "answer === 42" }]);
  await d.debugger.run();
  expect(await d.stop()).toMatchObject({ reason: "breakpoint" });
  expect(await d.scope("Module")).toMatchObject({ answer: "42" });
  expect(await d.request("threads")).toEqual({ threads: [{ id: 1, name: "worker 1" }] });
  await d.request("continue");
  await main.printed("got 42\n");
});

test("a program that is already running: loaded files bind at once, exceptions and functions too", async () => {
  const dir = project({
    "app.cjs": "let n = 0;\nfunction tick() {\n  n++; // @here\n}\nsetInterval(tick, 5);\n",
  });
  const app = join(dir, "app.cjs");
  const child = spawn(process.execPath, ["--inspect=127.0.0.1:0", app], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const url = await new Promise<string>((resolve) =>
    child.stderr.on("data", (data: Buffer) => {
      const found = /ws:\/\/\S+/.exec(data.toString())?.[0];
      if (found !== undefined) resolve(found);
    }),
  );
  const connection = await connectInspector(url, () => {});
  onTestFinished(() => {
    connection.close();
    child.kill("SIGKILL");
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  const d = new Dap(
    { kind: "process", title: "app.cjs", pid: child.pid ?? 0, waiting: false, cdp: connection.cdp },
    { stopOnEntry: false },
  );
  await d.debugger.enable();
  await d.debugger.run();
  expect(await d.setBreakpoints(app, [marker(app, "here"), 900])).toMatchObject([
    { verified: true, line: 3 },
    { verified: false, message: expect.stringContaining("no code") },
  ]);
  await d.stop();
  await d.setBreakpoints(app, []);
  const { breakpoints } = await d.request<{ breakpoints: object[] }>("setFunctionBreakpoints", {
    breakpoints: [{ name: "tick" }],
  });
  expect(breakpoints).toMatchObject([{ verified: true, line: 3 }]);
  await d.request("continue");
  expect(await d.stop()).toMatchObject({ reason: "function breakpoint" });
  await d.debugger.dispose();
  expect(child.exitCode).toBeNull();
});

test("code in a context of `vm`, as test runners use: values, conditions and log messages work", async () => {
  const dir = project({
    "inside.js": "const list = [1, { a: new Map([[1, 2]]) }];\nlist.length; // @here\n",
    "app.cjs":
      'const vm = require("vm"), fs = require("fs");\nconst file = require("path").join(__dirname, "inside.js");\nconst context = vm.createContext({});\nvm.runInContext(fs.readFileSync(file, "utf8"), context, { filename: file });\n',
  });
  const inside = join(dir, "inside.js");
  const d = await debug(join(dir, "app.cjs"));
  await d.setBreakpoints(inside, [
    { line: marker(inside, "here"), condition: "list.length === 2" },
    { line: 1, logMessage: "first {1 + 1}" },
  ]);
  await d.run();
  await d.stop();
  expect((await d.evaluate("list")).result).toBe("[1, {a: Map(1) {1 → 2}}]");
  expect(d.events.find(({ event }) => event === "output")?.body).toMatchObject({ output: "first 2\n" });
});

test("a file run as a script, whose last statement is its value: V8 has the breakpoint on its line from the first", async () => {
  const dir = project({
    "inside.js": "const list = [1, 2];\nlist.length; // @here\n",
    "app.cjs":
      'const file = require("path").join(__dirname, "inside.js");\nrequire("vm").runInThisContext(require("fs").readFileSync(file, "utf8"), { filename: file });\n',
  });
  const inside = join(dir, "inside.js");
  const line = marker(inside, "here");
  const d = await debug(join(dir, "app.cjs"));
  const taken: number[] = [];
  d.cdp.on("Debugger.breakpointResolved", ({ location }) => taken.push(location.lineNumber + 1));
  await d.setBreakpoints(inside, [line]);
  await d.run();
  expect(await d.stop()).toMatchObject({ reason: "breakpoint", hitBreakpointIds: [1] });
  expect(await d.top()).toMatchObject({ line, source: { path: inside } });
  // One that is moved once the script is there may come too late.
  expect(taken).toEqual([line]);
});

test("uncaught throws in ES modules stop where they are thrown, caught ones do not", async () => {
  const cases: [string, string][] = [
    [
      'function f() {\n  try { throw new Error("fine") } catch {}\n  throw new Error("boom"); // @here\n}\nf();\n',
      "exception",
    ],
    [
      'async function f() {\n  await null;\n  throw new Error("boom"); // @here\n}\nawait f();\n',
      "exception",
    ],
    [
      'import fs from "node:fs";\ntry { fs.readFileSync("/no/such") } catch {}\nthrow new Error("boom"); // @here\n',
      "exception",
    ],
    ['setTimeout(() => {\n  throw new Error("boom"); // @here\n}, 1);\n', "exception"],
  ];
  for (const [source, reason] of cases) {
    const app = join(project({ "app.mjs": source }), "app.mjs");
    const d = await debug(app);
    await d.request("setExceptionBreakpoints", { filters: ["uncaught"] });
    await d.run();
    expect(await d.stop()).toMatchObject({ reason, text: "Error: boom" });
    expect(await d.top()).toMatchObject({ line: marker(app, "here"), source: { path: app } });
    expect(await d.request("exceptionInfo")).toMatchObject({ breakMode: "unhandled" });
    await d.request("continue");
    expect(await d.end()).toBe(1);
    expect(d.stops).toBe(1);
  }
  const app = join(
    project({
      "app.mjs":
        'async function f() {\n  await null;\n  throw new Error("x");\n}\ntry { await f() } catch { console.log("ok") }\n',
    }),
    "app.mjs",
  );
  const calm = await debug(app);
  await calm.request("setExceptionBreakpoints", { filters: ["uncaught"] });
  await calm.run();
  expect(await calm.end()).toBe(0);
  expect(calm.stops).toBe(0);
});

test("a loader that compiles as it loads, as ts-node does", async () => {
  const dir = project({
    "package.json": '{"type":"commonjs"}',
    "register.cjs": `const { transformSync } = require(${JSON.stringify(ESBUILD)});
require.extensions[".ts"] = (module, file) => {
  const source = require("fs").readFileSync(file, "utf8");
  module._compile(transformSync(source, { loader: "ts", format: "cjs", sourcemap: "inline", sourcefile: file }).code, file);
};
`,
    "app.ts":
      "interface A { n: number }\n\nfunction twice(a: A): number {\n  const r = a.n * 2;\n  return r; // @here\n}\nconsole.log(twice({ n: 4 }));\n",
  });
  const app = join(dir, "app.ts");
  const d = await debug(app, { nodeArgs: ["--require", join(dir, "register.cjs")] });
  await d.setBreakpoints(app, [marker(app, "here")]);
  await d.run();
  await d.stop();
  expect(await d.top()).toMatchObject({ name: "twice", line: marker(app, "here"), source: { path: app } });
  expect(await d.scope("Local")).toMatchObject({ r: "8" });
});

const newer = nodes
  .map(({ version, path }) => ({ version: version.slice(1).split(".")[0] ?? "", node: path }))
  .filter(({ version }) => Number(version) >= 22);

for (const { version, node } of newer) {
  test(`Node ${version}: modules, CommonJS, types stripped, values, steps, live edit`, async () => {
    const dir = project({
      "package.json": '{"type":"module"}',
      "lib.cjs":
        "exports.total = function total(list) {\n  let sum = 0; // @total\n  for (const n of list) sum += n;\n  return sum;\n};\n",
      "app.ts":
        'import lib from "./lib.cjs";\ninterface A { n: number }\nfunction go(a: A): number {\n  const text = "x".repeat(3000);\n  return lib.total([a.n, text.length]); // @here\n}\nconsole.log(go({ n: 1 }));\nthrow new Error("last"); // @last\n',
      "main.mjs": 'import "./app.ts";\n',
    });
    const app = join(dir, "app.ts");
    const lib = join(dir, "lib.cjs");
    const d = await debug(join(dir, "main.mjs"), {
      node,
      nodeArgs: version === "22" ? ["--experimental-strip-types"] : [],
    });
    await d.setBreakpoints(app, [{ line: marker(app, "here"), condition: "a.n === 1", hitCondition: "1" }]);
    await d.request("setExceptionBreakpoints", { filters: ["uncaught"] });
    await d.request("setFunctionBreakpoints", { breakpoints: [{ name: "total" }] });
    await d.run();
    expect(await d.stop()).toMatchObject({ reason: "breakpoint" });
    expect(await d.top()).toMatchObject({ name: "go", line: marker(app, "here"), source: { path: app } });
    expect(await d.scope("Arguments")).toEqual({ a: "{n: 1}" });
    expect(await d.scope("Local")).toMatchObject({
      text: expect.stringContaining("(3000 chars)"),
    });
    await d.request("continue");
    expect(await d.stop()).toMatchObject({ reason: "function breakpoint" });
    expect(await d.at()).toBe("total:2");
    expect(await d.move("next")).toBe("total:3");
    const edit = d.request("sonde/setSource", { path: lib, source: "exports.total = () => 1;\n" });
    if (version === "26") await expect(edit).rejects.toThrow(/^live edit is not available/);
    else await edit;
    expect(await d.move("stepOut")).toMatch(/^(go:5|<module>:7)$/);
    await d.request("continue");
    expect(await d.stop()).toMatchObject({ reason: "exception", text: "Error: last" });
    expect((await d.top()).line).toBe(marker(app, "last"));
    await d.request("continue");
    expect(await d.end()).toBe(1);
  });
  test(`Node ${version}: tsx`, async () => {
    const dir = project({
      "package.json": '{"type":"module"}',
      "app.ts":
        "interface A { n: number }\n\nfunction go(a: A): number {\n  const r = a.n;\n  return r; // @here\n}\ngo({ n: 1 });\n",
    });
    const app = join(dir, "app.ts");
    const tsx = pathToFileURL(join(import.meta.dirname, "../../node_modules/tsx/dist/loader.mjs")).href;
    const d = await debug(app, { node, nodeArgs: ["--import", tsx] });
    await d.setBreakpoints(app, [marker(app, "here")]);
    await d.run();
    await d.stop();
    expect(await d.top()).toMatchObject({ name: "go", line: marker(app, "here"), source: { path: app } });
  });
}
