/** `this`: V8 says `undefined` where it did not keep it. The program prints what it is. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { debug, project } from "./debuggee.ts";

/** What is asked at each `debugger` statement, and what the program prints. */
async function seen(source: string, name: string, expression = "this"): Promise<string[]> {
  const app = join(project({ [name]: source }), name);
  const d = await debug(app);
  await d.run();
  const answers: string[] = [];
  for (const _ of source.match(/debugger/g) ?? []) {
    await d.stop();
    const answer = d.evaluate(expression).then(
      ({ result }) => result,
      (error: Error) => error.message,
    );
    answers.push(await answer);
    await d.request("continue");
  }
  expect(await d.end()).toBe(0);
  return answers;
}

const KEPT_NOT =
  "this is unavailable: this arrow function does not use it, so V8 did not keep it; a frame of the function around it may have it";

const UNUSED = `class Box {
  n = 4;
  field = () => { debugger; };
  run() { return [1].map(() => { debugger; return 5; }); }
  sibling() { const get = () => this; [1].map(x => { debugger; return x; }); return get; }
  async later() { await (async () => { debugger; })(); }
  inner() { (() => { (function () { void this; })(); debugger; })(); }
}
const box = new Box();
box.field();
box.run();
box.sibling();
box.inner();
void box.later();
`;

test("an arrow function that does not use it: refused with the reason", async () => {
  const all = Array.from({ length: 5 }, () => KEPT_NOT);
  expect(await seen(UNUSED, "app.mjs")).toEqual(all);
  expect(await seen(UNUSED, "app.cjs", "this.n")).toEqual(all);
});

test("used, or really undefined: what it is", async () => {
  const source = `class Box {
  n = 4;
  used() { return [1].map(() => { debugger; return this.n; }); }
  inner() { return (() => { debugger; return () => this; })(); }
  method() { debugger; }
}
function strict() { "use strict"; debugger; }
const box = new Box();
box.used();
box.inner();
box.method();
strict();
[1].map(() => { debugger; });
`;
  const expected = ["{n: 4}", "{n: 4}", "{n: 4}", "undefined"].map((text) => expect.stringContaining(text));
  expect(await seen(source, "app.mjs")).toEqual([...expected, "undefined"]);
  expect(await seen(source, "app.cjs")).toEqual([...expected, KEPT_NOT]);
  expect(await seen(source, "app.mjs", "(function () { return typeof this; })()")).toHaveLength(5);
});

test("a constructor before super() has none yet", async () => {
  const source = `class A { a = 1; }
class B extends A { constructor() { debugger; super(); debugger; } }
new B();
`;
  expect(await seen(source, "app.cjs")).toEqual([
    "ReferenceError: this is not assigned yet: super() has not run",
    "B {a: 1}",
  ]);
});
