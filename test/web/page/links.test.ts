/** Two links in one browser: what one may do is never lent to the other. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Sonde } from "../../support/sonde.ts";
import { entered, serve } from "../page-link.ts";
import { launch } from "./support.ts";

let browser: Browser;
let sonde: Sonde;

beforeAll(async () => {
  browser = await launch();
  sonde = new Sonde();
});

afterAll(async () => {
  await browser.close();
  await sonde.run("ui stop");
  await sonde[Symbol.asyncDispose]();
});

/** Not `waitForFunction`, whose text the page's rules let nobody run. */
const PATIENCE = { timeout: 15_000 };
const kept = `localStorage.getItem("sonde-secret")`;
const own = `sessionStorage.getItem("sonde-secret")`;

test("a link to watch with that is used up opens nothing, and a good one leaves the other's secret", async () => {
  const context = await browser.newContext();
  const open = async (link: { base: string; key: string }) => {
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const sockets: string[] = [];
    page.on("websocket", (one) => sockets.push(one.url()));
    await page.goto(`${link.base}/#k=${link.key}`);
    return { page, sockets };
  };
  const full = await open(await serve(sonde));
  await expect.poll(() => full.page.evaluate(kept), PATIENCE).toBeTruthy();
  const secret = await full.page.evaluate(kept);

  const used = await serve(sonde, "--read-only");
  await entered(used);
  const answered = context.waitForEvent("response", (one) => one.url().endsWith("/enter"));
  const late = await open(used);
  expect((await answered).status()).toBe(401);
  await late.page.locator("body", { hasText: "sonde ui" }).waitFor();
  expect(late.sockets).toEqual([]);

  const watching = await open(await serve(sonde, "--read-only"));
  await expect.poll(() => watching.page.evaluate(own), PATIENCE).toBeTruthy();
  expect(await watching.page.evaluate(own)).not.toBe(secret);
  expect(await full.page.evaluate(kept)).toBe(secret);
  await context.close();
});
