/** Which throws stop: by class, by whose code they are, whatever was thrown. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { type Debuggee, debug, marker, project } from "./debuggee.ts";

const TSX = pathToFileURL(join(import.meta.dirname, "../../node_modules/tsx/dist/loader.mjs")).href;

const MANY = `class BudgetError extends RangeError {}
class DeepError extends BudgetError {}
const attempt = (make) => { try { throw make(); } catch {} };
attempt(() => new Error("plain"));
attempt(() => new TypeError("type"));
attempt(() => new DeepError("deep"));
attempt(() => Object.assign(new Error("named"), { name: "QuotaError", retry: true }));
attempt(() => require("vm").runInNewContext("new TypeError('foreign')"));
attempt(() => "text");
attempt(() => null);
attempt(() => undefined);
`;

async function texts(d: Debuggee): Promise<unknown[]> {
  const seen: unknown[] = [];
  let ended = false;
  const end = d.exited.then(() => {
    ended = true;
  });
  await d.run();
  for (;;) {
    const stopped = await Promise.race([d.stop().catch(() => undefined), end.then(() => undefined)]);
    if (ended || stopped === undefined) return seen;
    seen.push(stopped.text);
    await d.request("continue");
  }
}

test.each([
  ["TypeError", ["TypeError: type", "TypeError: foreign"]],
  ["errors.BudgetError", ["RangeError: deep"]],
  ["RangeError", ["RangeError: deep"]],
  ["QuotaError", ["QuotaError: named"]],
  ["NoSuchError", []],
  ["error?.retry", ["QuotaError: named"]],
  ["error.retry === true", ["QuotaError: named"]],
  ["error === 'text'", ['"text"']],
])("a condition %s", async (condition, expected) => {
  const app = join(project({ "app.cjs": MANY }), "app.cjs");
  const d = await debug(app);
  const { breakpoints } = await d.request<{ breakpoints: object[] }>("setExceptionBreakpoints", {
    filters: [],
    filterOptions: [{ filterId: "all", condition }],
  });
  expect(breakpoints).toEqual([{ verified: true }]);
  expect(await texts(d)).toEqual(expected);
});

test.each(["commonjs", "module"])(
  "all, under a loader of TypeScript (%s): only what gets to the user's code",
  async (type) => {
    const dir = project({
      "package.json": JSON.stringify({ type }),
      "app.ts": 'import { b } from "./b";\ntry {\n  b(1 as number);\n} catch {}\n',
      "b.ts": "export function b(n: number): void {\n  throw new Error(`b ${n}`);\n}\n",
    });
    const d = await debug(join(dir, "app.ts"), { nodeArgs: ["--import", TSX] });
    await d.request("setExceptionBreakpoints", { filters: ["all"] });
    expect(await texts(d)).toEqual(["Error: b 1"]);
  },
);

test("all: what a library throws and catches is its own affair; what passes through the user's code is not", async () => {
  const dir = project({
    "node_modules/lib/index.js":
      'exports.inside = () => { try { JSON.parse("{"); } catch {} };\nexports.run = (f) => { try { f(); } catch {} };\nexports.out = () => { throw new Error("out"); };\n',
    "app.cjs":
      'const lib = require("lib");\nlib.inside();\nlib.run(() => require("assert").equal(1, 2));\nlib.run(() => lib.out());\ntry { lib.out(); } catch {}\n',
  });
  const d = await debug(join(dir, "app.cjs"));
  await d.request("setExceptionBreakpoints", { filters: ["all"] });
  expect(await texts(d)).toEqual([expect.stringMatching(/^AssertionError/), "Error: out", "Error: out"]);
});

test("all: what a function of Node's rejects with reaches whoever awaits it", async () => {
  const app = join(
    project({
      "app.mjs":
        'import { readFile } from "node:fs/promises";\ntry {\n  await readFile("/no/such");\n} catch {}\n',
    }),
    "app.mjs",
  );
  const d = await debug(app);
  await d.request("setExceptionBreakpoints", { filters: ["all"] });
  const seen = await texts(d);
  expect(seen.every((text) => /ENOENT/.test(String(text)))).toBe(true);
});

test.each([
  ["app.cjs", "let = ;\n"],
  ["app.mjs", "let = ;\n"],
  ["app.mjs", 'import "./missing.mjs";\n'],
])("a main file that cannot be loaded does not stop in Node's loader: %s %s", async (name, text) => {
  const d = await debug(join(project({ [name]: text }), name));
  await d.request("setExceptionBreakpoints", { filters: ["uncaught"] });
  expect(await texts(d)).toEqual([]);
  expect(await d.end()).toBe(1);
  expect(d.stderr).toMatch(/SyntaxError|ERR_MODULE_NOT_FOUND/);
});

test("uncaught in the user's own code still stops", async () => {
  const app = join(project({ "app.cjs": "setTimeout(() => {\n  null.x; // @here\n}, 1);\n" }), "app.cjs");
  const d = await debug(app);
  await d.request("setExceptionBreakpoints", { filters: ["uncaught"] });
  await d.run();
  await d.stop();
  expect((await d.top()).line).toBe(marker(app, "here"));
});
