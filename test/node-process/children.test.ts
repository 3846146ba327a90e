import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { cleanUp, marker, owned, project, TestSession } from "./session.ts";

afterEach(cleanUp);

const env = { ...process.env };

async function child(session: TestSession, index = 0): Promise<TestSession> {
  await session.waitFor(() => session.children.length > index);
  const found = session.children[index];
  if (found === undefined) throw new Error("no child");
  return found;
}

test("a child process is a session of its own, with its own breakpoints and end", async () => {
  const cwd = project({
    "app.js":
      "require('child_process').fork('./child.js').on('exit', (code) => { console.log('child', code); });",
    "child.js": "const y = 2;\nconsole.log('in child', y); // @stop\nprocess.exit(4);\n",
  });
  const file = join(cwd, "child.js");
  const session = await TestSession.open();
  session.followChildren({ [file]: [marker(file, "stop")] });
  await session.start("launch", { cwd, env, replaceEnv: true, program: "app.js" });
  const forked = await child(session);
  await forked.until("stopped");
  const { systemProcessId } = await forked.until("process");
  expect(owned.has(systemProcessId as number)).toBe(true);
  expect(await forked.evaluate("y")).toBe("2");
  expect((await forked.client.request("threads", undefined)).threads).toMatchObject([{ name: "child.js" }]);
  await forked.client.request("continue", { threadId: 1 });
  await forked.until("terminated");
  expect(await forked.until("exited")).toEqual({ exitCode: 4 });
  await session.until("terminated");
  expect(session.output("stdout")).toBe("in child 2\nchild 4\n");
  expect(session.output("stderr")).toBe("");
  await session.waitFor(() => owned.size === 0);
});

test("children of children and workers in children", async () => {
  const cwd = project({
    "app.js": "require('child_process').fork('./child.js');",
    "child.js":
      "const { Worker } = require('worker_threads'); new Worker('./worker.js'); require('child_process').fork('./grandchild.js');",
    "worker.js": "const w = 'inside';\nconsole.log('worker'); // @stop\n",
    "grandchild.js": "console.log('grandchild'); // @stop\n",
  });
  const places = ["worker.js", "grandchild.js"].map((name) => join(cwd, name));
  const breakpoints = Object.fromEntries(places.map((file) => [file, [marker(file, "stop")]]));
  const session = await TestSession.open();
  session.followChildren(breakpoints);
  await session.start("launch", { cwd, env, replaceEnv: true, program: "app.js" });
  const forked = await child(session);
  // Reports of every descendant come to the session that started the command; workers to the one they live in.
  const worker = await child(forked);
  const grandchild = await child(session, 1);
  for (const stopped of [worker, grandchild]) {
    await stopped.until("stopped");
    await stopped.client.request("continue", { threadId: 1 });
    await stopped.until("terminated");
  }
  await session.until("terminated");
  expect(session.output("stdout").split("\n").sort()).toEqual(["", "grandchild", "worker"]);
});

test("a worker is a session of its own", async () => {
  const cwd = project({
    "app.js":
      "const { Worker } = require('worker_threads'); new Worker('./worker.js').on('exit', (code) => console.log('worker', code));",
    "worker.js": "const w = 'inside';\nconsole.log(w); // @stop\n",
  });
  const file = join(cwd, "worker.js");
  const session = await TestSession.open();
  session.followChildren({ [file]: [marker(file, "stop")] });
  await session.start("launch", { cwd, env, replaceEnv: true, program: "app.js" });
  const worker = await child(session);
  await worker.until("stopped");
  expect(await worker.evaluate("w")).toContain("inside");
  // As the program numbers it: the debugger's own thread is the first.
  expect((await worker.client.request("threads", undefined)).threads).toMatchObject([{ name: "worker 2" }]);
  expect((await worker.until("process")).systemProcessId).toBe(
    (await session.until("process")).systemProcessId,
  );
  await worker.client.request("continue", { threadId: 1 });
  await worker.until("terminated");
  await session.until("terminated");
  expect(session.output("stdout")).toBe("inside\nworker 0\n");
});

const both = {
  "app.js": [
    "const { Worker } = require('worker_threads');",
    "new Worker('console.log(\"worker\")', { eval: true });",
    "require('child_process').fork('./child.js');",
  ].join("\n"),
  "child.js": "console.log('child')",
};

test.each([
  ["cannot take them", { supportsStartDebuggingRequest: false }],
  ["refuses them", {}],
])("children of a client that %s run undebugged", async (_what, capabilities) => {
  const cwd = project(both);
  const session = await TestSession.open(capabilities);
  await session.start("launch", { cwd, env, replaceEnv: true, program: "app.js" });
  await session.until("terminated");
  expect(session.output("stdout").split("\n").sort()).toEqual(["", "child", "worker"]);
  expect(session.output("stderr")).toBe("");
});

test("a client that accepts children and forgets them does not hold them for ever", async () => {
  const cwd = project(both);
  const session = await TestSession.open();
  session.client.handle("startDebugging", async () => {});
  await session.start("launch", { cwd, env, replaceEnv: true, program: "app.js" });
  await session.until("terminated");
  expect(session.output("stdout").split("\n").sort()).toEqual(["", "child", "worker"]);
});

test("a child that waits ends with the session", async () => {
  const cwd = project({ ...both, "child.js": "setInterval(() => {}, 1000)" });
  const session = await TestSession.open();
  session.client.handle("startDebugging", async () => {});
  await session.start("launch", { cwd, env, replaceEnv: true, program: "app.js" });
  await session.waitFor(() => owned.size === 2);
  await session.client.request("disconnect", {});
  expect(owned.size).toBe(0);
});

test("a Node process that outlives the session, or starts after it, is not held", async () => {
  const cwd = project({
    "app.js":
      "require('child_process').spawn('sh', ['-c', 'sleep 0.4; node late.js'], { detached: true, stdio: 'inherit' }).unref();",
    "late.js": "require('fs').writeFileSync('late', 'ran')",
  });
  const session = await TestSession.open();
  await session.start("launch", { cwd, env, replaceEnv: true, program: "app.js" });
  await session.until("terminated");
  const { existsSync } = await import("node:fs");
  await session.waitFor(() => existsSync(join(cwd, "late")));
});
