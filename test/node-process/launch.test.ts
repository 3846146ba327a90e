import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { cleanUp, isRunning, marker, owned, project, TestSession } from "./session.ts";

afterEach(cleanUp);

const env = { ...process.env };
const launch = (cwd: string, rest: object) => ({ cwd, env, replaceEnv: true, ...rest });

test("stops at a breakpoint, goes on, and ends with the program's exit code", async () => {
  const cwd = project({
    "app.js": "const x = 41;\nconsole.log(x + 1); // @stop\nconsole.error('öops');\nprocess.exitCode = 7;\n",
  });
  const program = join(cwd, "app.js");
  const session = await TestSession.open();
  await session.start("launch", launch(cwd, { program }), { [program]: [marker(program, "stop")] });
  await session.until("stopped");
  const { systemProcessId } = await session.until("process");
  expect([...owned.keys()]).toEqual([systemProcessId]);
  expect(await session.frame()).toMatchObject({ line: 2, source: { path: program } });
  expect(await session.evaluate("x")).toBe("41");
  await session.client.request("continue", { threadId: 1 });
  await session.until("terminated");
  expect(await session.until("exited")).toEqual({ exitCode: 7 });
  expect(session.output("stdout")).toBe("42\n");
  expect(session.output("stderr")).toBe("öops\n");
  expect(owned.size).toBe(0);
});

test.each([
  ["process.exit(3)", 3, ""],
  ["throw new Error('gone')", 1, "Error: gone"],
  ["let = ;", 1, "SyntaxError"],
  ["require('./missing')", 1, "Cannot find module './missing'"],
])("%s is the program's own end", async (code, exitCode, stderr) => {
  const cwd = project({ "app.js": code });
  const session = await TestSession.open();
  await session.start("launch", launch(cwd, { program: "app.js" }));
  await session.until("terminated");
  expect(await session.until("exited")).toEqual({ exitCode });
  expect(session.output("stderr")).toContain(stderr);
  expect(session.output("stderr")).not.toContain("ebugger");
});

test("death by a signal is noticed at once", async () => {
  const cwd = project({ "app.js": "setInterval(() => {}, 1000); console.log('up')" });
  const session = await TestSession.open();
  await session.start("launch", launch(cwd, { program: "app.js" }));
  await session.until("output");
  const { systemProcessId } = await session.until("process");
  const killed = performance.now();
  process.kill(systemProcessId as number, "SIGKILL");
  await session.until("terminated");
  expect(performance.now() - killed).toBeLessThan(500);
  expect(await session.until("exited")).toEqual({ exitCode: 137, signal: "SIGKILL" });
});

test.each([
  [{ program: "nope.js" }, /no such program: .*nope\.js/],
  [{ program: "." }, /no such program|not a program/],
  [{ program: "app.js", cwd: "/nowhere" }, /no such folder to run in: \/nowhere/],
  [{ command: ["no-such-command"] }, /command not found: no-such-command/],
  [{ command: ["./app.js"] }, /not executable/],
  [{}, /nothing to launch/],
  [{ program: "app.js", runtimeExecutable: "no-node" }, /command not found: no-node/],
  [
    { command: ["sh", "-c", "echo why >&2; exit 4"] },
    /ended with exit code 4 without starting a Node program[\s\S]*why/,
  ],
  [{ program: "app.js", runtimeArgs: ["--no-such-flag"] }, /exit code 9[\s\S]*bad option/],
  [{ program: 5 }, /bad argument of launch: program/],
])("launch %j fails with the reason", async (args, message) => {
  const cwd = project({ "app.js": "" });
  const session = await TestSession.open();
  await expect(session.start("launch", launch(cwd, args))).rejects.toThrow(message);
  expect(owned.size).toBe(0);
});

/** The Node that runs these tests is the program's. */
const readsTypeScript = "typescript" in process.features && process.features.typescript !== false;

test.skipIf(readsTypeScript)(
  "`node file.ts` on a Node without TypeScript says what would run it",
  async () => {
    const cwd = project({
      "app.ts": "const n: number = 1;\nconsole.log(n);\n",
      "plain.ts": "console.log('ran');\n",
    });
    const command = (...words: string[]) => launch(cwd, { command: words });
    const failed = await TestSession.open();
    await expect(failed.start("launch", command("node", "app.ts"))).rejects.toThrow(
      /Node v\S+ cannot run TypeScript and the project of .*app\.ts has neither tsx nor ts-node; install one with `npm i -D tsx`$/,
    );
    mkdirSync(join(cwd, "node_modules/.bin"), { recursive: true });
    symlinkSync(join(import.meta.dirname, "../../node_modules/tsx"), join(cwd, "node_modules/tsx"));
    symlinkSync("../tsx/dist/cli.mjs", join(cwd, "node_modules/.bin/tsx"));
    const has = await TestSession.open();
    await expect(has.start("launch", command("node", "app.ts"))).rejects.toThrow(
      /cannot run TypeScript; the project has a tool that can: `-- app\.ts`, without `node`, uses it$/,
    );
    const lost = await TestSession.open();
    await expect(
      lost.start("launch", { ...command("tsx", "app.ts"), env: { PATH: dirname(process.execPath) } }),
    ).rejects.toThrow(/command not found: tsx .*; the project has it: `npx tsx …` runs it$/);
    const plain = await TestSession.open();
    await plain.start("launch", command("node", "plain.ts"));
    expect(await plain.until("exited")).toEqual({ exitCode: 0 });
    expect(plain.output("stdout")).toBe("ran\n");
  },
);

