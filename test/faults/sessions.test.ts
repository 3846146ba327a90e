/** Several sessions at once: which one a command means, and that none disturbs another. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { borrowSonde, createSonde, type Sonde } from "../support/sonde.ts";
import { at, nothingLeft, type Stopped, sessions } from "./world.ts";

/** A session in a folder of its own, stopped at a line where `name` is its name. */
async function stoppedIn(sonde: Sonde, folder: string, name = folder): Promise<Stopped> {
  const text = `const name = ${JSON.stringify(name)};\nlet n = 0;\nfor (;;) {\n  n += 1; // @marker loop\n}\n`;
  sonde.write(`${folder}/${name}.js`, text);
  const where = at(sonde, `${folder}/${name}.js`, "loop");
  const start = ["start", `${name}.js`, "--break", `${name}.js:${where.split(":").at(-1)}`];
  const result = await sonde.ask<MoveResult>(start, { cwd: folder });
  if (result.state !== "stopped") throw new Error(JSON.stringify(result));
  return result.snapshot;
}

const nameIn = async (sonde: Sonde, cwd: string, more: string[] = [], env: Record<string, string> = {}) =>
  (await sonde.ask<{ value: string }>(["print", "name", ...more], { cwd, env })).value;

test("sessions that start at the same moment have names of their own, and all of them end", async () => {
  const sonde = borrowSonde();
  sonde.write("spin.js", "setInterval(() => {}, 1000);\n");
  await sonde.ask("sessions"); // the daemon is there
  await Promise.all([1, 2, 3, 4].map(() => sonde.ask("start spin.js --no-wait")));
  expect((await sessions(sonde)).map(({ name }) => name).sort()).toEqual([
    "spin",
    "spin-2",
    "spin-3",
    "spin-4",
  ]);
  const given = ["start", "spin.js", "--no-wait", "--name", "mine"];
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => sonde.ask(given)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await sonde.ask("stop --all");
  await nothingLeft(sonde);
});

describe("two sessions in two folders", () => {
  test("each folder means its own; what one does the other does not feel", async () => {
    const sonde = borrowSonde();
    await stoppedIn(sonde, "one");
    await stoppedIn(sonde, "two");
    expect(await nameIn(sonde, "one")).toBe('"one"');
    expect(await nameIn(sonde, "two")).toBe('"two"');
    for (let i = 0; i < 3; i++) await sonde.ask("continue", { cwd: "one" });
    expect((await sonde.ask<{ value: string }>("print n", { cwd: "one" })).value).toBe("3");
    expect((await sonde.ask<{ value: string }>("print n", { cwd: "two" })).value).toBe("0");
    await sonde.ask("breakpoint remove --all", { cwd: "one" });
    expect(await sonde.text("breakpoint list", { cwd: "two" })).toContain("two.js");
    await sonde.ask("stop", { cwd: "one" });
    expect((await sessions(sonde)).map(({ name, state }) => [name, state])).toEqual([["two", "stopped"]]);
    expect(await nameIn(sonde, "two")).toBe('"two"');
  });

  test("a program that ended in this folder is still what this folder means", async () => {
    const sonde = borrowSonde();
    await stoppedIn(sonde, "one");
    sonde.write("two/short.js", "console.log('only this'); process.exit(3);\n");
    await sonde.ask("start short.js", { cwd: "two" });
    expect(await sonde.text("output", { cwd: "two" })).toContain("only this");
    expect(await sonde.refusal("next", { cwd: "two" })).toMatchObject({
      code: "SESSION_ENDED",
      message: "short has ended (exit code 3)",
    });
    expect(await nameIn(sonde, "one")).toBe('"one"');
  });

  test("at the same time: sixteen moves at once, each to its own", async () => {
    const sonde = borrowSonde();
    await stoppedIn(sonde, "one");
    await stoppedIn(sonde, "two");
    const rounds = Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? "one" : "two"));
    const values = await Promise.all(rounds.map((cwd) => nameIn(sonde, cwd)));
    expect(values).toEqual(rounds.map((cwd) => JSON.stringify(cwd)));
  });

  test("a third folder: ambiguous until one is named", async () => {
    const sonde = borrowSonde();
    await stoppedIn(sonde, "one");
    await stoppedIn(sonde, "two");
    mkdirSync(join(sonde.project, "three"));
    const refusal = await sonde.refusal("print name", { cwd: "three" });
    expect(refusal).toMatchObject({
      code: "AMBIGUOUS_SESSION",
      status: 3,
      hint: expect.stringContaining("-s"),
    });
    expect(refusal.message).toMatch(/one/);
    expect(refusal.message).toMatch(/two/);
    expect(await nameIn(sonde, "three", ["-s", "one"])).toBe('"one"');
    // Named once, it is the one last used here.
    expect(await nameIn(sonde, "three")).toBe('"one"');
    expect(await nameIn(sonde, "three", [], { SONDE_SESSION: "two" })).toBe('"two"');
    expect(await nameIn(sonde, "three", ["-s", "one"], { SONDE_SESSION: "two" })).toBe('"one"');
  });

  test("the only one alive is meant anywhere", async () => {
    const sonde = borrowSonde();
    await stoppedIn(sonde, "one");
    mkdirSync(join(sonde.project, "elsewhere"));
    expect(await nameIn(sonde, "elsewhere")).toBe('"one"');
  });
});

