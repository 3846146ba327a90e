/** What nobody catches is what Node says nobody caught: not what V8 foresees when it is thrown. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodes } from "../support/nodes.ts";
import { debug, marker, project } from "./debuggee.ts";

const FAIL = "async function fail() {\n  const local = 5;\n  throw new Error('no'); // @throw\n}\n";

async function stops(text: string, name = "app.cjs", node?: string) {
  const app = join(project({ [name]: text }), name);
  const d = await debug(app, node === undefined ? {} : { node });
  await d.request("setExceptionBreakpoints", { filters: ["uncaught"] });
  const seen: { text: unknown; line: number }[] = [];
  let ended = false;
  const end = d.exited.then(() => {
    ended = true;
  });
  await d.run();
  for (;;) {
    const stopped = await Promise.race([d.stop().catch(() => undefined), end.then(() => undefined)]);
    if (ended || stopped === undefined) break;
    seen.push({ text: stopped.text, line: (await d.top()).line });
    await d.request("continue");
  }
  return { seen, code: await d.exited, stderr: d.stderr, app };
}

test.each([
  "const r = fail();\nr.then(() => {}, () => {});\n",
  "fail().catch(() => {});\n",
  "fail()\n  .catch(() => {});\n",
  "Promise.all([fail(), fail()]).catch(() => {});\n",
  "Promise.allSettled([1, 2].map(() => fail())).then(() => {});\n",
  "const run = () => fail();\nrun().catch(() => {});\n",
  "const run = async () => { await fail(); };\nrun().catch(() => {});\n",
  "const p = Promise.reject(new Error('no'));\np.catch(() => {});\n",
  "require('node:assert').rejects(fail);\n",
  "require('node:assert').rejects(async () => fail());\n",
])("a rejection that is handled later in its turn does not stop: %j", async (use) => {
  const { seen, code } = await stops(FAIL + use);
  expect(seen).toEqual([]);
  expect(code).toBe(0);
});

test.each([
  "fail();\n",
  "void fail();\n",
  "const kept = fail();\n",
  "Promise.all([fail()]);\n",
  "[1].forEach(async () => fail());\n",
  "const later = fail();\nsetTimeout(() => later.catch(() => {}), 20);\n",
  "process.on('unhandledRejection', () => process.exit(1));\nconst kept = fail();\n",
])("one that nobody handles in time stops, once, at its throw: %j", async (use) => {
  const { seen, code, app } = await stops(FAIL + use);
  expect(seen).toEqual([{ text: "Error: no", line: marker(app, "throw") }]);
  expect(code).toBe(1);
});

test("one that is not an error, kept by a variable", async () => {
  const { seen } = await stops("const p = Promise.reject('text'); // line 1\n");
  expect(seen).toEqual([{ text: '"text"', line: 1 }]);
});

test("variables are there where nobody can handle it", async () => {
  const app = join(project({ "app.cjs": `${FAIL}fail();\n` }), "app.cjs");
  const d = await debug(app);
  await d.request("setExceptionBreakpoints", { filters: ["uncaught"] });
  await d.run();
  await d.stop();
  expect((await d.evaluate("local")).result).toBe("5");
});

test.each(nodes)("$version: a stack that ran over is told with its frames", async ({ path }) => {
  const text = "function deeper(n) {\n  return deeper(n + 1) + 1; // @again\n}\ndeeper(0);\n";
  const { seen, code, stderr, app } = await stops(text, "app.cjs", path);
  expect(seen).toEqual([
    { text: "RangeError: Maximum call stack size exceeded", line: marker(app, "again") },
  ]);
  expect(code).toBe(1);
  expect(stderr).toContain("RangeError: Maximum call stack size exceeded");
});

test("a stack that ran over and is caught does not stop", async () => {
  const { seen, code } = await stops("const f = (n) => f(n + 1) + 1;\ntry { f(0); } catch {}\n");
  expect([seen, code]).toEqual([[], 0]);
});

test("of a stack that ran over V8 keeps 200 frames: it is said that there are more", async () => {
  const text = `let deepest = 0;
function down(n) {
  deepest = n;
  return down(n + 1) + 1;
}
`;
  const stackOf = async (use: string) => {
    const app = join(project({ "app.cjs": text + use }), "app.cjs");
    const d = await debug(app);
    await d.request("setExceptionBreakpoints", { filters: ["uncaught"] });
    await d.run();
    await d.stop();
    const { stackFrames, isCut } = await d.request<{ stackFrames: unknown[]; isCut?: true }>("stackTrace", {
      threadId: 1,
    });
    return { many: stackFrames.length, isCut };
  };
  expect(await stackOf("down(0);\n")).toEqual({ many: 200, isCut: true });
  expect((await stackOf("setTimeout(() => { throw new Error('no'); });\n")).isCut).toBeUndefined();
});
