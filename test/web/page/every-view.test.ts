/**
 * What holds in every view: axe finds nothing serious in light and dark, nothing is cut off at a zoom of 200 %, all is reached by Tab and is seen to have the
 * focus, nothing moves for who wants no motion. A view that is added to the page has to be added here: the table is compared with the page's own.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createSonde, type Sonde } from "../../support/sonde.ts";
import { writeLongRun } from "./long-run.ts";
import { expectAccessible, expectNoSidewaysScroll, launch, type Opened, openPage } from "./support.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const MEAN = `function mean(values) {
  let total = 0;
  for (const v of values) {
    total += v;
  }
  return total / values.length;
}
console.log(mean([1, 2, 3]));
console.log(mean([4, 5, 6, "7"]));
`;

interface View {
  /** As in src/web/page/views/table.ts. */
  pattern: string;
  path(made: Made): string;
  /** There when it is drawn. */
  ready: string;
}

const VIEWS: readonly View[] = [
  { pattern: "/", path: () => "/", ready: "main .item" },
  { pattern: "/s/:name", path: () => "/s/mean", ready: ".arrow-line" },
  { pattern: "/t/:id", path: ({ values }) => `/t/${values}`, ready: ".hits .row[data-index='3'] .hit-value" },
  { pattern: "/t/:id", path: ({ calls }) => `/t/${calls}`, ready: "[role=tree] .row" },
  { pattern: "/d/:a/:b", path: ({ calls, fixed }) => `/d/${calls}/${fixed}`, ready: ".run-side .arrow-line" },
  {
    pattern: "/p/:id",
    path: ({ profiles }) => `/p/${profiles[0]}`,
    ready: ".functions .row[data-index='0']",
  },
  {
    pattern: "/p/:id/:other",
    path: ({ profiles }) => `/p/${profiles[0]}/${profiles[1]}`,
    ready: "section[aria-label='slower'] tbody tr",
  },
  { pattern: "/logs", path: () => "/logs", ready: "[aria-label='log entries'] .row" },
  { pattern: "/report", path: () => "/report", ready: "main tbody tr" },
  { pattern: "/a/:run", path: ({ run }) => `/a/${run}?seq=20`, ready: ".detail-body" },
  { pattern: "/a/:run/diff/:m/:n", path: ({ run }) => `/a/${run}/diff/1/2`, ready: ".request-diff .part" },
];

interface Made {
  values: string;
  calls: string;
  fixed: string;
  profiles: string[];
  run: string;
}

let browser: Browser;
let sonde: Sonde;
let made: Made;

beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
});

async function make(to: Sonde): Promise<Made> {
  to.write("mean.js", MEAN);
  to.write("fixed.js", MEAN.replace("total += v", "total += Number(v)"));
  to.fixture("profile/busy.js");
  const traceOf = async (command: string) => (await to.ask<{ trace: { id: string } }>(command)).trace.id;
  const values = await traceOf("trace --at mean.js:4=total,v -- node mean.js");
  const calls = await traceOf("trace --function mean -- node mean.js");
  const fixed = await traceOf("trace --function mean -- node fixed.js");
  const profiles = [];
  for (const ms of ["200", "500"])
    profiles.push((await to.ask<{ id: string }>(`profile cpu -- node busy.js ${ms}`)).id);
  const { id: run } = await writeLongRun({
    root: join(to.home, "state/agents"),
    events: 260,
    pass: () => {},
  });
  await to.text("start mean.js --break mean.js:4");
  return { values, calls, fixed, profiles, run };
}

async function eachView(opened: Opened, look: (page: Page, path: string) => Promise<void>): Promise<void> {
  for (const { path, ready } of VIEWS) {
    const to = path(made);
    await opened.go(to);
    await opened.page.locator(ready).first().waitFor();
    await look(opened.page, to);
  }
}

