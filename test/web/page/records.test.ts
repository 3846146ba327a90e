/** Views of what was recorded: traces, two runs, profiles, logs, report; on real programs, in a real browser. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { borrowSonde, type Sonde } from "../../support/sonde.ts";
import { expectAccessible, expectNoSidewaysScroll, launch, nodeCount, openPage, picture } from "./support.ts";

vi.setConfig({ testTimeout: 90_000 });

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
});

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

async function traceOf(sonde: Sonde, command: string): Promise<string> {
  return (await sonde.ask<{ trace: { id: string } }>(command)).trace.id;
}

test("a trace of values: plot, lane for what is no number, table, source, condition, jump", async () => {
  await using sonde = borrowSonde();
  sonde.write("mean.js", MEAN);
  const id = await traceOf(sonde, "trace --at mean.js:4=total,v -- node mean.js");
  await using opened = await openPage(browser, sonde, `/t/${id}`);
  const { page, errors } = opened;
  const rows = page.getByRole("grid", { name: "hits" }).locator(".row[data-index]");
  await expect.poll(() => rows.count()).toBe(7);
  await expect.poll(() => rows.nth(6).textContent()).toMatch(/^7\d+\.\d15"7"$/);
  await page.locator(".plot canvas").first().waitFor();
  // total and v are numbers; v is also a text once.
  expect(await page.locator(".plot figcaption").allTextContents()).toEqual([
    "total from 0 to 15, hits 1 to 7",
    "v from 1 to 6, hits 1 to 7",
    "v 1 value that is no number",
  ]);
  expect(await page.locator(".arrow-line .code").textContent()).toBe("    total += v;");
  await page.getByLabel("only hits where").fill("total > 8");
  await page.keyboard.press("Enter");
  await expect.poll(() => rows.count()).toBe(2);
  expect(page.url()).toContain("where=total");
  // Every condition is a command, which the transcript has.
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^transcript/ }).click();
  expect(await page.locator(".transcript code").last().textContent()).toContain("--where 'total > 8'");
  await page.getByRole("button", { name: "close transcript" }).click();
  await page.getByLabel("only hits where").fill("");
  await page.keyboard.press("Enter");
  await page.getByLabel("go to hit").fill("5");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator(".hits .row.selected .hit-number").textContent()).toBe("5");
  expect(page.url()).toContain("hit=5");
  await expectAccessible(page);
  await picture(page, "trace-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await picture(page, "trace-dark");
  expect(errors).toEqual([]);
});

test("a trace of calls is a tree; two runs are open where they part", async () => {
  await using sonde = borrowSonde();
  sonde.write("mean.js", MEAN);
  sonde.write("fixed.js", MEAN.replace("total += v", "total += Number(v)"));
  const a = await traceOf(sonde, "trace --function mean -- node mean.js");
  const b = await traceOf(sonde, "trace --function mean -- node fixed.js");
  await using opened = await openPage(browser, sonde, `/t/${a}`);
  const { page, errors, go } = opened;
  const tree = page.getByRole("tree", { name: "calls" });
  await tree.locator(".row").first().waitFor();
  expect(await tree.locator('.row[aria-level="1"]').allTextContents()).toEqual([
    expect.stringMatching(/^▾mean\(values = \[1, 2, 3\]\)→ 2/),
    expect.stringMatching(/^▸mean\(values = \[4, 5, 6, "7"\]\)→ 39\.25/),
  ]);
  // What a line did stands at that line, as in the answer of the command.
  expect(await tree.locator('.row[aria-level="2"]').allTextContents()).toEqual([
    "line 2total = 0",
    "line 3v = 1",
    "line 4total = 1",
    "line 3v = 2",
    "line 4total = 3",
    "line 3v = 3",
    "line 4total = 6",
    expect.stringMatching(/^line 3/),
    "line 6",
    "return2",
  ]);
  await tree.focus();
  for (const key of ["End", "ArrowRight", "End", "ArrowUp"]) await page.keyboard.press(key);
  expect(await tree.locator(".row.selected").textContent()).toBe("line 6");
  expect(await page.locator(".arrow-line .code").textContent()).toContain("return total / values.length;");
  await expectAccessible(page);
  await picture(page, "calls-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await picture(page, "calls-dark");
  await page.emulateMedia({ colorScheme: "light" });

  await go(`/d/${a}/${b}`);
  await page.getByRole("heading", { name: /The runs part here/ }).waitFor();
  const sides = page.locator(".run-side");
  await sides.nth(1).locator(".arrow-line").waitFor();
  expect(await sides.nth(0).locator(".arrow-line .code").textContent()).toContain("total += v;");
  expect(await sides.nth(1).locator(".arrow-line .code").textContent()).toContain("total += Number(v);");
  expect(await page.locator(".differences tbody tr").first().textContent()).toContain('total"157"22');
  await expectAccessible(page);
  await picture(page, "two-runs-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await picture(page, "two-runs-dark");
  expect(errors).toEqual([]);
});

const PRICES = `function price(count) {
  const now = process.hrtime.bigint();
  const chance = Math.random();
  const rate = Number(process.env.RATE);
  return [count * rate, now, chance].length;
}
for (const one of [1, 2, 3]) price(one);
`;

test("two saved runs part where the command line says: not at noise, if A was run twice, and else it is said", async () => {
  await using sonde = borrowSonde();
  sonde.write("same.js", PRICES);
  const at = ["--at", "same.js:5", "--watch", "chance", "--watch", "rate"];
  const ran = await sonde.ask<{ a: { id: string }; b: { id: string } }>([
    ...["diff", "--a", "env RATE=2 node same.js", "--b", "env RATE=4 node same.js"],
    ...at,
  ]);
  const [a, b] = [ran.a.id, ran.b.id];
  const again = `t${Number(b.slice(1)) + 1}`;
  await using opened = await openPage(browser, sonde, `/d/${a}/${b}`);
  const { page, errors } = opened;
  await page.getByText("left out, because two runs of A differ in it too").waitFor();
  expect(await page.locator(".differences tbody tr").allTextContents()).toEqual(["rate24"]);
  // Of A only one run is left.
  await sonde.text(["trace", "rm", again]);
  await page.reload();
  await page.getByText("of A only one run is kept").waitFor();
  expect(await page.locator(".differences tbody tr").count()).toBe(2);
  expect(await sonde.text(["diff", a, b])).toContain("of A only one run is kept");
  expect(errors).toEqual([]);
});

test("a profile: the hot function leads the table, three orders, search; two profiles compared", async () => {
  await using sonde = borrowSonde();
  sonde.fixture("profile/busy.js");
  const first = await sonde.ask<{ id: string }>("profile cpu -- node busy.js 300");
  await using opened = await openPage(browser, sonde);
  const { page, errors, go } = opened;
  // Each comes to the list when it is there.
  await page.getByRole("link", { name: new RegExp(`^${first.id} `) }).waitFor();
  const second = await sonde.ask<{ id: string }>("profile cpu -- node busy.js 600");
  await page.getByRole("link", { name: new RegExp(`^${second.id} `) }).waitFor();
  await go(`/p/${first.id}`);
  const table = page.getByRole("grid", { name: "functions" });
  await table.locator(".row[data-index]").first().waitFor();
  expect(await table.locator(".row[data-index]").first().textContent()).toMatch(/hot busy\.js:2$/);
  await expectAccessible(page);
  await picture(page, "profile-light");
  for (const [key, words] of [
    ["1", /^as it went in time/],
    ["2", /^the heaviest first/],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => page.locator(".flame-words").textContent()).toMatch(words);
  }
  await page.keyboard.press("3");
  await page.getByRole("heading", { name: "who calls hot" }).waitFor();
  // Boxes are reached by keys, and said in words.
  await page.locator(".flame canvas").last().focus();
  await page.keyboard.press("ArrowDown");
  expect(await page.locator(".flame-words").last().textContent()).toMatch(/^hot busy\.js:2 100\.0 %/);
  await page.keyboard.press("/");
  await page.keyboard.type("warm");
  await expect.poll(() => page.locator(".tools .tag").textContent()).toBe("1 function");
  // What is found keeps its share of the whole: most is spent elsewhere.
  expect(
    Number.parseFloat((await table.locator(".row[data-index] .share").first().textContent()) ?? ""),
  ).toBeLessThan(50);
  await page.emulateMedia({ colorScheme: "dark" });
  await picture(page, "profile-dark");

  await go(`/p/${first.id}/${second.id}`);
  await page.getByRole("heading", { name: /^Slower:/ }).waitFor();
  expect(
    await page.getByRole("region", { name: "slower" }).locator("tbody tr").first().textContent(),
  ).toMatch(/^\+.*hot busy\.js:2$/);
  await expectAccessible(page);
  await picture(page, "profiles-compared-dark");
  await page.emulateMedia({ colorScheme: "light" });
  await picture(page, "profiles-compared-light");
  expect(errors).toEqual([]);
});

test("logs, and a report whose parts are seen before it is written", async () => {
  await using sonde = borrowSonde();
  sonde.write("mean.js", MEAN);
  await sonde.text("probe mean.js:6");
  await using opened = await openPage(browser, sonde, "/logs");
  const { page, errors, go } = opened;
  await page.getByRole("grid", { name: "log entries" }).locator(".row").first().waitFor();
  await expectAccessible(page);
  await picture(page, "logs-light");
  await page.getByLabel("level").selectOption("error");
  await expect.poll(() => page.url()).toContain("level=error");
  await go("/report");
  const button = page.getByRole("button", { name: "write the report" });
  await button.waitFor();
  expect(await page.locator("tbody tr").allTextContents()).toEqual(
    expect.arrayContaining([expect.stringContaining("system.json")]),
  );
  await expectAccessible(page);
  await picture(page, "report-light");
  await button.click();
  await page.getByText(/^written to/).waitFor();
  for (const view of ["logs", "report"]) {
    await page.emulateMedia({ colorScheme: "dark" });
    await go(`/${view}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await picture(page, `${view}-dark`);
  }
  expect(errors).toEqual([]);
});

test("in a window of 360 pixels nothing is wider than it, and little is in the document", async () => {
  await using sonde = borrowSonde();
  sonde.write("mean.js", MEAN);
  sonde.fixture("profile/busy.js");
  const id = await traceOf(sonde, "trace --at mean.js:4=total,v -- node mean.js");
  const profile = await sonde.ask<{ id: string }>("profile cpu -- node busy.js 200");
  await using opened = await openPage(browser, sonde, "/", { viewport: { width: 360, height: 700 } });
  const { page, errors, go } = opened;
  for (const path of ["/", `/t/${id}`, `/p/${profile.id}`, "/logs", "/report"]) {
    await go(path);
    await page.locator("main h1").first().waitFor({ state: "attached" });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    expect(await nodeCount(page)).toBeLessThan(3000);
  }
  expect(errors).toEqual([]);
});
