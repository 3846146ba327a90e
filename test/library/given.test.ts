/** What a caller gives: nothing is accepted and ignored, and a slip is met with the right name. */
import { expect, test } from "vitest";
import type { Command } from "../../src/commands/define.ts";
import { readOptions } from "../../src/commands/library-words.ts";
import { SondeError } from "../../src/errors.ts";
import { createSonde, launch, Session, trace } from "../../src/index.ts";
import type { Backend } from "../../src/library/backend.ts";
import { find } from "../support/spoken.ts";
import { createProject, run } from "./package.ts";

async function refused(call: () => unknown): Promise<{ code: string; message: string; hint: string }> {
  try {
    await call();
  } catch (thrown) {
    if (!(thrown instanceof SondeError)) throw thrown;
    return { code: thrown.code, message: thrown.message, hint: thrown.hint ?? "" };
  }
  throw new Error("it was not refused");
}

/** As a program in JavaScript has it. */
const loosely = (value: unknown) => value as never;

test("options are an object", async () => {
  expect(await refused(() => launch(loosely(undefined)))).toMatchObject({
    code: "BAD_ARGUMENT",
    message: "launch takes its options as an object",
    hint: "usage: `launch({ … })`",
  });
  expect((await refused(() => launch(loosely("app.js")))).message).toContain('not "app.js"');
  for (const call of [
    "attach",
    "probe",
    "trace",
    "diff",
    "crash",
    "hang",
    "test",
    "getRuntimeFeedback",
  ] as const) {
    const { code, message } = await refused(() => createSonde()[call](loosely(undefined)));
    expect({ code, message }).toEqual({
      code: "BAD_ARGUMENT",
      message: `${call} takes its options as an object`,
    });
  }
});

test.each<[string, unknown, string, RegExp]>([
  ["a mode", { mode: "daemons" }, 'createSonde has no mode "daemons"', /^did you mean "daemon"\?$/],
  ["an option", { modee: "x" }, "createSonde takes no option `modee`", /^did you mean `mode`\?/],
])("createSonde knows %s by its name", async (_, options, message, hint) => {
  expect(await refused(() => createSonde(loosely(options)))).toEqual({
    code: "BAD_ARGUMENT",
    message,
    hint: expect.stringMatching(hint),
  });
});

