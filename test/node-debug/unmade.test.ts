/** Lines of functions that V8 has not compiled yet, or never will: bound where they are, hit in their own function or not at all. */
import { join } from "node:path";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import { type Debuggee, debug, project } from "./debuggee.ts";

interface Line {
  /** As asked. */
  at: number;
  /** As bound; `at` itself if not given. */
  bound?: number;
  /** `function:line` of the first hit; absent: never. */
  hit?: string;
  /** V8 makes nothing of the function; of those at the top of an ES module it makes all. */
  unmade?: "always" | "commonjs";
  only?: "app.cjs" | "app.mjs";
}

/** Line 1 of each is where the second half of the tests stops to set its breakpoints. */
const PROGRAMS: Record<string, { text: string; lines: Line[] }> = {
  "behind the module's code": {
    text: 'console.log("hi");\nfunction never() {\n  return 1;\n}\n',
    lines: [
      { at: 3, unmade: "commonjs" },
      { at: 2, bound: 3, unmade: "commonjs" },
      { at: 4, unmade: "commonjs", only: "app.cjs" },
      { at: 4, bound: 3, only: "app.mjs" },
    ],
  },
  "a callback in it": {
    text: "setTimeout(() => {}, 1);\nfunction never() {\n  setTimeout(() => {\n    console.log(1);\n  }, 100);\n}\nsetTimeout(() => {}, 1);\n",
    lines: [
      { at: 4, unmade: "commonjs" },
      { at: 3, unmade: "commonjs" },
      { at: 7, hit: "<module>:7" },
    ],
  },
  "an arrow function with a comment": {
    text: "const f = () => {\n  // nothing\n  console.log(2);\n};\n",
    lines: [{ at: 3 }, { at: 2, bound: 3 }],
  },
  "the last line of the file": {
    text: "setTimeout(() => {}, 1);\nfunction never() {\n  console.log(1); }\n",
    lines: [{ at: 3, unmade: "commonjs" }],
  },
  "referred to, not called": {
    text: "globalThis.f = later;\nfunction later() {\n  return 1;\n}\nconsole.log(1);\n",
    lines: [
      { at: 3 },
      { at: 2, bound: 3 },
      { at: 4, bound: 5, hit: "<module>:5" },
      { at: 5, hit: "<module>:5" },
    ],
  },
  "inside a function that is called": {
    text: "outer();\nfunction outer() {\n  function never() {\n    return 1;\n  }\n  return 2;\n}\n",
    lines: [
      { at: 4, unmade: "always" },
      { at: 6, hit: "outer:6" },
    ],
  },
  "inside a function that is not called": {
    text: "globalThis.f = outer;\nfunction outer() {\n  const inner = () => {\n    return 1;\n  };\n  function never() {\n    return 3;\n  }\n  return inner;\n}\n",
    lines: [{ at: 4 }, { at: 7, unmade: "always" }, { at: 9 }],
  },
  "async, generators": {
    text: "ran();\nasync function never() {\n  await 1;\n}\nfunction* none() {\n  yield 1;\n}\nasync function ran() {\n  await 1;\n}\n",
    lines: [
      { at: 3, unmade: "commonjs" },
      { at: 6, unmade: "commonjs" },
      { at: 9, hit: "ran:9" },
    ],
  },
  "methods, fields, static blocks": {
    text: "globalThis.n = 0;\nclass A {\n  method() {\n    return 1;\n  }\n  field = () => {\n    return 2;\n  };\n  static {\n    function never() {\n      return 3;\n    }\n  }\n  get got() {\n    return 4;\n  }\n}\nnew A().got;\n",
    lines: [{ at: 4 }, { at: 7 }, { at: 11, unmade: "always" }, { at: 15, hit: "get got:15" }],
  },
  "code that cannot be reached": {
    text: "globalThis.n = 0;\nif (false) {\n  setTimeout(() => {\n    console.log(1);\n  });\n}\nconsole.log(2);\n",
    lines: [
      { at: 4, unmade: "always" },
      { at: 7, hit: "<module>:7" },
    ],
  },
  "a line that holds no code": {
    text: "globalThis.n = 0;\n\nfunction never() {\n  return 1;\n}\n\n// nothing\nconsole.log(1);\n",
    lines: [
      { at: 2, bound: 8, hit: "<module>:8", only: "app.cjs" },
      { at: 2, bound: 4, only: "app.mjs" },
      { at: 6, bound: 8, hit: "<module>:8" },
      { at: 7, bound: 8, hit: "<module>:8" },
    ],
  },
  "called once before, and again": {
    text: "work();\nwork();\nfunction work() {\n  const n = 1;\n\n  return n;\n}\nconsole.log(1);\n",
    lines: [
      { at: 4, hit: "work:4" },
      { at: 5, bound: 6, hit: "work:6" },
      { at: 3, bound: 4, hit: "work:4" },
    ],
  },
};

