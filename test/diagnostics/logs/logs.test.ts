/** `sonde logs`, as a caller sees it. */
import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Entry, entryLine } from "../../../src/util/log/entry.ts";
import { dayOf } from "../../../src/util/log/files.ts";
import { startMcp } from "../../mcp/mcp.ts";
import { createSonde, type Sonde } from "../../support/sonde.ts";

interface Answer {
  entries: Entry[];
  cursor?: string;
  nothing?: string;
  next: string[];
}

const folderOf = (sonde: Sonde) => join(sonde.home, "state/logs");
const dayBefore = (days: number) => dayOf(new Date(Date.now() - days * 86_400_000));
const FILE = `sonde-${dayBefore(1)}.log`;

/** Of yesterday, unless said. */
function write(sonde: Sonde, entries: Partial<Entry>[], name = FILE): void {
  mkdirSync(folderOf(sonde), { recursive: true });
  const lines = entries.map((one, at) =>
    entryLine({
      time: new Date(Date.parse("2026-11-01T10:00:00Z") + at * 1000).toISOString(),
      level: "info",
      pid: 77,
      kind: "daemon",
      message: "",
      ...one,
    }),
  );
  appendFileSync(join(folderOf(sonde), name), lines.join(""));
}

const daemonPid = (sonde: Sonde) =>
  Number(sonde.processes().find(({ command }) => command.includes("daemon.cjs"))?.pid);

test("logs: sessions with adapter and pid, how they ended, and what a crashed daemon had logged", async () => {
  await using sonde = createSonde();
  sonde.write("a.js", "let x = 1;\ndebugger;\nprocess.exit(3);\n");
  await sonde.text("start a.js");
  await sonde.text("continue");
  const first = await sonde.ask<Answer>("logs");
  const pid = daemonPid(sonde);
  expect(first.entries.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^ready: sonde .* pid \d+/),
    expect.stringMatching(/^started: node launch, pid \d+, in /),
    "exited: exit code 3",
  ]);
  expect(first.entries.every((one) => one.pid === pid && one.kind === "daemon")).toBe(true);
  expect(first.entries.at(-1)?.session).toBe("a");
  process.kill(pid, "SIGKILL");
  const later = await sonde.ask<Answer>(["logs", "--pid", String(pid)]);
  expect(later.entries.map(({ message }) => message)).toEqual(first.entries.map(({ message }) => message));
  const own = await sonde.ask<Answer>("logs -s a");
  expect(own.entries).toHaveLength(2);
});

