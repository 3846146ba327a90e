/** The flame graph, opened in a browser: drawn, searched, zoomed; and what a program calls its functions is only text in it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ProfileBuilder } from "../../../src/diagnostics/profile/profile.ts";
import { toSvg } from "../../../src/diagnostics/profile/svg.ts";
import { borrowSonde } from "../../support/sonde.ts";
import { fileOf, type ProfileData } from "./support.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
});
afterAll(async () => {
  await browser.close();
});

/** What it asked for besides itself, and what went wrong in it. */
async function opened(path: string) {
  const page = await browser.newPage({ viewport: { width: 1240, height: 600 } });
  const asked: string[] = [];
  const errors: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("dialog", (dialog) => {
    errors.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(`file://${path}`);
  return { page, asked, errors };
}

/** A sample may find a function before its caller is on the stack: there it stands once more, too narrow for its name. */
async function widest(page: Page, name: string) {
  const all = page.locator(`g.f[data-n="${name}"]`);
  const widths = await all
    .locator("rect")
    .evaluateAll((rects) => rects.map((rect) => rect.getBoundingClientRect().width));
  return all.nth(widths.indexOf(Math.max(...widths)));
}

test("of a program: the hot function is the widest, a search finds it and a click makes it fill the width", async () => {
  await using sonde = borrowSonde();
  sonde.fixture("profile/busy.js");
  const profile = await sonde.ask<ProfileData>("profile cpu -- node busy.js 500");
  const { page, asked, errors } = await opened(fileOf(profile, "svg"));
  expect(asked).toHaveLength(1);
  const hot = await widest(page, "hot");
  const warm = await widest(page, "warm");
  expect(await hot.locator("text").textContent()).toBe("hot");
  expect(await hot.locator("title").textContent()).toMatch(/^hot \(.*busy\.js:2\): \d+\.\d %, \d+ ms$/);
  const wide = async (one: typeof hot) => (await one.locator("rect").boundingBox())?.width ?? 0;
  expect(await wide(hot)).toBeGreaterThan(await wide(warm));
  await page.locator("input").fill("hot");
  expect(await hot.getAttribute("class")).toContain("hit");
  expect(await page.locator(".found").textContent()).toMatch(/^\d+\.\d % found$/);
  await hot.click();
  expect(await wide(hot)).toBeGreaterThan(1170);
  expect(await warm.isVisible()).toBe(false);
  await page.locator('g.f[data-n="all"]').click();
  expect(await warm.isVisible()).toBe(true);
  const shot = await page.screenshot();
  expect(shot.length).toBeGreaterThan(5000);
  expect(errors).toEqual([]);
});

test("names are text, whatever they are", async () => {
  await using sonde = borrowSonde();
  const names = [
    "</text><script>alert(1)</script>",
    "]]></script><script>alert(2)</script>",
    '" onload="alert(3)',
    "a\u0000b\u001b[31mc\ud800",
    "std::vector<int, std::allocator<int>>::push_back(int&&)",
  ];
  const builder = new ProfileBuilder("ns");
  for (const name of names) builder.add([builder.frame({ name, file: `/x/${name}`, line: 1 })], 1e9);
  const path = join(sonde.project, "names.svg");
  writeFileSync(path, toSvg(builder.build(), names[0] ?? ""));
  const { page, asked, errors } = await opened(path);
  expect(errors).toEqual([]);
  expect(asked).toHaveLength(1);
  expect(await page.locator("script").count()).toBe(1);
  const shown = await page.locator("g.f").evaluateAll((all) => all.map((one) => one.getAttribute("data-n")));
  expect(shown).toEqual(expect.arrayContaining([names[0], names[1], names[2], names[4]]));
  expect(readFileSync(path, "utf8")).not.toMatch(/<(script|image|use|a)[^>]+(href|src)=/);
});

test("without samples it is still a drawing", async () => {
  await using sonde = borrowSonde();
  const path = join(sonde.project, "empty.svg");
  writeFileSync(path, toSvg(new ProfileBuilder("ns").build(), "nothing"));
  const { page, errors } = await opened(path);
  expect(await page.locator("g.f").count()).toBe(1);
  expect(errors).toEqual([]);
});