describe("two sessions in one folder", () => {
  test("the last used is meant; -s changes that", async () => {
    const sonde = borrowSonde();
    await stoppedIn(sonde, "shared", "first");
    await stoppedIn(sonde, "shared", "second");
    expect(await nameIn(sonde, "shared")).toBe('"second"');
    expect(await nameIn(sonde, "shared", ["-s", "first"])).toBe('"first"');
    expect(await nameIn(sonde, "shared")).toBe('"first"');
    await sonde.ask("stop -s second", { cwd: "shared" });
    expect(await nameIn(sonde, "shared")).toBe('"first"');
  });

  test("of one program: a name of its own each", async () => {
    const sonde = borrowSonde();
    sonde.fixture("js/idle.js");
    await sonde.ask("start idle.js --no-wait");
    await sonde.ask("start idle.js --no-wait");
    await sonde.ask("start idle.js --no-wait --name mine");
    expect((await sessions(sonde)).map(({ name }) => name).sort()).toEqual(["idle", "idle-2", "mine"]);
    expect(await sonde.refusal("start idle.js --no-wait --name mine")).toMatchObject({
      code: "BAD_ARGUMENT",
      hint: expect.stringContaining("stop -s mine"),
    });
    await sonde.ask("stop --all");
    await nothingLeft(sonde);
  });
});

describe("naming", () => {
  test("a session that is not there is an error that lists those that are", async () => {
    const sonde = borrowSonde();
    await stoppedIn(sonde, "alpha");
    for (const [how, env] of [
      [["-s", "alhpa"], {}],
      [[], { SONDE_SESSION: "alhpa" }],
    ] as const) {
      expect(await sonde.refusal(["print", "name", ...how], { env })).toMatchObject({
        code: "NO_SESSION",
        status: 3,
        message: expect.stringContaining("alhpa"),
        hint: expect.stringContaining("alpha"),
      });
    }
    expect(await sonde.refusal("print 1 -s zzz")).toMatchObject({ hint: expect.stringContaining("alpha") });
  });

  test("without any session every command that needs one says what to type", async () => {
    const sonde = borrowSonde();
    for (const command of [
      "continue",
      "next",
      "print x",
      "context",
      "output",
      "await",
      "detach",
      "restart",
    ]) {
      expect(await sonde.refusal(command), command).toMatchObject({
        code: "NO_SESSION",
        status: 3,
        hint: expect.stringContaining("sonde start"),
      });
    }
    for (const command of ["stop", "stop --all"])
      expect(await sonde.text(command)).toBe("no session to stop\n");
    expect(await sonde.text("sessions")).toBe("no sessions\n");
  });
});

test("`stop` then `start` at once, several times", async () => {
  const sonde = borrowSonde();
  sonde.fixture("js/stats.js");
  const start = ["start", "stats.js", "--break", at(sonde, "stats.js", "mean-add")];
  for (let i = 0; i < 4; i++) {
    expect(await sonde.ask<MoveResult>(start)).toMatchObject({
      state: "stopped",
      snapshot: { session: "stats" },
    });
    await sonde.ask("stop");
  }
  await nothingLeft(sonde);
});

test("start and stop at the same time end in one of the two", async () => {
  const sonde = borrowSonde();
  sonde.fixture("js/idle.js");
  for (let i = 0; i < 5; i++) {
    const starting = sonde.json<MoveResult>("start idle.js --timeout 1");
    const stopping = sonde.json("stop --all");
    const [started] = await Promise.all([starting, stopping]);
    if (started.ok) expect(["running", "exited"]).toContain(started.data.state);
    else expect(started.error.code).toMatch(/SESSION_ENDED|ADAPTER_FAILED|LAUNCH_FAILED|CANCELLED/);
    await sonde.ask("stop --all");
    await nothingLeft(sonde);
  }
});

describe("a session nobody asks", () => {
  test("is ended after a while, and the next command says so", async () => {
    const sonde = createSonde();
    sonde.config("[daemon]\nsession_idle_minutes = 0.02\n");
    sonde.fixture("js/idle.js");
    await sonde.ask("start idle.js --no-wait");
    await nothingLeft(sonde);
    const refusal = await sonde.refusal("pause");
    expect(refusal).toMatchObject({ code: "NO_SESSION", status: 3 });
    expect(refusal.message).toMatch(
      /session idle was ended after .* without a command; the program was terminated/,
    );
  });

  test("is not, as long as someone waits for it", async () => {
    const sonde = createSonde();
    sonde.config("[daemon]\nsession_idle_minutes = 0.02\n");
    sonde.write("app.js", "setTimeout(() => process.exit(4), 4000);\n");
    expect(await sonde.ask<MoveResult>("start app.js")).toMatchObject({ state: "exited", exitCode: 4 });
  });
});

test("a folder below a session's own means that session, unless another is nearer", async () => {
  const sonde = borrowSonde();
  await stoppedIn(sonde, "outer");
  await stoppedIn(sonde, "outer/inner", "inner");
  sonde.write("outer/inner/deep/x.txt", "");
  sonde.write("outer/other/x.txt", "");
  const named = async (cwd: string) => (await sonde.ask<{ session: string }>("context", { cwd })).session;
  expect(await named("outer/inner/deep")).toBe("inner");
  expect(await named("outer/other")).toBe("outer");
  expect(await named("outer")).toBe("outer");
});