test("the program under `npm run` is the session, the command's end is its end", async () => {
  const cwd = project({
    "package.json": '{"scripts":{"go":"node app.js one && node -e \\"process.exit(5)\\""}}',
    "app.js": "console.log(process.argv[2]); // @stop\n",
  });
  const program = join(cwd, "app.js");
  const session = await TestSession.open();
  session.followChildren();
  await session.start("launch", launch(cwd, { command: ["npm", "run", "go"] }), { [program]: [1] });
  await session.until("stopped");
  expect(await session.evaluate("process.argv[2]")).toContain("one");
  await session.client.request("continue", { threadId: 1 });
  await session.until("terminated");
  expect((await session.until("exited")).exitCode).toBe(5);
  expect(session.output("stdout")).toContain("one\n");
  expect(session.children).toHaveLength(1);
});

test("the user's own NODE_OPTIONS stay, and the program sees little of ours", async () => {
  const cwd = project({
    "pre load.cjs": "globalThis.preloaded = true;",
    "app.js":
      "console.log(JSON.stringify([globalThis.preloaded, process.execArgv, Object.keys(process.env).filter((k) => /sonde/i.test(k))]));",
  });
  const session = await TestSession.open();
  const NODE_OPTIONS = `--require "${join(cwd, "pre load.cjs")}"`;
  await session.start("launch", {
    cwd,
    program: "app.js",
    env: { PATH: env.PATH, NODE_OPTIONS },
    replaceEnv: true,
  });
  await session.until("terminated");
  expect(JSON.parse(session.output("stdout"))).toEqual([true, [], ["SONDE_NODE_SOCKET"]]);
});

test("standard input is an open pipe that can be written and ended", async () => {
  const cwd = project({
    "app.js":
      "process.stdin.setEncoding('utf8').on('data', (d) => console.log('got', d)).on('end', () => console.log('end'));",
  });
  const session = await TestSession.open();
  await session.start("launch", launch(cwd, { program: "app.js" }));
  const data = Buffer.from("höi").toString("base64");
  await session.client.requestRaw("sonde/stdin", { data });
  await session.until("output", ({ output }) => String(output).includes("höi"));
  await session.client.requestRaw("sonde/stdin", { eof: true });
  await session.until("terminated");
  expect(session.output("stdout")).toBe("got höi\nend\n");
  await expect(session.client.requestRaw("sonde/stdin", { data })).rejects.toThrow(/has exited/);
});

test("the streams are pipes a program can open by name", async () => {
  const cwd = project({
    "app.js":
      "console.log(require('fs').readFileSync('/dev/stdin', 'utf8')); require('child_process').execSync('echo shell > /dev/stderr', { stdio: 'inherit' });",
  });
  const session = await TestSession.open();
  await session.start("launch", launch(cwd, { program: "app.js" }));
  await session.client.requestRaw("sonde/stdin", { data: Buffer.from("read").toString("base64"), eof: true });
  await session.until("terminated");
  expect([session.output("stdout"), session.output("stderr")]).toEqual(["read\n", "shell\n"]);
});

test("a flood of output is read at full speed and in bounded pieces", async () => {
  const megabytes = 200;
  const cwd = project({
    "app.js": `const b = Buffer.alloc(1 << 20, 'ä'); for (let i = 0; i < ${megabytes}; i++) require('fs').writeSync(1, b);`,
  });
  const session = await TestSession.open();
  let bytes = 0;
  let longest = 0;
  session.client.on("output", ({ output }) => {
    bytes += Buffer.byteLength(output);
    longest = Math.max(longest, output.length);
    session.events.length = 0;
  });
  await session.start("launch", launch(cwd, { program: "app.js" }));
  await session.until("exited");
  expect(bytes).toBe(megabytes << 20);
  expect(longest).toBeLessThanOrEqual(64 * 1024);
});

