import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { validateMessage, validateRequest } from "./dap-schema.ts";
import { killAll, survivors, tagged } from "./leaks.ts";
import { marker, markers } from "./markers.ts";
import { nodes } from "./nodes.ts";
import { normalize } from "./normalize.ts";
import { borrowSonde, Sonde } from "./sonde.ts";

test("a process is found by its tag, also a grandchild in a session of its own", async () => {
  const id = randomUUID();
  const script = "setsid sleep 60 & wait";
  spawn("/bin/sh", ["-c", script], { stdio: "ignore", env: { ...process.env, SONDE_TEST_ID: id } });
  await expect.poll(() => tagged("SONDE_TEST_ID", id).map(({ command }) => command)).toContain("sleep 60");
  const left = await survivors("SONDE_TEST_ID", id, { patienceMs: 0 });
  expect(killAll(left)).toMatch(/^ {2}\d+ {2}\/bin\/sh -c setsid sleep 60 & wait\n {2}\d+ {2}sleep 60$/);
  expect(await survivors("SONDE_TEST_ID", id)).toEqual([]);
});

test("a sonde that leaves a process behind fails, and the process is gone", async () => {
  const sonde = new Sonde();
  spawn("sleep", ["60"], { stdio: "ignore", env: sonde.env });
  await expect.poll(() => sonde.processes()).toHaveLength(1);
  await expect(sonde[Symbol.asyncDispose]()).rejects.toThrow(/left alive[\s\S]*sleep 60/);
  expect(sonde.processes()).toEqual([]);
}, 30_000);

describe("a daemon that is borrowed", () => {
  const daemons: number[] = [];

  test.for(["first", "second"])("%s", async () => {
    const sonde = borrowSonde();
    sonde.write("app.js", "setInterval(() => {}, 1000);\n");
    await sonde.ask("start app.js --no-wait");
    const { sessions } = await sonde.ask<{ sessions: unknown[] }>("status");
    expect(sessions).toHaveLength(1);
    const { pid } = await sonde.ask<{ pid: number }>("daemon status");
    daemons.push(pid);
  });

  test("is the same for the next test, which finds no session", () => {
    expect(daemons[0]).toBe(daemons[1]);
  });
});

test("markers name lines, once each", async () => {
  await using sonde = new Sonde();
  const file = join(sonde.project, "a.py");
  writeFileSync(file, "x = 1  # @marker first\n\ny = 2  # @marker second-one @marker last\n");
  expect(markers(file)).toEqual({ first: 1, "second-one": 3, last: 3 });
  expect(() => marker(file, "other")).toThrow(/no marker "other", only first, second-one, last/);
  writeFileSync(file, "# @marker a\n# @marker a\n");
  expect(() => markers(file)).toThrow(/two markers "a"/);
});

test("transcripts read the same every time", () => {
  const text = (pid: number, port: number, ms: number) =>
    `started pid ${pid} in /tmp/x${pid}/app.js, parent pid 1, again pid ${pid}\n` +
    `{"pid":${pid},"port":${port}} ws://127.0.0.1:${port}/ after ${ms} ms within 30 s, ${ms / 1000} s\n`;
  const once = normalize(text(4711, 40123, 17.5), { "<project>": "/tmp/x4711" });
  expect(once).toBe(normalize(text(812, 39999, 230.5), { "<project>": "/tmp/x812" }));
  expect(once).toBe(
    "started pid <pid1> in <project>/app.js, parent pid <pid2>, again pid <pid1>\n" +
      '{"pid":<pid1>,"port":<port1>} ws://127.0.0.1:<port1>/ after <time> within 30 s, <time>\n',
  );
});

test("the protocol's schema refuses what adapters choke on", () => {
  const request = (command: string, args?: unknown) => ({
    seq: 1,
    type: "request",
    command,
    arguments: args,
  });
  expect(validateRequest(request("next", { threadId: 1 }))).toEqual([]);
  expect(validateRequest(request("launch", { anything: true }))).toEqual([]);
  expect(validateRequest(request("customOne", { anything: true }))).toEqual([]);
  expect(validateRequest(request("next", { threadID: 1 })).join()).toMatch(/required property 'threadId'/);
  expect(
    validateRequest(request("setBreakpoints", { source: { path: "a" }, breakpoints: null })).join(),
  ).toMatch(/array/);
  expect(validateRequest(request("evaluate", { expression: "1", frame: 3 })).join()).toMatch(/additional/);
  const answer = { seq: 2, type: "response", request_seq: 1, command: "runInTerminal", success: true };
  expect(validateMessage({ ...answer, body: {} })).toEqual([]);
  expect(validateMessage(answer).join()).toMatch(/body/);
});

test("the current node is among those to test with", () => {
  expect(nodes[0]).toEqual({ version: process.version, path: process.execPath });
});
