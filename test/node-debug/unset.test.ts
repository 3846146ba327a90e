/** Variables whose declaration has not run yet where a frame stands: no value is shown, whatever V8 has in its place. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Debuggee, debug, marker, project } from "./debuggee.ts";

const UNSET = "<uninitialized>";

async function stopAt(source: string, name = "app.cjs"): Promise<Debuggee> {
  const app = join(project({ [name]: source }), name);
  const d = await debug(app);
  await d.setBreakpoints(app, [marker(app, "here")]);
  await d.run();
  await d.stop();
  return d;
}

/** All that a frame's own scopes show; the innermost first. */
async function locals(d: Debuggee, frameName: string): Promise<Record<string, string>[]> {
  const frame = (await d.frames()).find(({ name }) => name === frameName);
  const scopes = (await d.scopes(frame?.id)).filter(({ presentationHint }) => presentationHint === "locals");
  return Promise.all(
    scopes.map(async ({ variablesReference }) =>
      Object.fromEntries((await d.variables(variablesReference)).map((one) => [one.name, one.value])),
    ),
  );
}

const LOOP = `function lineFor(visit) {
  if (visit === 2)
    console.log(visit); // @here
  return { visit };
}
function run(visits) {
  const before = 1;
  var old;
  for (const visit of visits) {
    const first = visit * 10;
    const line = lineFor(visit);
    const { later, more: [most] = [] } = line;
    class Late {}
    void [first, later, most, Late];
  }
  let end = before, last;
  return [end, last, old];
}
run([1, 2]);
const after = 1;
`;

test("a call within a declaration: not what the round before left there", async () => {
  const d = await stopAt(LOOP);
  expect(await locals(d, "run")).toEqual([
    { first: "20", line: UNSET, later: UNSET, most: UNSET, Late: UNSET, visit: "2" },
    { before: "1", old: "undefined", end: UNSET, last: UNSET },
  ]);
  expect(await locals(d, "<module>")).toMatchObject([{ run: "ƒ run(visits)", after: UNSET }]);
});

test("each has its value once its declaration has run", async () => {
  const d = await stopAt(`function run() {
  const a = 1, b = a + 1; // @here
  let none;
  const c = b;
  return [c, none];
}
run();
`);
  const now = async () => (await locals(d, "run"))[0];
  expect(await now()).toEqual({ a: UNSET, b: UNSET, none: UNSET, c: UNSET });
  const seen: unknown[] = [];
  while ((await d.move("next")) !== "run:5") seen.push(await now());
  expect(seen).toContainEqual({ a: "1", b: "2", none: "undefined", c: UNSET });
  expect(await now()).toEqual({ a: "1", b: "2", none: "undefined", c: "2" });
});

test("a name of the block within is not the one around it", async () => {
  const d = await stopAt(`function run(n) {
  const same = 1;
  switch (n) {
    case 1:
      {
        console.log(same); // @here
        const other = 2;
        void other;
      }
      const kept = 3;
      void kept;
  }
  {
    const same = 4;
    void same;
  }
  return same;
}
run(1);
`);
  expect(await locals(d, "run")).toEqual([{ other: UNSET, kept: UNSET }, { same: "1" }]);
});

test("arrow functions, methods, what awaits", async () => {
  const d = await stopAt(`class Thing {
  async get(n) {
    const got = await this.load(n);
    const next = got;
    return next;
  }
  load = (n) => {
    const found = ((m) => stop(m))(n);
    return found;
  };
}
function stop(m) {
  return m; // @here
}
new Thing().get(1);
`);
  expect(await locals(d, "get")).toMatchObject([{ got: UNSET, next: UNSET }]);
  expect((await locals(d, "load"))[0]).toMatchObject({ found: UNSET });
});

test("a module's own variables", async () => {
  const d = await stopAt(
    `const one = 1;
const two = stop(one);
export const three = two;
function stop(n) {
  return n; // @here
}
`,
    "app.mjs",
  );
  expect(await locals(d, "<module>")).toMatchObject([{ one: "1", two: UNSET, three: UNSET }]);
});

const failureOf = (asked: Promise<unknown>) =>
  asked.then(
    () => "none",
    (error: Error) => error.message,
  );

test("asked for by name they are refused, not `undefined`; what has a value is given", async () => {
  const d = await stopAt(LOOP);
  const frame = (await d.frames()).find(({ name }) => name === "run");
  const ask = (expression: string, context = "watch") =>
    d.request<{ result: string }>("evaluate", { expression, frameId: frame?.id, context });
  for (const expression of ["line", "line.visit", "typeof later", "[first, end]", "Late"])
    for (const context of ["watch", "repl"])
      expect(await failureOf(ask(expression, context))).toMatch(
        /^ReferenceError: (line|later|end|Late) is not assigned yet: its declaration has not run here$/,
      );
  expect((await ask("first + before")).result).toBe("21");
  expect((await ask("((line) => line)(3)")).result).toBe("3");
  expect((await ask("({ line: old }).line")).result).toBe("undefined");
});

test("a variable of the function around that was set since is given", async () => {
  const d = await stopAt(`function run() {
  const get = () => {
    return late; // @here
  };
  const late = 7;
  return get();
}
run();
`);
  expect((await d.evaluate("late")).result).toBe("7");
});