/** The last word on a breakpoint. */
function told(d: Debuggee, id: number): Record<string, unknown> {
  return d.events
    .filter(({ event }) => event === "breakpoint")
    .map(({ body }) => body.breakpoint as Record<string, unknown>)
    .findLast((one) => one.id === id) as Record<string, unknown>;
}

function noteOf(name: string, { at, bound = at, unmade }: Line): string | undefined {
  const notes = [
    ...(bound === at ? [] : [`line ${at} has no code; bound to line ${bound}`]),
    ...(unmade === "always" || (unmade === "commonjs" && name.endsWith(".cjs"))
      ? [`nothing can call the function around line ${bound}: it will not be hit`]
      : []),
  ];
  return notes.length === 0 ? undefined : notes.join("; ");
}

/** Goes on until every line that can be hit has been; then to the end, with the others still set. */
async function follow(d: Debuggee, app: string, asked: Map<number, Line>): Promise<void> {
  const missing = new Set([...asked].flatMap(([id, { hit }]) => (hit === undefined ? [] : [id])));
  while (missing.size > 0) {
    const { hitBreakpointIds } = await d.stop();
    const at = await d.at();
    for (const id of hitBreakpointIds as number[]) {
      expect(`${asked.get(id)?.at} in ${at}`).toBe(`${asked.get(id)?.at} in ${asked.get(id)?.hit}`);
      missing.delete(id);
    }
    if (missing.size > 0) await d.request("continue");
  }
  const never = [...asked.values()].filter(({ hit }) => hit === undefined);
  const isStopped = never.length < asked.size;
  if (isStopped) await d.setBreakpoints(app, never.map(wish));
  const stops = d.stops;
  if (isStopped) await d.request("continue");
  expect(await d.end()).toBe(0);
  expect(d.stops).toBe(stops);
}

/** With a condition, so that one that is added is not the one that was there. */
const wish = ({ at }: Line) => ({ line: at, condition: "true" });

const shown = ({ verified, line, message }: { verified?: unknown; line?: unknown; message?: unknown }) => [
  verified,
  line,
  message,
];

for (const name of ["app.cjs", "app.mjs"])
  for (const [what, { text, lines }] of Object.entries(PROGRAMS)) {
    const here = lines.filter(({ only = name }) => only === name);
    const truth = here.map((one) => [true, one.bound ?? one.at, noteOf(name, one)]);

    test(`${name}: ${what}: set before the start`, async () => {
      const app = join(project({ [name]: text }), name);
      const d = await debug(app);
      const set = await d.setBreakpoints(app, here.map(wish));
      await d.run();
      await follow(d, app, new Map(here.map((one, at) => [set[at]?.id ?? 0, one])));
      expect(set.map(({ id }) => shown(told(d, id ?? 0)))).toEqual(truth);
    });

    test(`${name}: ${what}: added at a stop`, async () => {
      const app = join(project({ [name]: text }), name);
      const d = await debug(app);
      await d.setBreakpoints(app, [1]);
      await d.run();
      await d.stop();
      const set = await d.setBreakpoints(app, here.map(wish));
      expect(set.map(shown)).toEqual(truth);
      await d.request("continue");
      await follow(d, app, new Map(here.map((one, at) => [set[at]?.id ?? 0, one])));
    });
  }