test.each<[unknown, RegExp, RegExp]>([
  [
    { program: "a.js", breakpoint: ["a.js:1"] },
    /takes no option `breakpoint`/,
    /^did you mean `breakpoints`\? .*\bargs\b/,
  ],
  [
    { program: "a.js", command: ["node", "a.js"] },
    /`program` with `args`, or `command`, not both/,
    /whole command line/,
  ],
  [{ command: ["node", "a.js"], args: ["1"] }, /not both/, /whole command line/],
  [{ program: "a.js", args: "one two" }, /`args` is a list/, /^args: \["one","two"\]$/],
  [{ program: "a.js", env: ["A=1"] }, /`env`: must be an object/, /^usage: `launch\(\{ program, /],
])("launch(%j)", async (options, message, hint) => {
  expect(await refused(() => launch(loosely(options)))).toEqual({
    code: "BAD_ARGUMENT",
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
  });
});

test("one text where a list is meant", () => {
  const read = (name: string, options: object) => readOptions(find(name) as Command, { ...options });
  expect(read("trace", { function: "merge", command: "python3 'my app.py' -v" })).toEqual({
    function: ["merge"],
    args: ["python3", "my app.py", "-v"],
  });
  expect(read("diff", { a: "node a.js", b: ["node", "b.js"] })).toEqual({
    a: ["node", "a.js"],
    b: ["node", "b.js"],
  });
  expect(read("start", { program: "a.js", breakpoints: "a.js:3" })).toEqual({
    program: "a.js",
    break: ["a.js:3"],
  });
});

test("a trace needs a place or a function, and `watch` is neither", async () => {
  const { message, hint } = await refused(() => trace({ command: ["node", "a.js"], watch: ["x"] }));
  expect(message).toBe("trace what?");
  expect(hint).toMatch(/`at: .*`function: /);
});

test("a session that was found and stopped says so, and stops once", async () => {
  const asked: string[] = [];
  const backend: Backend = {
    call: async (command) => {
      asked.push(command);
      return { ended: [{ session: "web", attached: false }] };
    },
    isHere: false,
    session: () => undefined,
    interrupt: () => {},
    close: async () => {},
  };
  const session = Session.found({ backend, cwd: "/", env: {} }, "web");
  const both = await Promise.all([session.stop(), session.stop()]);
  expect([...both, await session.stop()]).toEqual(
    Array(3).fill({ ended: [{ session: "web", attached: false }] }),
  );
  expect(asked).toEqual(["stop"]);
  expect((await refused(() => session.on("stopped", () => {}))).code).toBe("NO_SESSION");
});

test("after the end a call fails in the same way, whoever opened the session", {
  timeout: 60_000,
}, async () => {
  const sonde = createProject();
  sonde.write("loop.js", "let a = 1;\na++;\n");
  const said = await run(
    sonde,
    `import { createSonde, launch } from "sonde";
    const options = { program: "loop.js", breakpoints: "loop.js:2" };
    const own = createSonde();
    for (const open of [() => launch(options), () => own.launch(options)]) {
      await using session = await open();
      say(session.opened.snapshot.values.map(({ name, value }) => [name, value]));
      await session.stop();
      await session.stop();
      await session[Symbol.asyncDispose]();
      await session.next().catch(({ code, message, hint }) => say([code, message.replace(/loop\\S*/, "loop"), hint.includes("launch")]));
    }
    await own.close();`.replace("await using session", "const session"),
  );
  const failed = ["NO_SESSION", "session loop has been stopped", true];
  expect(said).toEqual([[["a", "1"]], failed, [["a", "1"]], failed]);
});

test("another session is not asked by an option, and one that is gone tells of no events", {
  timeout: 60_000,
}, async () => {
  const sonde = createProject();
  sonde.write("loop.js", "let a = 1;\na++;\n");
  const said = await run(
    sonde,
    `import { createSonde } from "sonde";
    const own = createSonde();
    const session = await own.launch({ program: "loop.js", breakpoints: "loop.js:2", name: "one" });
    const told = ({ code, message, hint }) => say([code, message, hint]);
    await session.print("a", { session: "two" }).catch(told);
    await session.breakpoints.list({ session: "two" }).catch(told);
    await own.call("print", { expression: "a", session: "two" }).catch(told);
    await own.call("print", { expression: "a" }, { sesion: "one" }).catch(told);
    say((await own.call("print", { expression: "a" }, { session: "one" })).value);
    try { session.on("stoped", () => {}); } catch (error) { told(error); }
    await own.call("stop", {}, { session: "one" });
    try { session.on("stopped", () => {}); } catch (error) { told(error); }
    await own.close();
    try { session.on("stopped", () => {}); } catch (error) { told(error); }`,
  );
  const other = '`sonde.session("two")` returns the other one';
  const gone = [
    "NO_SESSION",
    'on("stopped"): there is no session one',
    expect.stringContaining("sessions()"),
  ];
  expect(said).toEqual([
    ["BAD_ARGUMENT", "print: this object is the session one", other],
    ["BAD_ARGUMENT", "breakpoint list: this object is the session one", other],
    [
      "BAD_ARGUMENT",
      "call: `session` belongs in the options, after the arguments",
      'call("print", { … }, { session: "two" })',
    ],
    ["BAD_ARGUMENT", "call takes no option `sesion`", expect.stringMatching(/^did you mean `session`\?/)],
    "1",
    ["BAD_ARGUMENT", 'on: there is no event "stoped"', "there are: stopped, output, note, ended"],
    gone,
    gone,
  ]);
});
