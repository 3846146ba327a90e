/** What V8 does not know is said to be unknown, by the real binary: never a value that the program does not have. */
import { expect, test } from "vitest";
import { borrowSonde } from "../support/sonde.ts";

const BOX = `class Box {
  n = 4;
  run() {
    return [1].map((one) => {
      const late = one + bump();
      return late;
    });
  }
}
let bumps = 0;
function bump() {
  return ++bumps;
}
new Box().run();
`;

test("probe: `this` of an arrow function, a variable before its line, a call", {
  timeout: 30_000,
}, async () => {
  const sonde = borrowSonde();
  sonde.write("box.mjs", BOX);
  const evals = ["this", "this.n", "late", "bump()", "one"].flatMap((one) => ["--eval", one]);
  const text = await sonde.text(["probe", "box.mjs:5", ...evals]);
  const why = "this is unavailable: this arrow function does not use it, so V8 did not keep it";
  expect(text).toContain(`\nthis: ${why}`);
  expect(text).toContain(`\nthis.n: ${why}`);
  expect(text).toContain("\n  late = <uninitialized>\n");
  expect(text).toContain(
    "\nlate: ReferenceError: late is not assigned yet: its declaration has not run here\n",
  );
  expect(text).toContain(
    "\nbump(): `bump()` would have side effects; `sonde eval 'bump()'` runs it with its side effects\n",
  );
  expect(text).toContain("\none = 1  (number)");
  expect(text).not.toContain("undefined");
  // A record is made in the program itself, which knows.
  const recorded = await sonde.text(["trace", "--at", "box.mjs:5=this.n,late", "--", "node", "box.mjs"]);
  expect(recorded).toMatch(/^ +1 +4 +<uninitialized>$/m);
});

test("a stack that ran over: there are more frames than V8 has", { timeout: 30_000 }, async () => {
  const sonde = borrowSonde();
  sonde.write("rec.js", "function down(n) {\n  return down(n + 1) + 1;\n}\ndown(0);\n");
  expect(await sonde.text("crash rec.js")).toContain("\n  (more than 176 more frames: ");
  expect(await sonde.text("start rec.js --catch uncaught")).toContain("\n  (more than 190 frames more: ");
  expect(await sonde.text("backtrace --limit 500 --all")).toMatch(
    /\n199 down .*\n\(there are more frames, but the debugger does not report them\)\s*$/,
  );
});
