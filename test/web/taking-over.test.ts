/** An agent at the command line and a person on the page hold one session: neither can confuse the other. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { startMcp } from "../mcp/mcp.ts";
import { marker } from "../support/markers.ts";
import { FIXTURES, Sonde } from "../support/sonde.ts";
import { entered, type Served, serve, TestTab } from "./page-link.ts";

const at = (name: string) => marker(`${FIXTURES}/js/stats.js`, name);

let sonde: Sonde;
let served: Served;
let tab: TestTab;

beforeEach(async () => {
  sonde = new Sonde();
  sonde.fixture("js/stats.js");
  await sonde.text(`start stats.js --break stats.js:${at("mean-add")}`);
  served = await serve(sonde);
  tab = await TestTab.open(served);
});

afterEach(async () => {
  tab.close();
  await sonde.run("ui stop");
  await sonde[Symbol.asyncDispose]();
});

interface Rows {
  sessions: { name: string; owner: { who: string; asked?: { why?: string } }; notes?: string[] }[];
}

const owner = async () => (await sonde.ask<Rows>("sessions")).sessions[0]?.owner;

test("what is shown to a person is not taken from the agent", async () => {
  tab.watch("session:stats");
  const first = await tab.event("stats", "stopped");
  expect(first.snapshot).toMatchObject({ reason: "breakpoint", frame: { line: at("mean-add") } });
  // The person looks at another frame, and at values.
  const caller = await tab.call<{ frame: { function: string } }>("frame", { number: 1 }, "stats");
  expect(caller).toMatchObject({ ok: true, data: { frame: { function: "main" } } });
  expect((await tab.call("output", {}, "stats")).ok).toBe(true);
  // The agent's focus, its output and its session are as they were.
  expect(await sonde.text("print total")).toContain("0");
  expect(await owner()).toMatchObject({ who: "agent" });
  const shown = tab.count;
  const next = await sonde.text("continue");
  expect(next).toContain("total = 1  (number)  was 0");
  const second = await tab.event("stats", "stopped", ({ row }) => row.stop?.number === 2, shown);
  expect(second.snapshot).toMatchObject({
    values: expect.arrayContaining([
      expect.objectContaining({ name: "total", value: "1", change: "changed" }),
    ]),
  });
  expect(await sonde.text("finish")).not.toContain("note:");
});

test("a person's click takes the session; the agent may look, asks for it back, and is told what changed", async () => {
  tab.watch("session:stats");
  await tab.event("stats", "stopped");
  const moved = await tab.call("next", {}, "stats");
  expect(moved).toMatchObject({ ok: true, line: "sonde next -s stats" });
  expect(await owner()).toMatchObject({ who: "person" });
  await tab.event("stats", "stopped", ({ row }) => row.owner.who === "person");

  const refused = await sonde.refusal("continue");
  expect(refused).toMatchObject({ code: "TAKEN_OVER", status: 4 });
  expect(refused.message).toMatch(
    /^continue: a person took over stats at \d\d:\d\d:\d\d; it is stopped at .*stats\.js:\d+ \(stop 2\)$/,
  );
  // As docs/page.md shows it.
  expect(refused.hint).toBe(
    "`sonde handover ask -s stats` asks for it back and waits up to a minute; commands that only read still work: `sonde context -s stats`",
  );
  for (const command of ["set total 7", "breakpoint remove 1", "restart", "stop", "stop --all", "input x"])
    expect([command, (await sonde.refusal(command)).code]).toEqual([command, "TAKEN_OVER"]);
  // Reading stays open, and says who has it.
  expect(await sonde.text("context")).toContain("session stats (taken over by a person)");
  expect(await sonde.text("sessions")).toContain("(taken over by a person)");
  expect(await sonde.text("print total")).toContain("1");

  // The person changes something more.
  expect(
    (await tab.call("breakpoint add", { location: `${sonde.project}/stats.js:${at("main-print")}` }, "stats"))
      .ok,
  ).toBe(true);
  expect((await tab.call("set", { target: "total", value: "40" }, "stats")).ok).toBe(true);

  const asking = sonde.ask<{ given: boolean; owner: { who: string }; notes: string[] }>([
    "handover",
    "ask",
    "the mean is wrong",
  ]);
  const asked = await tab.event("stats", "stopped", ({ row }) => row.owner.asked !== undefined);
  expect(asked.row.owner.asked).toMatchObject({ why: "the mean is wrong" });
  expect((await sonde.refusal("continue")).code).toBe("TAKEN_OVER");
  const given = await tab.call<{ note: string }>("handover give", {}, "stats");
  expect(given.ok).toBe(true);
  // The answer that gives it says all that happened.
  const answer = await asking;
  expect(answer).toMatchObject({ given: true, owner: { who: "agent" } });
  const note = answer.notes.find((one) => one.includes("a person had stats")) ?? "";
  expect(note).toMatch(
    /it was stopped at .*stats\.js:\d+ \(stop 1\) and is stopped at .*stats\.js:\d+ \(stop 2\)/,
  );
  expect(note).toContain(`breakpoints added: 2 ${sonde.project}/stats.js:${at("main-print")}`);
  expect(note).toContain("done: sonde set -s stats total 40");
  // Once.
  expect(await sonde.text("context")).not.toContain("a person had");
  expect(await sonde.text("continue")).toContain("stopped:");

  const lines = (await sonde.text("transcript")).split("\n").map((one) => one.replace(/\s+/g, " "));
  const by = (who: string, what: string) =>
    expect(lines.some((one) => one.includes(` ${who} ${what}`))).toBe(true);
  by("cli", "sonde start stats.js");
  by("page", "sonde next -s stats");
  by("cli", "sonde continue --json TAKEN_OVER");
  by("page", "sonde set -s stats total 40");
  by("page", "sonde handover give -s stats");
});

test("tools are told the same", async () => {
  const mcp = await startMcp(sonde);
  expect((await tab.call("next", {}, "stats")).ok).toBe(true);
  const refused = await mcp.refused("debug", { action: "continue", session: "stats" });
  expect(refused.code).toBe("TAKEN_OVER");
  expect(refused.hint).toContain('"action":"ask_back"');
  const late = await mcp.ok("debug", { action: "ask_back", session: "stats", timeout: 0 });
  expect(late.text).toBe(
    'a person still has stats: the page shows your question\nnext: `debug {"action":"ask_back","session":"stats"}` waits again; `inspect {"action":"context","session":"stats"}` shows it meanwhile; `debug {"action":"launch","program":"<program>"}` starts a session of your own\n',
  );
  expect((await tab.call("handover give", {}, "stats")).ok).toBe(true);
  const given = await mcp.ok("debug", { action: "ask_back", session: "stats" });
  expect(given.text).toMatch(/^stats is yours\nnote: a person had stats from .* and is stopped at .*\n$/);
  await mcp.client.close();
});

test("who closes the page has nothing in hand any more", async () => {
  await sonde.run("ui stop");
  tab.close();
  const env = { SONDE_UI_AWAY_SECS: "0" };
  const { data } = JSON.parse((await sonde.run("ui --no-open --json", { env })).stdout) as {
    data: { url: string; port: number };
  };
  const [base = "", key = ""] = data.url.split("/#k=");
  tab = await TestTab.open({ base, key, port: data.port });
  expect((await tab.call("next", {}, "stats")).ok).toBe(true);
  const asking = sonde.text("handover ask");
  tab.close();
  const answer = await asking;
  expect(answer).toMatch(
    /^stats is yours\nnote: a person had stats from .* \(.*page.*\): it was stopped at /,
  );
  expect(await sonde.text("context")).not.toContain("a person had");
});

test("what changed is told also when the next command is a restart", async () => {
  expect((await tab.call("set", { target: "total", value: "40" }, "stats")).ok).toBe(true);
  expect((await tab.call("restart", {}, "stats")).ok).toBe(true);
  expect((await tab.call("handover give", { why: "look at total" }, "stats")).ok).toBe(true);
  const answer = await sonde.text("restart");
  expect(answer).toMatch(
    /note: a person had stats from .* \(look at total\): the program was started again and is stopped at .*done: sonde set -s stats total 40; sonde restart -s stats/,
  );
  expect(await sonde.text("restart")).not.toContain("a person had");
});

test("an agent that has the session, or finds nobody at the page, is answered at once", async () => {
  expect(await sonde.text("handover ask")).toBe("stats is yours already\n");
  expect(await sonde.text("handover take")).toBe("stats is yours already\n");
  expect(await sonde.text("handover give")).toBe("nothing to give: no person has stats\n");
  expect((await tab.call("next", {}, "stats")).ok).toBe(true);
  const late = await sonde.text("handover ask --timeout 0");
  expect(late).toBe(
    "a person still has stats: the page shows your question\nnext: `sonde handover ask -s stats` waits again; `sonde context -s stats` shows it meanwhile; `sonde start <program>` starts a session of your own\n",
  );
  const refused = await sonde.refusal("handover take");
  expect(refused).toMatchObject({ code: "TAKEN_OVER" });
  expect(refused.hint).toContain("`sonde handover ask -s stats`");
});

test("an agent that waits for a session which the person ends is told so then", async () => {
  tab.watch("session:stats");
  expect((await tab.call("handover take", {}, "stats")).ok).toBe(true);
  // Longer than the test may take.
  const asking = sonde.refusal("handover ask --timeout 600");
  await tab.event("stats", "stopped", ({ row }) => row.owner.asked !== undefined);
  expect((await tab.call("stop", {}, "stats")).ok).toBe(true);
  expect(await asking).toMatchObject({
    code: "NO_SESSION",
    message: expect.stringMatching(
      /^a person ended session stats at \d\d:\d\d:\d\d on the page; the program was terminated$/,
    ),
    hint: expect.stringContaining("sonde start"),
  });
});

test("a person who waits for a stop takes neither it nor the focus from the agent", async () => {
  sonde.write(
    "asks.js",
    `const { Worker, isMainThread, parentPort } = require("node:worker_threads");
if (isMainThread) {
  const worker = new Worker(__filename);
  process.stdin.once("data", (text) => worker.postMessage(String(text).trim()));
  worker.once("message", (answer) => console.log(answer));
} else
  parentPort.once("message", function heard(text) {
    parentPort.postMessage("heard " + text);
    process.exit();
  });
`,
  );
  await sonde.text("start asks.js --break asks.js:8 --no-wait");
  const waiting = tab.call<{ state: string; snapshot: { frame: { function: string } } }>("await", {}, "asks");
  // It is under way: a call that came after it is answered.
  expect((await tab.call("sessions")).ok).toBe(true);
  await sonde.text("input hello");
  expect(await waiting).toMatchObject({
    ok: true,
    data: { state: "stopped", snapshot: { frame: { function: "heard", line: 8 } } },
  });
  // Nobody has shown it to the agent yet.
  const shown = await sonde.text("await");
  expect(shown).toContain("stopped: breakpoint");
  expect(shown).toContain('text = "hello"');
});

test("the page is open as long as a tab is that could give back", async () => {
  expect((await tab.call("next", {}, "stats")).ok).toBe(true);
  expect((await sonde.refusal("handover take")).code).toBe("TAKEN_OVER");
  const watching = await TestTab.open(await serve(sonde, "--read-only"));
  watching.watch("session:stats");
  await watching.event("stats", "stopped");
  await tab.closed();
  expect(await sonde.text("handover ask")).toContain("(nobody had the page open)");
  watching.close();
});

test("a page that is only loaded again still has the session", async () => {
  const entry = await entered(await serve(sonde));
  expect((await tab.call("next", {}, "stats")).ok).toBe(true);
  for (const command of ["handover take", "handover give", "handover ask --timeout 3"]) {
    await tab.closed();
    const asked = sonde.run(command);
    tab = await TestTab.open(served, entry);
    const { stdout, stderr } = await asked;
    expect([command, stdout + stderr]).toEqual([command, expect.stringContaining("a person")]);
    expect([command, stdout + stderr]).not.toEqual([command, expect.stringContaining("is yours")]);
    expect([command, await owner()]).toMatchObject([command, { who: "person" }]);
  }
  await tab.closed();
  expect(await sonde.text("handover take")).toContain("(nobody had the page open)");
});

test("an agent whose session a person has ended is told so", async () => {
  expect((await tab.call("stop", {}, "stats")).ok).toBe(true);
  const told = /^a person ended session stats at \d\d:\d\d:\d\d on the page; the program was terminated$/;
  for (const command of ["continue", "context -s stats"]) {
    const refused = await sonde.refusal(command);
    expect([refused.code, refused.hint]).toEqual(["NO_SESSION", expect.stringContaining("sonde start")]);
    expect(refused.message).toMatch(told);
  }
  await sonde.text("start stats.js --stop-on-entry");
  await sonde.text("stop");
  expect((await sonde.refusal("continue")).message).toBe("no session");
});

test("a file that nothing has named is not shown", async () => {
  const read = (location: string) => tab.call("source", { location, context: 20_000 }, "stats");
  const own = `${sonde.project}/stats.js`;
  expect((await tab.call("context", {}, "stats")).ok).toBe(true);
  expect((await read(`${own}:1`)).ok).toBe(true);
  sonde.write(".env", "TOKEN=1\n");
  for (const path of [
    "/etc/passwd",
    `${sonde.project}/.env`,
    `${sonde.project}/x/../.env`,
    `${own}/../.env`,
    "/proc/self/environ",
  ])
    expect([path, await read(`${path}:1`)]).toMatchObject([path, { ok: false }]);
});