test("terminate lets the program clean up, even when it is stopped", async () => {
  const cwd = project({
    "app.js":
      "process.on('SIGTERM', () => { console.log('cleaned'); process.exit(0); });\nsetInterval(() => {\n  globalThis.tick = 1; // @stop\n}, 5);\n",
  });
  const program = join(cwd, "app.js");
  const session = await TestSession.open();
  await session.start("launch", launch(cwd, { program }), { [program]: [marker(program, "stop")] });
  await session.until("stopped");
  await session.client.request("terminate", {});
  await session.until("terminated");
  expect(session.output("stdout")).toBe("cleaned\n");
});

test("disconnect ends the whole group, also what ignores SIGTERM, and runs nothing more", async () => {
  const cwd = project({
    "app.js": [
      "process.on('SIGTERM', () => console.log('ignored'));",
      "const c = require('child_process').spawn('sleep', ['1000']);",
      "console.log(c.pid);",
      "setInterval(() => {}, 1000);",
    ].join("\n"),
  });
  const session = await TestSession.open();
  await session.start("launch", launch(cwd, { program: "app.js" }));
  const { output } = await session.until("output");
  const { systemProcessId } = await session.until("process");
  await session.client.request("disconnect", {});
  expect(isRunning(systemProcessId as number)).toBe(false);
  expect(isRunning(Number(output))).toBe(false);
  expect(owned.size).toBe(0);
});

test("disconnect without terminating leaves the program running, even when it is stopped", async () => {
  const cwd = project({ "app.js": "setInterval(() => {\n  globalThis.tick = 1; // @stop\n}, 5);\n" });
  const program = join(cwd, "app.js");
  const session = await TestSession.open();
  await session.start("launch", launch(cwd, { program }), { [program]: [2] });
  await session.until("stopped");
  const pid = (await session.until("process")).systemProcessId as number;
  await session.client.request("disconnect", { terminateDebuggee: false });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(isRunning(pid)).toBe(true);
  expect(owned.size).toBe(0);
  process.kill(pid, "SIGKILL");
});

test("a client that vanishes takes the program with it", async () => {
  const cwd = project({ "app.js": "setInterval(() => {}, 1000)" });
  const session = await TestSession.open();
  await session.start("launch", launch(cwd, { program: "app.js" }));
  const pid = (await session.until("process")).systemProcessId as number;
  session.client.close();
  await session.waitFor(() => !isRunning(pid));
});

test("requests before a program exists, and unknown ones, fail with a message", async () => {
  const session = await TestSession.open();
  await expect(session.client.request("threads", undefined)).rejects.toThrow(/launch or attach first/);
  await expect(session.client.request("configurationDone", {})).rejects.toThrow(/launch or attach first/);
  const cwd = project({ "app.js": "setInterval(() => {}, 1000)" });
  await session.start("launch", launch(cwd, { program: "app.js" }));
  await expect(session.client.requestRaw("constructor", {})).rejects.toThrow(
    /does not support the request "constructor"/,
  );
  const { threads } = await session.client.request("threads", undefined);
  expect(threads).toMatchObject([{ id: 1 }]);
});

test("a client that leaves while the program is being started leaves nothing behind", async () => {
  const cwd = project({ "app.js": "setInterval(() => {}, 1000)" });
  for (const pause of [0, 5, 10, 30, 60]) {
    const session = await TestSession.open();
    const started = session.client.requestRaw("launch", launch(cwd, { program: "app.js" })).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, pause));
    await session.client.request("disconnect", {});
    await started;
    await session.waitFor(() => owned.size === 0);
    expect(
      session.events
        .filter(({ event }) => event === "process")
        .map(({ body }) => isRunning(body.systemProcessId as number)),
    ).not.toContain(true);
  }
});

const LTS = join(import.meta.dirname, "../node-lts/node_modules/node/bin/node");

test.each([process.execPath, LTS])(
  "%s: a caller's variables are there after optimised code has used them last",
  async (node) => {
    const cwd = project({
      "app.js": `function outer(n) {
  const name = "order";
  const size = name.length + n;
  let sum = 0;
  for (let i = 0; i < 100_000; i++) sum += i % size;
  return fail(sum);
}
function fail(sum) {
  throw new Error("sum " + sum);
}
outer(1);
`,
    });
    const session = await TestSession.open();
    const started = session.client.requestRaw("launch", launch(cwd, { command: [node, "app.js"] }));
    await session.until("initialized");
    await session.client.request("setExceptionBreakpoints", { filters: ["uncaught"] });
    await session.client.request("configurationDone", {});
    await started;
    await session.until("stopped");
    const { stackFrames } = await session.client.request("stackTrace", { threadId: 1 });
    const { scopes } = await session.client.request("scopes", { frameId: stackFrames[1]?.id ?? 0 });
    const values: Record<string, string> = {};
    for (const { variablesReference } of scopes.slice(0, 2)) {
      const { variables } = await session.client.request("variables", { variablesReference });
      for (const { name, value } of variables) values[name] = value;
    }
    expect(values).toMatchObject({ n: "1", name: '"order"', size: "6" });
  },
);