for (const name of ["lib.cjs", "lib.mjs"]) {
  const text = `${name === "lib.cjs" ? "exports.used = used;\n" : "export { used as other };\n"}function used() {
  return 1;
}
function never() {
  return 2;
}
globalThis.done = true;
`;
  test(`${name}: a file that is loaded later, its function called later still`, async () => {
    const dir = project({
      [name]: text,
      "app.mjs": `const lib = await import("./${name}");\n(lib.used ?? lib.other)();\n`,
    });
    const lib = join(dir, name);
    const d = await debug(join(dir, "app.mjs"));
    expect(await d.setBreakpoints(lib, [6, 3])).toMatchObject([
      { verified: false, reason: "pending", line: 6 },
      { verified: false, reason: "pending", line: 3 },
    ]);
    await d.run();
    expect(await d.stop()).toMatchObject({ hitBreakpointIds: [2] });
    expect(await d.at()).toBe("used:3");
    const { verified, line, message } = told(d, 1);
    expect([verified, line, message]).toEqual([true, 6, noteOf(name, { at: 6, unmade: "commonjs" })]);
    expect(told(d, 2)).toMatchObject({ verified: true, line: 3 });
    await d.request("continue");
    expect(await d.end()).toBe(0);
    expect(d.stops).toBe(1);
  });

  test(`${name}: by name, a function that nothing can call`, async () => {
    const app = join(project({ [name]: text }), name);
    const d = await debug(app);
    await d.request("setFunctionBreakpoints", { breakpoints: [{ name: "never" }] });
    await d.setBreakpoints(app, [8]);
    await d.run();
    expect(await d.stop()).toMatchObject({ hitBreakpointIds: [2] });
    expect(await d.at()).toBe("<module>:8");
    const { verified, line, message } = told(d, 1);
    const bound = name === "lib.cjs" ? 5 : 6;
    expect([verified, line, message]).toEqual([true, bound, noteOf(name, { at: bound, unmade: "commonjs" })]);
  });
}

for (const name of ["app.cjs", "app.mjs"])
  test(`${name}: set while the program runs`, async () => {
    const text = `process.stdin.once("data", () => { later(); process.exit(); });
function later() {
  function never() {
    return 1;
  }
  return 2;
}
console.log("ready");
`;
    const app = join(project({ [name]: text }), name);
    const d = await debug(app);
    await d.run();
    await d.printed("ready");
    const set = await d.setBreakpoints(app, [4, 6]);
    expect(set.map(shown)).toEqual([
      [true, 4, noteOf(name, { at: 4, unmade: "always" })],
      [true, 6, undefined],
    ]);
    d.child.stdin?.write("go\n");
    expect(await d.stop()).toMatchObject({ hitBreakpointIds: [2] });
    expect(await d.at()).toBe("later:6");
  });

const TYPED = `interface Shape { size: number }

export function used(shape: Shape): number {
  function never(): number {
    return 1;
  }
  return shape.size;
}
function alone(): number {
  return 2;
}
used({ size: 1 });
`;

for (const format of ["cjs", "esm"] as const)
  test(`${format}: code that was compiled from something else`, async () => {
    const { code, map } = transformSync(TYPED, {
      loader: "ts",
      format,
      sourcemap: "external",
      sourcefile: "app.ts",
    });
    const name = format === "cjs" ? "app.cjs" : "app.mjs";
    const dir = project({
      "app.ts": TYPED,
      [name]: `${code}//# sourceMappingURL=app.map\n`,
      "app.map": map,
    });
    const source = join(dir, "app.ts");
    const d = await debug(join(dir, name));
    const lines = [5, 7, 10];
    const notes = [
      noteOf(name, { at: 5, unmade: "always" }),
      undefined,
      noteOf(name, { at: 10, unmade: "commonjs" }),
    ];
    await d.setBreakpoints(source, lines);
    await d.run();
    expect(await d.stop()).toMatchObject({ hitBreakpointIds: [2] });
    expect(await d.at()).toBe("used:7");
    const truth = lines.map((line, at) => [true, line, notes[at]]);
    expect([1, 2, 3].map((id) => shown(told(d, id)))).toEqual(truth);
    const late = await d.setBreakpoints(
      source,
      lines.map((line) => ({ line, condition: "true" })),
    );
    expect(late.map(shown)).toEqual(truth);
    await d.request("continue");
    expect(await d.end()).toBe(0);
    expect(d.stops).toBe(1);
  });
