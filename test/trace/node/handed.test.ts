/** Expressions that are given what they read: they mean what they would mean at the point, wherever the rewriting puts them. */
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { nodes } from "../../support/nodes.ts";
import { Programs, type Watched } from "./rig.ts";

const RUNTIME = resolve(import.meta.dirname, "../../../src/trace/collectors/node-source/runtime");
const { rewrite } = createRequire(import.meta.url)(join(RUNTIME, "rewrite.cjs")) as {
  rewrite(text: string, path: string, kind: string, plan: object, tell: (message: unknown) => void): string;
};

const SCOPES = `const kept = "file";
let later = "file later";
class Box {
  static made = 1;
  #hidden = 7;
  look(n) {
    return n + this.#hidden; // @private
  }
  strict() {
    return typeof this; // @strict
  }
}
function sloppy(n) {
  return n; // @sloppy
}
function outer(kept) {
  {
    function inBlock() {}
  }
  const inner = function self(n) {
    return [n, kept, inBlock, self]; // @inner
  };
  return inner(2);
}
function dynamic(n) {
  eval("var made = n * 2");
  return n; // @dynamic
}
function* rounds(n) {
  for (let i = 0; i < n; i++) {
    yield i; // @rounds
  }
}
const arrow = (n) => {
  if (n > 1) {
    later = "changed";
    return n; // @arrow
  }
  return arrow(n + 1);
};
new Box().look(1);
Box.prototype.strict.call(5);
sloppy.call(5, 1);
[...rounds(2)];
arrow(0);
dynamic(4);
outer("parameter");
console.log(Object.keys(globalThis).filter((name) => name.includes("sonde")));
`;

const WATCHED: (Watched & { values: string[][] })[] = [
  { at: "private", watch: ["n", "this.#hidden", "kept"], values: [["1", "7", '"file"']] },
  { at: "strict", watch: ["this", "Box.made", "kept"], values: [["5", "1", '"file"']] },
  { at: "sloppy", watch: ["n", "typeof this", "kept + n"], values: [["1", '"object"', '"file1"']] },
  {
    at: "inner",
    watch: ["n", "kept", "typeof inBlock", "typeof self", "later"],
    values: [["2", '"parameter"', '"function"', '"function"', '"changed"']],
  },
  { at: "dynamic", watch: ["n", "made", "kept"], values: [["4", "8", '"file"']] },
  {
    at: "rounds",
    watch: ["i", "n", "missing", "kept.length + i"],
    values: [
      ["0", "2", "<unavailable>", "4"],
      ["1", "2", "<unavailable>", "5"],
    ],
  },
  {
    at: "arrow",
    watch: ["n", "later", "(() => n + kept)()"],
    condition: "n === 2",
    values: [["2", '"changed"', '"2file"']],
  },
];

test.each(nodes)("names, `this` and strictness are those of the point ($version)", async ({ path }) => {
  for (const name of ["app.cjs", "strict.cjs"]) {
    const isStrict = name === "strict.cjs";
    const programs = new Programs({ [name]: isStrict ? `"use strict"; ${SCOPES}` : SCOPES });
    // Strict code cannot reach the function in the block, nor what `eval` declares, and its `this` is a number.
    const watched = WATCHED.filter(
      ({ at }) => !isStrict || !["inner", "dynamic", "sloppy"].includes(`${at}`),
    );
    const launch = { command: [path, name] };
    const record = await programs.points(
      watched.map(({ values: _, ...one }) => one),
      { launch },
    );
    if (!isStrict) expect(record).toMatchObject({ stdout: "[]\n", stderr: "" });
    for (const [index, { at, values }] of watched.entries()) {
      const hits = record.points.filter(({ point }) => point === index);
      expect(
        hits.map((one) => one.values),
        `${name} @${at}`,
      ).toEqual(values);
    }
  }
});

