/** Many of everything, flags that are wrong, waits that are zero, and commands in a row. */
import { describe, expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { borrowSonde } from "../support/sonde.ts";
import { at, sessions, startStopped } from "./world.ts";

interface Rows {
  breakpoints: { id: number; state: string; hits: number }[];
}

test("200 breakpoints in one file: all bound, all hit, all removed", async () => {
  const sonde = borrowSonde();
  const lines = Array.from({ length: 200 }, (_, i) => `let v${i} = ${i};`);
  sonde.write("many.js", `${lines.join("\n")}\n`);
  const flags = lines.flatMap((_, i) => ["--break", `many.js:${i + 1}`]);
  expect(await sonde.ask<MoveResult>(["start", "many.js", ...flags])).toMatchObject({
    snapshot: { frame: { line: 1 } },
  });
  const { breakpoints } = await sonde.ask<Rows>("breakpoint list");
  expect(breakpoints.filter(({ state }) => state === "bound")).toHaveLength(200);
  for (let line = 2; line <= 40; line++) {
    const result = await sonde.ask<MoveResult>("continue");
    expect(result).toMatchObject({ snapshot: { frame: { line }, breakpoints: [{ id: line, hit: 1 }] } });
  }
  await sonde.ask("breakpoint remove --all");
  expect(await sonde.ask<MoveResult>("continue")).toMatchObject({ state: "exited", exitCode: 0 });
}, 60_000);

describe("words that are wrong", () => {
  test.each([
    [["start", "app.js", "--brek", "app.js:1"], "BAD_ARGUMENT", /--brek/, /--break/],
    [["start", "app.js", "--timeout"], "BAD_ARGUMENT", /--timeout/, undefined],
    [["start", "app.js", "--timeout", "soon"], "BAD_ARGUMENT", /not a number/, undefined],
    [["start", "app.js", "--timeout", "-1"], "BAD_ARGUMENT", /timeout/, undefined],
    [["start", "app.js", "extra"], "BAD_ARGUMENT", /extra/, /--/],
    [["start", "app.js", "--break", "app.js:99"], "BAD_LOCATION", /no line 99/, /nearest/],
    [["start", "app.js", "--break", "nope.js:1"], "BAD_LOCATION", /no file nope.js/, undefined],
    [["start", "app.js", "--env", "NOPE"], "BAD_ARGUMENT", /KEY=VALUE/, undefined],
    [["start", "app.js", "--arg-json", "[1]"], "BAD_ARGUMENT", /JSON object/, undefined],
    [["start", "app.js", "--catch", "nope"], "BAD_ARGUMENT", /nope/, /uncaught/],
    [["start", "app.js", "--adapter", "nope"], "BAD_ARGUMENT", /nope/, /node/],
    [["start"], "BAD_ARGUMENT", /start what/, /sonde start/],
    [["attach"], "BAD_ARGUMENT", /attach to what/, /sonde attach/],
    [["attach", "12ab"], "BAD_ARGUMENT", /12ab/, undefined],
    [["attach", "--port", "99999"], "BAD_ARGUMENT", /99999/, undefined],
    [["contniue"], "UNKNOWN_COMMAND", /contniue/, /continue/],
    [["breakpoint"], "UNKNOWN_COMMAND", /breakpoint/, /breakpoint add/],
  ])("%j", async (args, code, message, hint) => {
    const sonde = borrowSonde();
    sonde.write("app.js", "let x = 1;\n");
    const refusal = await sonde.refusal(args);
    expect(refusal).toMatchObject({ code, message: expect.stringMatching(message) });
    if (hint) expect(refusal.hint).toMatch(hint);
    expect(refusal.status).toBe(["BAD_LOCATION", "ADAPTER_MISSING"].includes(code) ? 1 : 2);
    expect(await sessions(sonde)).toEqual([]);
  });
});

describe("waits", () => {
  test("--timeout 0 and --no-wait answer at once, also when the program ends soon", async () => {
    const sonde = borrowSonde();
    sonde.fixture("js/idle.js");
    for (const flag of [["--timeout", "0"], ["--no-wait"]]) {
      expect(await sonde.ask<MoveResult>(["start", "idle.js", ...flag])).toMatchObject({
        state: "running",
        waitedSecs: 0,
      });
      expect(await sonde.ask<MoveResult>("pause")).toMatchObject({ state: "stopped" });
      expect(await sonde.ask<MoveResult>(["continue", ...flag])).toMatchObject({
        state: "running",
        waitedSecs: 0,
      });
      await sonde.ask("stop");
    }
  });

  test("longer than any timer is still a wait", async () => {
    const sonde = borrowSonde();
    sonde.write("app.js", "setTimeout(() => process.exit(5), 500);\n");
    expect(await sonde.ask<MoveResult>("start app.js --timeout 99999999")).toMatchObject({
      state: "exited",
      exitCode: 5,
    });
  });

  test("a stop that came while nobody waited is there for `await` and `context`, once", async () => {
    const sonde = borrowSonde();
    sonde.fixture("js/idle.js");
    await sonde.ask(["start", "idle.js", "--no-wait", "--break", at(sonde, "idle.js", "tick")]);
    await expect.poll(async () => (await sessions(sonde))[0]?.state).toBe("stopped");
    expect(await sonde.ask<MoveResult>("await")).toMatchObject({
      state: "stopped",
      snapshot: { breakpoints: [{ hit: 1 }] },
    });
    expect(await sonde.refusal("await")).toMatchObject({ code: "NOT_RUNNING", status: 4 });
    expect(await sonde.ask("context")).toMatchObject({ breakpoints: [{ hit: 1 }] });
  });

  test("commands that need a stop say so while the program runs, and what to type", async () => {
    const sonde = borrowSonde();
    sonde.fixture("js/idle.js");
    await sonde.ask("start idle.js --no-wait");
    for (const command of ["next", "print x", "locals", "backtrace", "up", "context", "set x 1"]) {
      expect(await sonde.refusal(command), command).toMatchObject({
        code: "NOT_STOPPED",
        status: 4,
        hint: expect.stringContaining("sonde pause"),
      });
    }
  });

  test("two moves at once: both get a true answer", async () => {
    const sonde = borrowSonde();
    await startStopped(sonde, "idle.js", "tick");
    const both = await Promise.all([sonde.json<MoveResult>("continue"), sonde.json<MoveResult>("continue")]);
    for (const one of both) {
      if (one.ok) expect(one.data).toMatchObject({ state: "stopped" });
      else expect(one.error.code).toBe("NOT_STOPPED");
    }
    expect(both.some((one) => one.ok)).toBe(true);
    expect(await sonde.ask<MoveResult>("continue")).toMatchObject({ state: "stopped" });
  });
});

describe("do", () => {
  test("stops at the first that fails, shows what went before, exits with its status", async () => {
    const sonde = borrowSonde();
    await startStopped(sonde, "stats.js", "mean-add");
    const { status, stdout, stderr } = await sonde.run(["do", "print total; print nowhere; next"]);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^> print total\ntotal = 0/);
    expect(stderr).toMatch(/nowhere is not defined/);
    expect(stdout).not.toContain("> next");
    expect(await sonde.ask("context")).toMatchObject({ breakpoints: [{ hit: 1 }] });
  });

  test("several, with quotes and semicolons inside them", async () => {
    const sonde = borrowSonde();
    await startStopped(sonde, "stats.js", "mean-add");
    const text = await sonde.text(["do", `continue; print '"a;b"'; print total`]);
    expect(text).toMatch(/^> print '"a;b"'\n"a;b" = "a;b"/m);
    expect(text).toMatch(/total = 1/);
    expect((await sonde.run(["do", "print 'open"])).status).toBe(2);
    expect((await sonde.run(["do", ""])).status).toBe(2);
    expect((await sonde.run(["do"])).status).toBe(2);
    expect((await sonde.run(["do", "nonsense"])).status).toBe(2);
  });
});

test("twelve sessions at once, each stopped at its own place", async () => {
  const sonde = borrowSonde();
  sonde.fixture("js/loop.js");
  const where = at(sonde, "loop.js", "loop-add");
  const starts = Array.from({ length: 12 }, (_, i) =>
    sonde.ask<MoveResult>(["start", "loop.js", "--name", `s${i}`, "--break", `${where} if i == ${i % 10}`], {
      timeoutMs: 60_000,
    }),
  );
  for (const [i, result] of (await Promise.all(starts)).entries()) {
    expect(result).toMatchObject({ state: "stopped", snapshot: { session: `s${i}` } });
    expect(await sonde.ask(["print", "i", "-s", `s${i}`])).toMatchObject({ value: String(i % 10) });
  }
  expect(await sessions(sonde)).toHaveLength(12);
}, 120_000);
