/** Who may only look at a program runs none of its code: by a link to watch with, and an agent while a person has the session. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Sonde } from "../support/sonde.ts";
import { type Called, type Served, serve, TestTab } from "./page-link.ts";

let sonde: Sonde;
let served: Served;
let tab: TestTab | undefined;

beforeEach(() => {
  sonde = new Sonde();
});

afterEach(async () => {
  tab?.close();
  tab = undefined;
  await sonde.run("ui stop");
  await sonde[Symbol.asyncDispose]();
});

const PYTHON = `class Thing:
    @property
    def boom(self):
        open("RAN", "w").close()
        return 1
thing = Thing()
items = [1, 2, 3]
print(len(items))
`;
const RUBY = "x = 1\ny = 2\nputs x + y\n";

async function opened(...flags: string[]): Promise<TestTab> {
  served = await serve(sonde, ...flags);
  tab = await TestTab.open(served);
  return tab;
}

const codeOf = (answer: Called<unknown>) => (answer.ok ? "done" : answer.error.code);
const ran = () => existsSync(join(sonde.project, "RAN"));

describe("a link to watch with", () => {
  test("in Python reads a variable, and runs no property", async () => {
    sonde.write("app.py", PYTHON);
    await sonde.text("start app.py --break app.py:8");
    const watching = await opened("--read-only");
    expect(await watching.call("print", { expression: "items" }, "app")).toMatchObject({
      ok: true,
      data: { value: "[1, 2, 3]" },
    });
    expect(codeOf(await watching.call("print", { expression: "thing.boom" }, "app"))).toBe("PERMISSION");
    expect(codeOf(await watching.call("complete", { text: "thing.boom." }, "app"))).toBe("PERMISSION");
    expect(ran()).toBe(false);
  });

  test("in Ruby reads a variable, and calls no method by a bare word", async () => {
    sonde.write("app.rb", RUBY);
    await sonde.text("start app.rb --break app.rb:3");
    const watching = await opened("--read-only");
    expect(await watching.call("print", { expression: "x" }, "app")).toMatchObject({
      ok: true,
      data: { value: "1" },
    });
    expect(codeOf(await watching.call("print", { expression: "gets" }, "app"))).toBe("PERMISSION");
    const shell = "Kernel;`touch$IFS./RAN`.";
    expect(codeOf(await watching.call("complete", { text: shell }, "app"))).toBe("PERMISSION");
    // Not even who may do everything runs something by asking how it goes on.
    expect(await sonde.refusal(["complete", shell])).toMatchObject({ code: "BAD_ARGUMENT" });
    expect(ran()).toBe(false);
    expect(await sonde.text(["complete", "foo(Kernel.to_"])).toContain("to_s");
  });

  test("in JavaScript reads paths, also through what is in them", async () => {
    sonde.write("app.js", "const user = { name: { first: 'Ada' } };\nconsole.log(user);\n");
    await sonde.text("start app.js --break app.js:2");
    const watching = await opened("--read-only");
    expect(await watching.call("print", { expression: "user.name.first" }, "app")).toMatchObject({
      ok: true,
    });
  });
});

test("a file that an agent's tool was given is not shown for being in its record", async () => {
  const file = sonde.write("elsewhere/private.txt", "not for the page\n");
  const events = [
    { seq: 1, timestamp: "2026-11-17T09:00:00.000Z", type: "session_start", data: {} },
    {
      ...{ seq: 2, timestamp: "2026-11-17T09:00:05.000Z", type: "tool_call_start" },
      data: { toolId: "a", name: "read_file", input: { path: file } },
    },
  ];
  const source = sonde.write("run.jsonl", events.map((one) => `${JSON.stringify(one)}\n`).join(""));
  const person = await opened();
  expect(await person.call("agent event", { seq: 2, source })).toMatchObject({ ok: true });
  const shown = await person.call("source", { location: `${file}:1`, context: 3 });
  expect(codeOf(shown)).not.toBe("done");
  const watching = await TestTab.open(await serve(sonde, "--read-only"));
  expect(codeOf(await watching.call("source", { location: `${file}:1`, context: 3 }))).not.toBe("done");
  watching.close();
});

describe("an agent, while a person has the session", () => {
  test("looks at values, and runs nothing", async () => {
    sonde.write("app.py", PYTHON);
    await sonde.text("start app.py --break app.py:8");
    const person = await opened();
    expect((await person.call("handover take", {}, "app")).ok).toBe(true);
    const tries = [
      ["print", "items.clear()"],
      ["print", "thing.boom"],
      ["complete", "thing.boom."],
      ["set", "items", "5"],
    ];
    for (const words of tries)
      expect([words, (await sonde.refusal(words)).code]).toEqual([words, "TAKEN_OVER"]);
    expect(ran()).toBe(false);
    expect(await sonde.text("print items")).toContain("[1, 2, 3]");
    // The person does as they like.
    expect(await person.call("print", { expression: "len(items)" }, "app")).toMatchObject({
      ok: true,
      data: { value: "3" },
    });
  });

  test("what it wanted to see at the next stop is held back too", async () => {
    sonde.write("app.py", `import sys\nitems = [1, 2, 3]\nsys.stdin.readline()\nprint(len(items))\n`);
    await sonde.text("start app.py --break app.py:3 --break app.py:4");
    const person = await opened();
    person.watch("session:app");
    await person.event("app", "stopped");
    const waited = sonde.ask<{ evaluations: { error?: string; value?: unknown }[] }>([
      ...["continue", "--eval", "items.clear()", "--eval", "items"],
    ]);
    await person.event("app", "running");
    expect((await person.call("handover take", {}, "app")).ok).toBe(true);
    expect((await sonde.refusal(["await", "--eval", "items.clear()"])).code).toBe("TAKEN_OVER");
    expect((await person.call("input", { text: "go" }, "app")).ok).toBe(true);
    const { evaluations } = await waited;
    expect(String(evaluations[0]?.error)).toContain("a person took over");
    expect(evaluations[1]?.value).toMatchObject({ value: "[1, 2, 3]" });
  });
});
