/** Values made to hurt, and expressions that never end: bounded bytes, bounded time, and a session that still works. */
import { describe, expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { at, sessions, startStopped } from "./world.ts";

interface Values {
  values: { name: string; value: string; handle?: string }[];
  more: number;
}

async function handleOf(sonde: Sonde, expression: string): Promise<string> {
  const { handle } = await sonde.ask<{ handle?: string }>(["print", expression]);
  if (handle === undefined) throw new Error(`${expression} has no handle`);
  return handle;
}

describe("hostile values", () => {
  async function hostile(): Promise<Sonde> {
    const sonde = borrowSonde();
    await startStopped(sonde, "hostile.js", "look");
    return sonde;
  }

  test("a snapshot of them is complete and within 4 KiB", async () => {
    const sonde = await hostile();
    const text = await sonde.text("context");
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
    for (const name of [
      "hugeText",
      "hugeList",
      "cyclic",
      "deep",
      "throwing",
      "endless",
      "deadly",
      "proxy",
      "keys",
    ])
      expect(text, name).toMatch(new RegExp(`^ {2}${name} = `, "m"));
    expect(text).toContain("stack\n  0 main");
    expect(Buffer.byteLength(await sonde.text("locals"))).toBeLessThan(8192);
    const { data } = (await sonde.json("context")) as unknown as { data: unknown };
    expect(JSON.stringify(data).length).toBeLessThan(16_384);
  });

  test("ten million elements: any page, the true rest", async () => {
    const sonde = await hostile();
    const list = await handleOf(sonde, "hugeList");
    const first = await sonde.ask<Values>(["variables", list]);
    expect(first.values[0]).toMatchObject({ name: "0", value: "7" });
    expect(first.values.length + first.more).toBe(10_000_000);
    const names = async (start: number, count: number) =>
      (
        await sonde.ask<Values>(["variables", list, "--start", String(start), "--count", String(count)])
      ).values.map(({ name }) => name);
    expect(await names(5_000_000, 3)).toEqual(["5000000", "5000001", "5000002"]);
    expect(await names(9_999_998, 10)).toEqual(["9999998", "9999999"]);
    expect(await names(10_000_000, 10)).toEqual([]);
    const wide = await handleOf(sonde, "wideObject");
    const keys = await sonde.ask<Values>(["variables", wide]);
    expect(keys.values.length + keys.more).toBe(100_000);
    expect((await sonde.ask<Values>(["variables", wide, "--start", "99999"])).values).toMatchObject([
      { name: "key99999" },
    ]);
  });

  test("an asked-for answer is never over its ceiling", async () => {
    const sonde = await hostile();
    const list = await handleOf(sonde, "hugeList");
    for (const args of [
      ["print", "hugeText"],
      ["print", "wideObject", "--depth", "8"],
      ["print", "deep", "--depth", "8"],
      ["print", "cyclic", "--depth", "8"],
      ["variables", list, "--count", "1000"],
      ["eval", "hugeText"],
    ]) {
      expect(Buffer.byteLength(await sonde.text(args)), args.join(" ")).toBeLessThanOrEqual(64 * 1024);
    }
  });

  test("getters are run only when asked for, and then within a time limit", async () => {
    const sonde = await hostile();
    expect((await sonde.refusal("print endless.value")).message).toMatch(/timed out/);
    expect((await sonde.refusal(["print", "JSON.stringify(endless)"])).message).toMatch(/timed out/);
    expect((await sonde.refusal("print throwing.value")).message).toMatch(/do not touch/);
    expect((await sonde.refusal("print deadly.value")).message).toMatch(/side effects/);
    expect((await sonde.refusal("print proxy.anything")).message).toMatch(/trapped get/);
    expect(await sonde.ask(["print", "hugeText.length"])).toMatchObject({ value: "100000000" });
    expect(await sonde.ask<MoveResult>("next")).toMatchObject({ state: "stopped" });
    const [session] = await sessions(sonde);
    expect(session).toMatchObject({ state: "stopped" });
  });
});

describe("expressions", () => {
  const PROGRAM = [
    "let calls = 0;",
    "function inner(x) {",
    "  calls += 1;",
    "  return x + calls; // @marker inner",
    "}",
    "function main() {",
    "  const a = inner(1);",
    "  console.log(a); // @marker look",
    "  return a; // @marker after",
    "}",
    "main();",
    "",
  ].join("\n");

  async function stoppedInMain(): Promise<Sonde> {
    const sonde = borrowSonde();
    sonde.write("app.js", PROGRAM);
    await sonde.ask(["start", "app.js", "--break", at(sonde, "app.js", "look")]);
    return sonde;
  }

  test.each([
    "for(;;);",
    "while (true) {}",
    "new Promise(() => {}).then(x => { for (;;); }) && (() => { for (;;); })()",
  ])("`eval %s` ends by its time limit and the session is usable", async (expression) => {
    const sonde = await stoppedInMain();
    const refusal = await sonde.refusal(["eval", expression]);
    expect(refusal).toMatchObject({
      code: "EVAL_FAILED",
      message: expect.stringMatching(/timed out after \d+ s/),
    });
    expect(await sonde.ask("print a")).toMatchObject({ value: "2" });
    expect(await sonde.ask<MoveResult>("next")).toMatchObject({
      state: "stopped",
      snapshot: { frame: { line: 9 } },
    });
  });

  test("that never end while the program runs", async () => {
    const sonde = borrowSonde();
    sonde.fixture("js/idle.js");
    await sonde.ask("start idle.js --no-wait");
    for (const expression of ["for(;;);", "new Promise(() => {})"]) {
      const answer = await sonde.json(["eval", expression]);
      if (!answer.ok) expect(answer.error.message).toMatch(/timed out/);
      expect(await sonde.ask(["eval", "1 + 1"])).toMatchObject({ value: "2" });
    }
    expect(await sonde.ask<MoveResult>("pause")).toMatchObject({ state: "stopped" });
  });

  test("that throw say what was thrown", async () => {
    const sonde = await stoppedInMain();
    for (const [expression, said] of [
      ["nowhere", /ReferenceError: nowhere is not defined/],
      ["null.x", /TypeError: Cannot read properties of null/],
      ["(() => { throw 7 })()", /7/],
      ["(() => { throw { toString() { for (;;); } } })()", /./],
      ["1 +", /SyntaxError/],
      ["JSON.parse('{')", /SyntaxError/],
    ] as const) {
      for (const command of ["print", "eval"])
        expect(await sonde.refusal([command, expression]), expression).toMatchObject({
          code: "EVAL_FAILED",
          message: expect.stringMatching(said),
          status: 1,
        });
    }
    expect(await sonde.ask("print a")).toMatchObject({ value: "2" });
  });

  test("with side effects are refused by print, done by eval", async () => {
    const sonde = await stoppedInMain();
    for (const expression of [
      "calls = 99",
      "inner(1)",
      "process.exit(1)",
      "globalThis.x = 1",
      "console.log('no')",
      "delete globalThis.console",
    ]) {
      expect(await sonde.refusal(["print", expression]), expression).toMatchObject({
        code: "EVAL_FAILED",
        message: expect.stringMatching(/side effects/),
        hint: expect.stringContaining("sonde eval"),
      });
    }
    expect(await sonde.ask("print calls")).toMatchObject({ value: "1" });
    expect(await sonde.ask(["eval", "calls = 5"])).toMatchObject({ value: "5" });
    expect(await sonde.ask("print calls")).toMatchObject({ value: "5" });
  });

  test("that run into a breakpoint do not stop there, and the breakpoint still works", async () => {
    const sonde = await stoppedInMain();
    await sonde.ask(["break", at(sonde, "app.js", "inner")]);
    expect(await sonde.ask(["eval", "inner(40)"])).toMatchObject({ value: "42" });
    expect(await sonde.text("context")).toMatch(/^stopped: breakpoint 1 \(hit 1\) {2}app.js:8 in main/);
    expect(await sonde.ask<MoveResult>("next")).toMatchObject({
      state: "stopped",
      snapshot: { frame: { line: 9 } },
    });
    expect(await sonde.ask<MoveResult>("restart")).toMatchObject({
      snapshot: { breakpoints: [{ id: 2, hit: 1 }] },
    });
  });

  test("conditions that throw, hang or have side effects do not hang the program", async () => {
    const sonde = borrowSonde();
    sonde.fixture("js/loop.js");
    const where = at(sonde, "loop.js", "loop-add");
    const end = await sonde.run(["start", "loop.js", "--break", `${where} if nowhere.x > 1`]);
    expect(end.stdout).toMatch(/^(exited: code 0|stopped)/);
    expect(end.stdout).toMatch(/nowhere is not defined/);
  });
});
