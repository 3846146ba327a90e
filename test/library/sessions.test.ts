/** Sessions by the library, in both modes: what is asked is what the commands answer. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { binary } from "../support/sonde.ts";
import { createProject, ROOT, run } from "./package.ts";

function orders() {
  const sonde = createProject();
  cpSync(join(ROOT, "examples/orders/orders.js"), join(sonde.project, "orders.js"));
  return sonde;
}

describe.each(["process", "daemon"])("in mode %s", (mode) => {
  const open = `
    import { createSonde } from "sonde";
    const sonde = createSonde({ mode: "${mode}" });
    const session = await sonde.launch({ program: "orders.js", breakpoints: ["orders.js:23"], eval: ["total"] });`;

  test("a program is started, looked at, changed and run out", { timeout: 60_000 }, async () => {
    const said = await run(
      orders(),
      `${open}
      say(session.opened.state + " " + session.opened.snapshot.frame.line + " " + session.opened.evaluations[0].value.value);
      say((await session.print("pieces")).value);
      say((await session.evaluate("pieces + 1")).value);
      await session.set("pieces", "100");
      const stepped = await session.next();
      say(stepped.snapshot.values.find((one) => one.name === "pieces"));
      say((await session.backtrace()).frames.map((one) => one.function));
      say((await session.locals()).scopes.length > 0);
      say((await session.threads()).threads.length);
      say((await session.up()).frame.line);
      say((await session.breakpoints.list()).breakpoints.map(({ at, hits }) => ({ at, hits })));
      say((await session.breakpoints.add("orders.js:25")).breakpoints[0].state);
      say((await session.breakpoints.remove([1])).breakpoints.length);
      say((await session.continue()).snapshot.frame.line);
      say((await session.restart()).snapshot.frame.line);
      await session.breakpoints.remove("all");
      const end = await session.continue({ timeout: 20 });
      say([end.state, end.exitCode]);
      say((await session.output()).lines.map((line) => line.text));
      await sonde.close();`,
    );
    expect(said).toEqual([
      "stopped 23 13.5",
      "0",
      "1",
      { name: "pieces", value: '"1003"', type: "string", change: "changed", was: expect.any(String) },
      ["report", "<module>"],
      true,
      1,
      28,
      [{ at: "orders.js:23", hits: 1 }],
      "bound",
      1,
      25,
      25,
      ["exited", 0],
      ["3 orders, 76.50 in all"],
    ]);
  });

  test("steps that are asked for together are made one after the other", async () => {
    const said = await run(
      orders(),
      `${open}
      const both = await Promise.all([session.next(), session.next(), session.print("pieces")]);
      say(both.slice(0, 2).map((one) => one.snapshot.frame.line));
      await sonde.close();`,
    );
    expect(said).toEqual([[21, 22]]);
  });

  test("`call` reaches any command, and answers what it answers with --json", async () => {
    const sonde = orders();
    const [viaCall, viaMethod] = await run(
      sonde,
      `${open}
      say(await sonde.call("context", {}, { session: session.name }));
      say(await session.call("context", {}));
      await session.stop();
      await sonde.close();`,
    );
    expect(viaMethod).toEqual(viaCall);
    const asked = await sonde.ask<{ snapshot: Record<string, unknown> }>(
      "start orders.js --break orders.js:23",
    );
    const comparable = (value: unknown) => JSON.stringify(value).replace(/@v\d+|orders-\d+/g, "…");
    const { session: _, output: __, ...snapshot } = asked.snapshot;
    const { session: ___, output: ____, ...answered } = viaCall as Record<string, unknown>;
    expect(comparable({ ...answered, source: [] })).toBe(comparable({ ...snapshot, source: [] }));
    await sonde.run("stop");
  });

  test("failures are SondeErrors that say what to do", async () => {
    const said = await run(
      orders(),
      `${open}
      import { SondeError } from "sonde";
      const refused = async (promise) => {
        const error = await promise.then(() => undefined, (thrown) => thrown);
        say({ is: error instanceof SondeError, code: error?.code, hint: typeof error?.hint });
      };
      await refused(session.until("nowhere.js:1"));
      await refused(session.call("next", { bogus: 1 }));
      const { handle } = session.opened.snapshot.values.find((one) => one.handle);
      await session.next();
      await refused(session.variables(handle));
      await refused(sonde.launch({ program: "missing.js" }));
      await refused(sonde.session("nobody").context());
      await refused(sonde.launch({ program: "orders.js", name: session.name }));
      await session.stop();
      await refused(session.context());
      await sonde.close();
      await refused(sonde.sessions());`,
    );
    expect(said).toMatchObject([
      { is: true, code: "BAD_LOCATION" },
      { is: true, code: "BAD_ARGUMENT", hint: "string" },
      { is: true, code: "STALE_HANDLE" },
      { is: true },
      { is: true, code: "NO_SESSION" },
      { is: true, code: "BAD_ARGUMENT" },
      { is: true, code: "NO_SESSION" },
      { is: true, code: "CANCELLED" },
    ]);
  });

  test("failures speak of calls and their options, not of the command line", async () => {
    const said = await run(
      orders(),
      `${open}
      const refused = async (promise) => {
        const { message, hint } = await promise.then(() => ({}), (thrown) => thrown);
        say([message, hint]);
      };
      await refused(sonde.launch({ program: "orders.js", breakpoints: [7] }));
      await refused(session.breakpoints.add("orders.js:3", { hitCount: "often" }));
      await refused(session.watches.add("pieces"));
      await refused(sonde.trace({ command: ["node", "orders.js"] }));
      await refused(session.registers());
      await session.call("continue", { noWait: true, removeBreak: [1] });
      await session.wait();
      await refused(session.next());
      await sonde.close();`,
    );
    expect(said).toEqual([
      [
        expect.stringMatching(/^launch `breakpoints`: /),
        expect.stringMatching(/^usage: `launch\(\{ program, /),
      ],
      ["`hitCount`: `often` is not a count", "5, >=5, >5 or %3"],
      [
        expect.stringMatching(/^session\.watches\.add: V8 cannot/),
        expect.stringContaining('`session.breakpoints.add("<file:line>", { log: "{expr}" })`'),
      ],
      [expect.any(String), expect.stringMatching(/^`at: .*`, `watch: .*`, `function: .*`, or `calls`/)],
      [
        expect.stringMatching(/^session\.registers: /),
        expect.stringContaining("`session.source()` and `session.step()`"),
      ],
      [expect.stringContaining("has ended"), expect.stringContaining("`session.restart()` runs it again")],
    ]);
    expect(JSON.stringify(said)).not.toMatch(/`sonde |(?<![\w-])--[a-z]/);
  });

  test("standard input, environment and arguments reach the program", async () => {
    const sonde = createProject();
    sonde.write(
      "echo.js",
      `process.stdin.on("data", (text) => console.log("[" + String(text).trim() + "]", process.env.COLOUR, process.argv[2]));`,
    );
    const said = await run(
      sonde,
      `import { createSonde } from "sonde";
      const sonde = createSonde({ mode: "${mode}" });
      const options = { program: "echo.js", args: ["a b"], env: { COLOUR: "red" } };
      const whole = await sonde.launch({ ...options, stdin: "from text" });
      say((await whole.output()).lines[0].text);
      const bytes = await sonde.launch({ ...options, stdin: new TextEncoder().encode("from bytes") });
      say((await bytes.output()).lines[0].text);
      const typed = await sonde.launch({ ...options, noWait: true });
      await typed.input("by hand");
      await typed.input({ eof: true });
      say((await typed.wait()).output.lines[0].text);
      await sonde.close();`,
    );
    expect(said).toEqual(["[from text] red a b", "[from bytes] red a b", "[by hand] red a b"]);
  });
});

test("a session is shared with the command line, both ways", async () => {
  const sonde = orders();
  await sonde.text("start orders.js --break orders.js:23 --name cli");
  const said = await run(
    sonde,
    `import { createSonde } from "sonde";
    import { execFileSync } from "node:child_process";
    const sonde = createSonde({ mode: "daemon" });
    say((await sonde.sessions()).sessions.map((one) => one.name));
    const found = sonde.session("cli");
    say((await found.next()).snapshot.frame.line);
    const own = await sonde.launch({ program: "orders.js", breakpoints: ["orders.js:23"], name: "own" });
    const listed = JSON.parse(execFileSync(${JSON.stringify(binary())}, ["sessions", "--json"], { encoding: "utf8" }));
    say(listed.data.sessions.map((one) => one.name).sort());
    await found[Symbol.asyncDispose]();
    await sonde.close();`,
  );
  expect(said).toEqual([["cli"], 21, ["cli", "own"]]);
  const { sessions } = await sonde.ask<{ sessions: { name: string }[] }>("sessions");
  expect(sessions.map(({ name }) => name)).toEqual(["cli"]); // its own is gone, the other's is not
});

test("an attached process is left running", async () => {
  const sonde = createProject();
  sonde.fixture("js/idle.js");
  const idle = sonde.program(process.execPath, ["idle.js"]);
  await new Promise((ready) => idle.stdout?.once("data", ready));
  const said = await run(
    sonde,
    `import { attach } from "sonde";
    const session = await attach({ pid: ${idle.pid}, noWait: true });
    say(session.opened.state);
    say((await session.pause()).state);
    await session[Symbol.asyncDispose]();`,
  );
  expect(said).toEqual(["running", "stopped"]);
  expect(idle.exitCode).toBe(null);
  expect(idle.signalCode).toBe(null);
});
