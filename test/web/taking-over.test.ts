/** An agent at the command line and a person on the page hold one session: neither can confuse the other. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { startMcp } from "../mcp/mcp.ts";
import { marker } from "../support/markers.ts";
import { FIXTURES, Sonde } from "../support/sonde.ts";
import { type Served, serve, TestTab } from "./page-link.ts";

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
    /^continue: a person has taken over stats at \d\d:\d\d:\d\d; it is stopped at .*stats\.js:\d+ \(stop 2\)$/,
  );
  expect(refused.hint).toContain("`sonde handover ask -s stats`");
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

  const asking = sonde.ask<{ given: boolean; owner: { who: string } }>([
    "handover",
    "ask",
    "the mean is wrong",
  ]);
  const asked = await tab.event("stats", "stopped", ({ row }) => row.owner.asked !== undefined);
  expect(asked.row.owner.asked).toMatchObject({ why: "the mean is wrong" });
  expect((await sonde.refusal("continue")).code).toBe("TAKEN_OVER");
  const given = await tab.call<{ note: string }>("handover give", {}, "stats");
  expect(given.ok).toBe(true);
  expect(await asking).toMatchObject({ given: true, owner: { who: "agent" } });

  const answer = await sonde.text("context");
  const note = answer.split("\n").find((one) => one.includes("a person had stats")) ?? "";
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
  const asking = sonde.ask<{ given: boolean }>("handover ask");
  tab.close();
  expect(await asking).toMatchObject({ given: true });
  expect(await sonde.text("context")).toContain("(the page was closed)");
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