test("every view: axe, zoom, keys, motion", async () => {
  const table = readFileSync(resolve(import.meta.dirname, "../../../src/web/page/views/table.ts"), "utf8");
  const patterns = [...table.matchAll(/pattern: "([^"]+)"/g)].map(([, pattern]) => pattern);
  expect([...new Set(VIEWS.map(({ pattern }) => pattern))].sort()).toEqual(patterns.sort());
  await using here = createSonde();
  sonde = here;
  made = await make(sonde);

  {
    await using opened = await openPage(browser, sonde, "/");
    await eachView(opened, async (page, path) => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await expectAccessible(page).catch((thrown: unknown) => {
          throw new Error(`${path} in ${colorScheme}: ${String(thrown)}`);
        });
      }
      await page.emulateMedia({ colorScheme: "light" });
      const { reached, ...found } = await byTab(page);
      expect({ path, ...found }).toEqual({ path, missed: [], unseen: [], trapped: false });
      expect(reached).toBeGreaterThan(5);
    });
    // It would be seen: a field that keeps the focus.
    await opened.go("/report");
    await opened.page.locator("main tbody tr").first().waitFor();
    await opened.page.evaluate(`(() => {
      const field = document.createElement("input");
      field.addEventListener("keydown", (event) => event.key === "Tab" && event.preventDefault());
      document.querySelector("main").append(field);
    })()`);
    expect((await byTab(opened.page)).trapped).toBe(true);
    expect(opened.errors).toEqual([]);
  }
  {
    const half = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };
    await using opened = await openPage(browser, sonde, "/", half);
    await eachView(opened, async (page, path) => {
      await expectNoSidewaysScroll(page);
      expect({ path, cut: await cutOff(page) }).toEqual({ path, cut: [] });
    });
    expect(opened.errors).toEqual([]);
  }
  {
    await using opened = await openPage(browser, sonde, "/", { reducedMotion: "reduce" });
    await eachView(opened, async (page, path) => {
      expect({ path, moving: await moving(page) }).toEqual({ path, moving: [] });
    });
    expect(opened.errors).toEqual([]);
  }
});

/** What can be used by a mouse and is not reached by Tab, what does not show that it has the focus, and whether Tab never comes out again. */
async function byTab(
  page: Page,
): Promise<{ reached: number; missed: string[]; unseen: string[]; trapped: boolean }> {
  await page.evaluate(`(() => {
    document.activeElement?.blur();
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute("tabindex");
    const usable = "a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex='0']";
    const seen = (one) => one.checkVisibility({ visibilityProperty: true }) && one.tabIndex >= 0;
    window.wanted = [...document.querySelectorAll(usable)].filter(seen);
    window.reached = new Set();
  })()`);
  const unseen = new Set<string>();
  let trapped = true;
  for (let press = 0; press < 200; press++) {
    await page.keyboard.press("Tab");
    const at = (await page.evaluate(`(() => {
      const one = document.activeElement;
      if (one === null || one === document.body) return "out";
      const [first] = window.reached;
      if (window.reached.has(one)) return one === first ? "round" : "again";
      window.reached.add(one);
      const style = getComputedStyle(one);
      const shows = style.outlineStyle !== "none" || style.boxShadow !== "none";
      return shows ? "" : one.outerHTML.slice(0, 120);
    })()`)) as string;
    // Whoever comes back to another than the first goes round in a part of the page.
    if (at === "out" || at === "round") trapped = false;
    if (at === "out" || at === "round" || at === "again") break;
    if (at !== "") unseen.add(at);
  }
  const missed = (await page.evaluate(
    "window.wanted.filter((one) => one.isConnected && !window.reached.has(one)).map((one) => one.outerHTML.slice(0, 160))",
  )) as string[];
  const reached = (await page.evaluate("window.reached.size")) as number;
  return { reached, missed, unseen: [...unseen], trapped };
}

/** What can be used and is beyond the edge of the window, where nothing scrolls to it. */
async function cutOff(page: Page): Promise<string[]> {
  return (await page.evaluate(`(() => {
    const scrolls = (one) => {
      for (let at = one.parentElement; at !== null; at = at.parentElement) {
        const { overflowX } = getComputedStyle(at);
        if ((overflowX === "auto" || overflowX === "scroll") && at.scrollWidth > at.clientWidth) return true;
      }
      return false;
    };
    return [...document.querySelectorAll("a[href], button, input, select, textarea, summary, h1, h2")]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".unseen, .skip"))
      .filter((one) => {
        const { left, right, width } = one.getBoundingClientRect();
        return width > 0 && (right > innerWidth + 1 || left < -1) && !scrolls(one);
      })
      .map((one) => one.outerHTML.slice(0, 160));
  })()`)) as string[];
}

/** What has an animation or a transition that takes time. */
async function moving(page: Page): Promise<string[]> {
  return (await page.evaluate(`[...document.querySelectorAll("*")]
    .filter((one) => {
      const { transitionDuration, animationDuration, animationName, scrollBehavior } = getComputedStyle(one);
      const takes = (text) => text.split(",").some((part) => parseFloat(part) > 0.02);
      return takes(transitionDuration) || (animationName !== "none" && takes(animationDuration)) || scrollBehavior === "smooth";
    })
    .map((one) => one.outerHTML.slice(0, 120))
    .slice(0, 5)`)) as string[];
}
