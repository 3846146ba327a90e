/** Which process of a command becomes the session. */
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { cleanUp, marker, project, TestSession } from "./session.ts";

afterEach(cleanUp);

const modules = join(dirname(fileURLToPath(import.meta.url)), "../../node_modules");
const env = { ...process.env };

function withPackages(files: Record<string, string>, ...packages: string[]): string {
  const cwd = project(files);
  mkdirSync(join(cwd, "node_modules"));
  for (const name of packages) symlinkSync(join(modules, name), join(cwd, "node_modules", name));
  return cwd;
}

async function stopIn(cwd: string, file: string, args: object): Promise<TestSession> {
  const path = join(cwd, file);
  const session = await TestSession.open();
  session.followChildren({ [path]: [marker(path, "stop")] });
  await session.start("launch", { cwd, env, replaceEnv: true, ...args }, { [path]: [marker(path, "stop")] });
  await session.until("stopped");
  expect((await session.frame()).source?.path).toBe(path);
  return session;
}

const TS = "interface A { n: number }\n\nconst a: A = { n: 3 };\nconsole.log(a.n); // @stop\n";

test.each([
  ["tsx as a loader", "app.ts", { program: "app.ts" }],
  ["tsx's own command", "app.ts", { command: ["node", "node_modules/tsx/dist/cli.mjs", "app.ts"] }],
  ["tsx for an ES module", "app.mts", { program: "app.mts" }],
])("TypeScript by %s", async (_how, file, args) => {
  const cwd = withPackages({ [file]: TS }, "tsx");
  const session = await stopIn(cwd, file, args);
  await session.client.request("continue", { threadId: 1 });
  await session.until("terminated");
  expect(session.output("stdout")).toBe("3\n");
});

test("TypeScript without a way to run it says what to install", async () => {
  const cwd = project({ "app.ts": TS });
  const session = await TestSession.open();
  const started = session.start("launch", { cwd, env, replaceEnv: true, program: "app.ts" });
  const version = execFileSync("node", ["--version"], { encoding: "utf8" });
  if (/^v(1|20|22\.[0-5]\.)/.test(version)) await expect(started).rejects.toThrow(/npm i -D tsx/);
  else await started;
});

test("`node --test` runs the test file as the session, not its runner", async () => {
  const cwd = project({
    "a.test.js":
      "require('node:test')('adds', () => {\n  const sum = 1 + 1;\n  require('assert').equal(sum, 2); // @stop\n});\n",
  });
  const session = await stopIn(cwd, "a.test.js", { command: ["node", "--test", "a.test.js"] });
  expect(await session.evaluate("sum")).toBe("2");
  await session.client.request("continue", { threadId: 1 });
  await session.until("terminated");
  expect(session.output("stdout")).toMatch(/pass 1/);
});

test("`node --watch` runs the program as the session", async () => {
  const cwd = project({ "app.js": "console.log('up'); // @stop\n" });
  await stopIn(cwd, "app.js", { command: ["node", "--watch", "app.js"] });
});

test("mocha-like runners that fork stay the session, their forks are children", async () => {
  const cwd = project({
    "node_modules/runner/cli.js": "require('child_process').fork(require.resolve('../../spec.js'));",
    "spec.js": "const inside = 1;\nconsole.log(inside); // @stop\n",
  });
  const path = join(cwd, "spec.js");
  const session = await TestSession.open();
  session.followChildren({ [path]: [2] });
  await session.start("launch", {
    cwd,
    env,
    replaceEnv: true,
    command: ["node", "node_modules/runner/cli.js"],
  });
  await session.waitFor(() => session.children.length === 1);
  await session.children[0]?.until("stopped");
});
