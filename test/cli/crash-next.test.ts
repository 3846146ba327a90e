/** From a crash to the function that made the bad value: the command that is named is run, and shows it. */
import { expect, test } from "vitest";
import type { CrashResult } from "../../src/library/commands.generated.ts";
import { splitWords } from "../../src/util/shell-words.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

const slow = { timeout: 60_000 };

async function nextOf(sonde: Sonde, words: string[]): Promise<string> {
  const { next } = await sonde.ask<CrashResult>(["crash", ...words], { timeoutMs: 60_000 });
  return next ?? "";
}

function followed(sonde: Sonde, next: string): Promise<string> {
  return sonde.text(splitWords(next).slice(1), { timeoutMs: 60_000 });
}

const CHECK = "function check(n) {\n  if (n < 0) throw new RangeError(`bad ${n}`);\n  return n;\n}\n";

test(
  "the function on the stack that made the value, with what it called; not those that passed it on",
  slow,
  async () => {
    const sonde = borrowSonde();
    sonde.write(
      "app.js",
      `const { make } = require("./lib/make.js");
${CHECK}
function pass(n) {
  return check(n);
}
function main() {
  const made = make(2);
  pass(made);
}
main();
`,
    );
    sonde.write(
      "lib/make.js",
      "function make(n) {\n  const less = n - 5;\n  return less;\n}\nexports.make = make;\n",
    );
    const next = await nextOf(sonde, ["--env", "A=1", "--", "node", "app.js", "x y"]);
    expect(next).toBe("sonde trace --function main --depth 1 --env A=1 -- node app.js 'x y'");
    const text = await followed(sonde, next);
    expect(text).toMatch(/^ +make\(n=2\) {2}lib\/make\.js:1$/m);
    expect(text).toMatch(/^ +returned -3$/m);
  },
);

test("what is called through a table is shown with the function that calls it", slow, async () => {
  const sonde = borrowSonde();
  sonde.write(
    "app.js",
    `${CHECK}
function run(steps) {
  const table = { less: (n) => n - 5, more: (n) => n + 1 };
  let n = 0;
  for (const step of steps) n = table[step](n);
  return n;
}
check(run(["more", "less"]));
`,
  );
  const next = await nextOf(sonde, ["app.js"]);
  expect(next).toBe("sonde trace --function run --depth 1 -- app.js");
  const text = await followed(sonde, next);
  expect(text).toMatch(/^ +(table\.)?more\(n=0\)/m);
  expect(text).toMatch(/^ +(table\.)?less\(n=1\)/m);
  const answer = await sonde.text(["crash", "app.js"], { timeoutMs: 60_000 });
  expect(answer).toContain(
    `\nnext: \`${next}\` shows run line by line, with what it calls; \`sonde start app.js\``,
  );
});

test("only the user's frames are worth a session", slow, async () => {
  const sonde = borrowSonde();
  sonde.write("one.js", `${CHECK}check(-1);\n`);
  const few = await sonde.text(["crash", "one.js"], { timeoutMs: 60_000 });
  expect(few).toMatch(/^ {2}\(\+\d+ frames of libraries and the runtime\)$/m);
  sonde.write(
    "deep.js",
    `${CHECK}function down(n) {\n  return n < 0 ? check(n) : down(n - 1);\n}\ndown(60);\n`,
  );
  const { death } = await sonde.ask<CrashResult>(["crash", "deep.js"], { timeoutMs: 60_000 });
  // check, 62 times down and the module, of which 24 are told.
  expect(death?.moreOwnFrames).toBe(64 - 24);
  const many = await sonde.text(["crash", "deep.js"], { timeoutMs: 60_000 });
  expect(many).toMatch(
    /^ {2}\(\+\d+ more of yours, \d+ of libraries and the runtime: `sonde start deep\.js` stops there\)$/m,
  );
});

test("a trace of a crash shows the message and the program's frames", slow, async () => {
  const sonde = borrowSonde();
  sonde.write("one.js", `${CHECK}function main() {\n  check(-1);\n}\nmain();\n`);
  const text = await sonde.text(["trace", "--function", "check", "--", "node", "one.js"], {
    timeoutMs: 60_000,
  });
  expect(text).toMatch(/^program output \(without \d+ frames of the runtime: \S+\)$/m);
  expect(text).toMatch(/^ {2}err \| RangeError: bad -1$/m);
  expect(text).toMatch(/^ {2}err \| {5}at main \(.*one\.js:6:\d+\)$/m);
  expect(text).not.toMatch(/node:internal|node-source.runtime/);
});
