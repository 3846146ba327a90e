/** What the page is sent as sessions come, move and go, whoever moves them; and why one stopped. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { AgentEvent, Now, SessionEvent } from "../../src/web/protocol.ts";
import { startAgent } from "../agent/cli/agents.ts";
import { marker } from "../support/markers.ts";
import { createSonde, FIXTURES, type Sonde } from "../support/sonde.ts";
import { entered, serve, TestTab } from "./page-link.ts";

const at = (name: string) => marker(`${FIXTURES}/js/stats.js`, name);

async function opened(sonde: Sonde): Promise<TestTab> {
  sonde.fixture("js/stats.js");
  onTestFinished(async () => {
    await sonde.run("ui stop");
  });
  return TestTab.open(await serve(sonde));
}

const daemons = (sonde: Sonde) => sonde.processes().filter(({ command }) => /daemon\.cjs/.test(command));

function now(tab: TestTab, is: (now: Now) => boolean, after = 0): Promise<Now> {
  return tab.next(
    (one) => ("topic" in one && one.topic === "now" && is(one.event as Now) ? (one.event as Now) : undefined),
    after,
  );
}

test("a program that is moved at the command line moves on the page, also after the daemon was another one", async () => {
  const sonde = createSonde();
  const tab = await opened(sonde);
  tab.watch("now");
  tab.watch("session:stats");
  expect((await now(tab, () => true)).sessions).toEqual([]);
  await tab.event("stats", "gone");

  await sonde.text(`start stats.js --break stats.js:${at("mean-add")}`);
  const stopped = await tab.event("stats", "stopped");
  expect(stopped.snapshot).toMatchObject({ frame: { function: "mean", line: at("mean-add") } });
  expect(stopped.row).toMatchObject({ state: "stopped", owner: { who: "agent" }, stop: { number: 1 } });
  await tab.event(
    "stats",
    "breakpoints",
    ({ breakpoints: [only] }) => only?.id === 1 && only.state === "bound",
  );
  await now(tab, ({ sessions }) => sessions[0]?.state === "stopped");

  let seen = tab.count;
  await sonde.text(`breakpoint add stats.js:${at("main-print")}`);
  await tab.event("stats", "breakpoints", ({ breakpoints }) => breakpoints.length === 2, seen);
  seen = tab.count;
  await sonde.text("continue --remove-break 1 --remove-break 2");
  await tab.event("stats", "ended", () => true, seen);
  const { pieces } = await tab.event("stats", "output", () => true, seen);
  expect(pieces.map(({ text }) => text).join("")).toBe("mean 3.3333333333333335\n");

  seen = tab.count;
  await sonde.text("daemon stop");
  await tab.event("stats", "gone", () => true, seen);
  await now(tab, ({ daemon, sessions }) => daemon === undefined && sessions.length === 0, seen);
  seen = tab.count;
  await sonde.text("start stats.js --stop-on-entry");
  await tab.event("stats", "stopped", ({ row }) => row.stop?.reason === "entry", seen);
  await now(tab, ({ daemon, sessions }) => daemon !== undefined && sessions.length === 1, seen);
});

test("a tab that comes later is sent everything as it is", async () => {
  const sonde = createSonde();
  const first = await opened(sonde);
  await sonde.text(["start", "stats.js", "--break", `stats.js:${at("mean-return")}`]);
  first.watch("session:stats");
  await first.event("stats", "stopped");
  first.close();
  const again = await TestTab.open(await serve(sonde));
  again.watch("session:stats");
  expect(await again.event("stats", "stopped")).toMatchObject({
    snapshot: { frame: { line: at("mean-return") } },
  });
  await again.event("stats", "breakpoints");
  const { entries } = await again.event("stats", "transcript");
  expect(entries).toMatchObject([{ by: "cli", command: "start", ok: true }]);
});

/** What a page shows after these events: what came since 0 takes the place of all before it. */
function shownBy(tab: TestTab, from = 0): { output: string; deeds: string[] } {
  let output = "";
  let deeds: string[] = [];
  for (const one of tab.all.slice(from)) {
    if (!("topic" in one) || one.topic !== "session:stats") continue;
    const event = one.event as SessionEvent;
    const text = event.kind === "output" ? event.pieces.map((piece) => piece.text).join("") : "";
    if (event.kind === "output") output = event.since === 0 ? text : output + text;
    const added =
      event.kind === "transcript" ? event.entries.map(({ number, command }) => `${number} ${command}`) : [];
    if (event.kind === "transcript") deeds = event.since === 0 ? added : [...deeds, ...added];
  }
  return { output, deeds };
}

const MEAN = "mean 3.3333333333333335\n";

