/** What the page is sent as sessions come, move and go, whoever moves them; and why one stopped. */
import { expect, onTestFinished, test } from "vitest";
import type { Now } from "../../src/web/protocol.ts";
import { marker } from "../support/markers.ts";
import { createSonde, FIXTURES, type Sonde } from "../support/sonde.ts";
import { serve, TestTab } from "./page-link.ts";

const at = (name: string) => marker(`${FIXTURES}/js/stats.js`, name);

async function opened(sonde: Sonde): Promise<TestTab> {
  sonde.fixture("js/stats.js");
  onTestFinished(async () => {
    await sonde.run("ui stop");
  });
  return TestTab.open(await serve(sonde));
}

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
  expect(await tab.event("stats", "breakpoints")).toMatchObject({ breakpoints: [{ id: 1, state: "bound" }] });
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