test("logs: an adapter that dies is there with its last words", async () => {
  await using sonde = createSonde();
  sonde.write(
    "adapter.js",
    `let all = "";
process.stdin.on("data", (data) => {
  all += data;
  if (!all.includes('"initialize"')) return;
  console.error("the adapter's last words");
  process.exit(9);
});`,
  );
  sonde.config(
    `[adapters.broken]\ncommand = "${process.execPath}"\nargs = ["${join(sonde.project, "adapter.js")}"]\n`,
  );
  sonde.write("a.js", "1;\n");
  await sonde.run("start a.js --adapter broken");
  const { entries } = await sonde.ask<Answer>("logs --level warn");
  expect(entries.map(({ message }) => message).join("\n")).toMatch(/broken[\s\S]*the adapter's last words/);
});

test("logs: every process of the day, and no prompt of anybody's", async () => {
  await using sonde = createSonde();
  const mcp = await startMcp(sonde, ["--tools", "all"]);
  const text = (await mcp.ok("diagnose", { action: "logs" })).text;
  expect(text).toMatch(/ mcp \d+: serving .*diagnose/);
  expect(text).toMatch(/ daemon \d+: ready/);
  const script = `fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "none" },
    body: JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "my private words" }] }),
  }).then((answer) => process.exit(answer.status === 502 ? 4 : 5));`;
  const run = ["agent", "run", "--upstream", "http://127.0.0.1:9", "--", process.execPath, "-e", script];
  expect((await sonde.run(run)).status).toBe(4);
  const { entries } = await sonde.ask<Answer>("logs");
  const own = entries.filter(({ kind }) => kind === "agent run");
  expect(own.map(({ message }) => message)).toEqual([
    expect.stringContaining("the run began"),
    expect.stringMatching(/^a model call failed, .*no answer from http:\/\/127\.0\.0\.1:9/),
    "the run ended, exit code 4",
  ]);
  expect(own[0]?.session).toMatch(/^debug_/);
  expect(JSON.stringify(entries)).not.toContain("private words");
  await mcp.client.close();
});

test("logs: the last 50, and older in fifties in the right order", async () => {
  await using sonde = createSonde();
  write(
    sonde,
    Array.from({ length: 130 }, (_, n) => ({ message: `entry ${n}` })),
  );
  let page = await sonde.ask<Answer>("logs --grep entry");
  const all: string[][] = [];
  for (let n = 0; n < 5; n++) {
    all.unshift(page.entries.map(({ message }) => message));
    if (page.cursor === undefined) break;
    expect(page.next.join()).toContain(`sonde logs --before ${page.cursor} --grep entry`);
    page = await sonde.ask<Answer>(["logs", "--grep", "entry", "--before", page.cursor]);
  }
  expect(all.map((one) => one.length)).toEqual([30, 50, 50]);
  expect(all.flat()).toEqual(Array.from({ length: 130 }, (_, n) => `entry ${n}`));
});

test("logs: empty logs are a status message, not a failure", async () => {
  await using sonde = createSonde();
  expect(await sonde.run("daemon logs")).toMatchObject({ status: 0, stdout: "the log is empty\n" });
  expect(await sonde.run("logs --level error")).toMatchObject({ status: 0, stdout: "no entry matches\n" });
  expect(await sonde.ask("logs --before 2020-01-01.0:0")).toMatchObject({
    nothing: "there is nothing older",
  });
});

test("logs: nothing in an entry reaches a terminal or a model as it is", async () => {
  await using sonde = createSonde();
  write(sonde, [{ message: "evil \x1b[2J\u202e text", session: "\x1b]0;x\x07" }]);
  const { stdout } = await sonde.run("logs --grep evil");
  expect(stdout).toContain("[\\e]0;x\\x07]: evil \\e[2J\\u202e text");
  expect((await sonde.run("daemon logs")).stdout).toContain("evil \\e[2J\\u202e text");
});

test("logs: what is no time and no cursor is refused", async () => {
  await using sonde = createSonde();
  expect(await sonde.refusal("logs --since tomorrow")).toMatchObject({ code: "BAD_ARGUMENT", status: 2 });
  expect(await sonde.refusal("logs --before 1")).toMatchObject({ code: "BAD_ARGUMENT", status: 2 });
  expect(await sonde.refusal("logs --tail 5001")).toMatchObject({ code: "BAD_ARGUMENT", status: 2 });
});

test("logs: --follow shows what comes, in a new file too, and ends on an interrupt with what there is", async () => {
  await using sonde = createSonde();
  write(sonde, [{ message: "before" }]);
  await sonde.text("status");
  const child = sonde.spawn("logs --follow --tail 1 --grep e");
  const text: string[] = [];
  const has = (wanted: string) =>
    new Promise<void>((done) => {
      child.stdout?.on("data", () => text.join("").includes(wanted) && done());
    });
  child.stdout?.on("data", (data) => text.push(String(data)));
  await has("ready"); // the newest entry that there was
  const seen = has("in a new file");
  write(sonde, [{ message: "later" }]);
  write(sonde, [{ message: "and in a new file" }], `sonde-${dayBefore(0)}.3.log`);
  await seen;
  child.kill("SIGINT");
  await new Promise((done) => child.once("close", done));
  expect(text.join("")).toMatch(/: later\n.*: and in a new file\n/);
});

test("logs: a log of a million lines opens at once and in bounded memory", async () => {
  await using sonde = createSonde();
  await sonde.text("status");
  // Far more than a log may hold: a daemon that opens its file would remove it, this one has opened its own.
  const file = openSync(join(folderOf(sonde), `sonde-${dayBefore(0)}.9.log`), "w");
  const head = '{"time":"2026-11-01T10:00:00.000Z","level":"info","pid":1,"kind":"daemon","message":"entry ';
  for (let from = 0; from < 1_000_000; from += 10_000)
    writeSync(file, Array.from({ length: 10_000 }, (_, at) => `${head}${from + at}"}\n`).join(""));
  closeSync(file);
  const resident = () => {
    const status = readFileSync(`/proc/${daemonPid(sonde)}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
  };
  await sonde.ask("logs --tail 1");
  const before = resident();
  const last = await sonde.ask<Answer>("logs --pid 1");
  expect(last.entries.map(({ message }) => message)).toEqual(
    Array.from({ length: 50 }, (_, at) => `entry ${999_950 + at}`),
  );
  // Nothing matches: as far as one page goes, and no further.
  const none = await sonde.ask<Answer>("logs --grep nowhere");
  expect(none.nothing).toBe("none of the last 5000 lines matches");
  expect(none.cursor).toBeDefined();
  expect(resident() - before).toBeLessThan(24);
});
