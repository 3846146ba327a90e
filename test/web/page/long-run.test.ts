/** A run of 100,000 events: its size in the page is asserted, its times are printed. */
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createSonde } from "../../support/sonde.ts";
import { writeLongRun } from "./long-run.ts";
import { heap, inWords, measured, opening, report } from "./measure.ts";
import { launch, nodeCount, openPage } from "./support.ts";

vi.setConfig({ testTimeout: 300_000 });

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
});

const EVENTS = 100_000;

test("a run of 100,000 events is opened and scrolled to its end", async () => {
  await using sonde = createSonde();
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  const run = await writeLongRun({
    root: join(sonde.home, "state/agents"),
    events: EVENTS,
    pass: (ms) => vi.advanceTimersByTime(ms),
  }).finally(() => vi.useRealTimers());
  expect(run.events).toBe(EVENTS);

  await using opened = await openPage(browser, sonde, "/");
  const { page, errors } = opened;
  await page.getByRole("heading", { name: "Now" }).waitFor({ state: "attached" });
  const rows = ".event-rows .row[data-index]";
  const open = await measured(browser, page, sonde, () =>
    opening(page, `/a/${run.id}`, [rows, ".lanes canvas"]),
  );
  const [rowsMs, lanesMs] = open.value;
  report(
    `run of 100,000 events, ${Math.round(run.bytes / 1e6)} MB`,
    `${rowsMs} ms to its rows, ${lanesMs} ms to its lanes, ${inWords(open)}`,
  );
  await page
    .getByText("100,000", { exact: true })
    .or(page.getByText(/ of 100,000$/))
    .first()
    .waitFor();
  // All of it is in the lanes: each agent's, what was held, and what it did with the debugger.
  const lanes = await page.locator(".lanes canvas").getAttribute("aria-label");
  expect(lanes).toMatch(
    /model [\d,]+, tool [\d,]+, agent-1 [\d,]+, .*other agents [\d,]+, held \d+, debugger [\d,]+/,
  );
  // It is shown from its end; each row says something.
  await page.locator(".event-rows .row", { hasText: "session_end" }).waitFor();

  // Who reads the end of it while the rest is on its way keeps what they look at.
  await page.reload();
  const seen = await page.evaluate(`new Promise((done) => {
    const first = () => {
      const list = document.querySelector(".event-rows");
      const box = list.getBoundingClientRect();
      const row = document.elementFromPoint(box.left + 5, box.top + 50).closest(".row");
      return { seq: row.querySelector(".e-seq").textContent, top: row.getBoundingClientRect().top - box.top };
    };
    const isWhole = () => document.querySelector(".lanes canvas") !== null;
    let before;
    const look = () => {
      const list = document.querySelector(".event-rows");
      if (before === undefined && list?.querySelector(".row") && !isWhole()) {
        list.scrollTop = 2400;
        requestAnimationFrame(() => requestAnimationFrame(() => { before = { ...first(), wasWhole: isWhole() }; }));
      } else if (isWhole()) {
        const words = document.querySelector(".events .pane-head span").textContent;
        return requestAnimationFrame(() => done({ before, after: first(), words }));
      }
      requestAnimationFrame(look);
    };
    look();
  })`);
  const { before, after, words } = seen as Record<"before" | "after", { seq: string }> & { words: string };
  expect(before).toMatchObject({ wasWhole: false });
  expect(after).toEqual({ ...before, wasWhole: undefined });
  expect(Number(after.seq)).toBeGreaterThan(EVENTS - 500);
  expect(words).toMatch(/100,000$/);

  await page.evaluate('document.querySelector(".event-rows").scrollTop = 0');
  await page.locator(".event-rows .row", { hasText: "session_start" }).waitFor();
  const scroll = await measured(browser, page, sonde, async () => {
    await page.evaluate(`new Promise((done) => {
      const list = document.querySelector(".event-rows");
      let step = 0;
      const next = () => {
        step += 1;
        list.scrollTop = (list.scrollHeight * step) / 120;
        if (step < 120) requestAnimationFrame(next);
        else done();
      };
      next();
    })`);
    await page.locator(".event-rows .row", { hasText: "session_end" }).waitFor();
    await page.locator(".event-rows .row .e-words", { hasText: "exited with 0" }).waitFor();
  });
  report("scrolled through 100,000 events", inWords(scroll));
  const megabytes = await heap(page);
  const nodes = await nodeCount(page);
  report("after that", `heap ${megabytes.toFixed(0)} MB, ${nodes} nodes`);
  expect(nodes).toBeLessThan(3000);
  expect(megabytes).toBeLessThan(150);
  expect(errors).toEqual([]);
});