test("output and transcript are whole, and each piece once, after a restart and in another session of the name", async () => {
  const sonde = createSonde();
  const tab = await opened(sonde);
  tab.watch("session:stats");
  await tab.event("stats", "gone");
  await sonde.text("start stats.js");
  await tab.event("stats", "ended");
  await sonde.text("restart");
  const again = await tab.event(
    "stats",
    "transcript",
    ({ entries }) => entries.at(-1)?.command === "restart",
  );
  await tab.next(() => (shownBy(tab).output === MEAN + MEAN ? true : undefined));
  expect(shownBy(tab)).toEqual({ output: MEAN + MEAN, deeds: ["1 start", "2 restart"] });

  // It has printed nothing yet: what the one before has printed is not its own.
  await sonde.text("stop");
  await sonde.text("start stats.js --stop-on-entry");
  const other = await tab.event("stats", "transcript", ({ launch }) => launch !== again.launch);
  expect(other.since).toBe(0);
  await tab.event("stats", "output", ({ launch }) => launch === other.launch);
  await tab.next(() => (shownBy(tab).deeds.length > 0 ? true : undefined));
  expect(shownBy(tab)).toEqual({ output: "", deeds: ["1 start"] });
  await sonde.text("continue");
  await tab.next(() => (shownBy(tab).output === MEAN ? true : undefined));
  await tab.next(() => (shownBy(tab).deeds.length === 2 ? true : undefined));
  expect(shownBy(tab).deeds).toEqual(["1 start", "2 continue"]);
});

test("a tab that slept is sent what it has missed, and everything if it slept longer than the session", async () => {
  const sonde = createSonde();
  const tab = await opened(sonde);
  await sonde.text("start stats.js --stop-on-entry");
  const served = await serve(sonde);
  const entry = await entered(served);
  tab.watch("session:stats");
  const { launch, cursor } = await tab.event("stats", "output");
  await sonde.text("continue");
  const later = await TestTab.open(served, entry);
  later.send({ do: "watch", topic: "session:stats", since: cursor, launch });
  const missed = await later.event("stats", "output");
  expect([missed.since, missed.pieces.map(({ text }) => text).join("")]).toEqual([cursor, MEAN]);

  const { cursor: last } = missed;
  await sonde.text("stop");
  await sonde.text("start stats.js");
  const much = await TestTab.open(served, entry);
  much.send({ do: "watch", topic: "session:stats", since: last, launch });
  const all = await much.event("stats", "output");
  expect([all.since, all.pieces.map(({ text }) => text).join("")]).toEqual([0, MEAN]);
  // A cursor alone is of nobody knows which.
  const bare = await TestTab.open(served, entry);
  bare.watch("session:stats", last);
  expect((await bare.event("stats", "output")).since).toBe(0);
});