test.each(nodes)("code in contexts of their own, two points on one line ($version)", async ({ path }) => {
  const programs = new Programs({
    "app.cjs": `const vm = require("node:vm");
const { readFileSync } = require("node:fs");
const filename = require.resolve("./code.js");
const code = readFileSync(filename, "utf8");
const own = { who: "context" };
const context = vm.createContext(own);
// As jest does.
for (const name of Object.getOwnPropertyNames(globalThis).filter((one) => one.includes("sonde")))
  Object.defineProperty(vm.runInContext("this", context), name, Object.getOwnPropertyDescriptor(globalThis, name));
vm.compileFunction(code, [], { filename, parsingContext: context })();
new vm.Script(code, { filename }).runInContext(context);
console.log(Object.keys(own).join());
`,
    "code.js": `function name(n) {
  return who + n; // @name
}
var seen = name(1);
seen; // @end
`,
  });
  const at = (marker: string, watch: string[]) => ({ file: "code.js", at: marker, watch });
  const watched = [at("name", ["n", "who"]), at("name", ["n + 1"]), at("end", ["seen"]), at("end", ["who"])];
  const record = await programs.points(watched, { launch: { command: [path, "app.cjs"] } });
  expect(record).toMatchObject({ stdout: "who,name,seen\n", stderr: "", notes: [] });
  const once = [["1", '"context"'], ["2"], ['"context1"'], ['"context"']];
  expect(record.points.map(({ values }) => values)).toEqual([...once, ...once]);
});

/** V8 names some functions by what is set next to them: that must be nothing of ours. */
const NAMELESS = `const list = (...all) => all;
const stackOf = (f) => { try { f(); } catch (e) { return e.stack.split("\\n")[1].trim().replace(/:\\d+:\\d+.*/, ""); } };
function make(n) {
  const all = list(() => {
    throw new Error("one");
  }, (function (k) {
    const m = k + 1;
    return m;
  })(n), (() => {
    let z = 1;
    return z;
  })());
  return all;
}
let r;
r = [() => {
  throw new Error("two");
}, (function (k) {
  if (k > 0) {
    return k;
  }
  return 0;
})(3)];
const o = { a: function () {
  throw new Error("three");
}, b: (function (k) {
  return k;
})(2), c(v) {
  return v;
} };
class K {
  static list = [() => {
    throw new Error("four");
  }, (function (k) {
    return k;
  })(1)];
  m(q) {
    return q;
  }
}
o.c(1);
new K().m(4);
console.log([make(1)[0], r[0], o.a, K.list[0]].map(stackOf).join());
`;

test.each(nodes)("functions keep the names that V8 finds for them ($version)", async ({ path }) => {
  const programs = new Programs({ "app.cjs": NAMELESS });
  const launch = { command: [path, "app.cjs"] };
  const every = NAMELESS.trimEnd()
    .split("\n")
    .map((_, at) => ({ at: at + 1, watch: ["this", "k", "n", "v", "q"] }));
  const { stdout } = await programs.points(every, { launch });
  expect(stdout).toBe(execFileSync(path, ["app.cjs"], { cwd: programs.folder, encoding: "utf8" }));
});

/** Each of these makes V8 compile the code around it to something slower, though the line is never reached. */
test("a line in a loop gets no function and no call", () => {
  const text = `const limit = 3;
function work(n) {
  for (let i = 0; i < n; i++) {
    if (i < 0) {
      return i;
    }
  }
}
`;
  const path = "/code.js";
  const points = [{ key: "code.js:5", path, line: 5, expressions: ["i", "n + limit"] }];
  const lines = rewrite(text, path, "script", { points }, () => {}).split("\n");
  expect(lines[4]).toMatch(/^ {4} {2}(?:__sonde\$\w+=[\w$]+[,;])+return i;$/);
  expect(lines.filter((_, at) => at !== 0 && at !== 4)).toEqual(
    text.split("\n").filter((_, at) => at !== 0 && at !== 4),
  );
});