test("a daemon that does not answer is said to be silent; what was known stays, and is looked at again", async () => {
  const sonde = createSonde();
  const tab = await opened(sonde);
  await sonde.text("start stats.js --stop-on-entry");
  const entry = await entered(await serve(sonde));
  tab.watch("now");
  tab.watch("session:stats");
  await tab.event("stats", "stopped");
  const { daemon } = await now(tab, ({ sessions }) => sessions.length === 1);
  const pid = daemon?.pid ?? 0;
  let seen = tab.count;
  const other = await TestTab.open(await serve(sonde), entry);
  process.kill(pid, "SIGSTOP");
  try {
    other.watch("session:stats");
    const silent = await now(tab, (one) => one.silent !== undefined, seen);
    expect(silent.silent).toBe(`the daemon (pid ${pid}) is not responding`);
    expect(silent.sessions).toMatchObject([{ name: "stats", state: "stopped" }]);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  seen = tab.count;
  await now(tab, (one) => one.silent === undefined && one.sessions.length === 1, seen);
  await other.event("stats", "stopped");
  const kinds = [...tab.all, ...other.all].flatMap((one) => ("topic" in one ? [one.event.kind] : []));
  expect(kinds).not.toContain("gone");
});

test("a daemon that has not answered yet is said to be silent, and nothing is said of what it has", async () => {
  const sonde = createSonde();
  sonde.fixture("js/stats.js");
  await sonde.text("start stats.js --stop-on-entry");
  const { daemon } = await sonde.ask<{ daemon: { pid: number } }>("status");
  process.kill(daemon.pid, "SIGSTOP");
  const tab = await opened(sonde);
  try {
    tab.watch("now");
    expect(await now(tab, () => true)).toMatchObject({
      silent: `the daemon (pid ${daemon.pid}) is not responding`,
      unknown: true,
    });
  } finally {
    process.kill(daemon.pid, "SIGCONT");
  }
  const known = await now(tab, ({ silent }) => silent === undefined);
  expect(known.sessions).toMatchObject([{ name: "stats" }]);
  expect(known).not.toHaveProperty("unknown");
});

test("a daemon that is ended stays ended, whatever is looked at", async () => {
  const sonde = createSonde();
  const tab = await opened(sonde);
  await sonde.text("start stats.js --stop-on-entry");
  tab.watch("now");
  tab.watch("logs");
  await now(tab, ({ sessions }) => sessions.length === 1);
  await tab.next((one) => ("topic" in one && one.topic === "logs" ? true : undefined));
  const seen = tab.count;
  await sonde.text("daemon stop");
  await now(tab, ({ daemon }) => daemon === undefined, seen);
  // The server looks at what changed, and tells it, without a daemon that nobody wanted.
  const later = tab.count;
  writeFileSync(join(sonde.home, "state/traces/x.tmp"), "x");
  await now(tab, () => true, later);
  expect(daemons(sonde)).toEqual([]);
  expect((await tab.call("status")).ok).toBe(true);
  expect(daemons(sonde)).toHaveLength(1);
});

test("a tab that looks at as much as it may still hears what is there, and the logs", async () => {
  const sonde = createSonde();
  const tab = await opened(sonde);
  await sonde.text("start stats.js --stop-on-entry");
  for (let n = 0; n < 51; n++) tab.watch(`session:other-${n}`);
  expect((await tab.event("other-50", "gone")).why).toContain("this tab looks at 50 things already");
  tab.watch("now");
  expect((await now(tab, () => true)).sessions).toMatchObject([{ name: "stats" }]);
  tab.watch("logs");
  await tab.next((one) => ("topic" in one && one.topic === "logs" ? true : undefined));
});

test("what was recorded before is there at the first look, all of it", async () => {
  const sonde = createSonde();
  sonde.fixture("js/stats.js");
  await sonde.text(["trace", "--at", `stats.js:${at("mean-add")}=total`, "--", "node", "stats.js"]);
  await sonde.text("start stats.js --stop-on-entry");
  const tab = await opened(sonde);
  tab.watch("now");
  const first = await now(tab, () => true);
  expect(first).toMatchObject({
    traces: [{ head: { title: "node stats.js" } }],
    sessions: [{ name: "stats" }],
  });
});

test("the run of an agent is followed by its id, and by its name", async () => {
  const sonde = createSonde();
  const tab = await opened(sonde);
  const event = (topic: string, after: number, is: (event: AgentEvent) => boolean) =>
    tab.next(
      (one) => ("topic" in one && one.topic === topic && is(one.event as AgentEvent) ? true : undefined),
      after,
    );
  const isHeld = (one: AgentEvent) => one.kind === "run" && one.status.state === "held";
  tab.watch("agent:mine");
  await event("agent:mine", 0, ({ kind }) => kind === "gone");
  // It was not there yet.
  const agent = await startAgent(sonde, { name: "mine" });
  await event("agent:mine", 0, ({ kind }) => kind === "run");
  tab.watch(`agent:${agent.id}`);
  await event(`agent:${agent.id}`, 0, ({ kind }) => kind === "run");
  const seen = tab.count;
  await sonde.text("agent pause");
  agent.model("fix it");
  await event("agent:mine", seen, isHeld);
  await event(`agent:${agent.id}`, seen, isHeld);
  agent.end();
});

interface Why {
  breakpoints: {
    id: number;
    hit: number;
    condition: string;
    values: { name: string; value: string }[];
    setBy: { by: string; line: string };
    earlier: { stop: number }[];
  }[];
  movedBy: { by: string; command: string };
}

test("why it stopped: the condition's values, earlier hits, who set it and who let it run", async () => {
  const sonde = createSonde();
  const tab = await opened(sonde);
  await sonde.text("start stats.js --stop-on-entry");
  const location = `${sonde.project}/stats.js:${at("mean-add")}`;
  const added = await tab.call("breakpoint add", { location, condition: 'v > 2 && "v" !== total' }, "stats");
  expect(added.ok).toBe(true);
  expect((await tab.call("handover give", {}, "stats")).ok).toBe(true);
  await sonde.text("continue");
  await sonde.text("continue");
  const why = await sonde.ask<Why>("why");
  expect(why).toMatchObject({
    breakpoints: [
      {
        id: 1,
        hit: 2,
        // By the program: 1 + 2 + 3 are added before the second of 3, 4.
        values: [
          { name: "v", value: "4" },
          { name: "total", value: "6" },
        ],
        setBy: { by: "page" },
        earlier: [{ stop: 2 }],
      },
    ],
    movedBy: { by: "cli", command: "continue" },
  });
  expect(await sonde.text("why")).toContain("set by page: sonde b");
});
