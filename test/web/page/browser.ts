/** The page as a person has it: a real browser, let in by the link that `sonde ui` prints. */
import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import type { Sonde } from "../../support/sonde.ts";

export const CHROMIUM = "/usr/bin/chromium";
export const hasBrowser = existsSync(CHROMIUM);

/** Without the connections that a browser makes on its own. */
const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ARGS });
}

export interface OpenedPage {
  page: Page;
  /** What the page complained of: nothing of it is expected. */
  complaints: string[];
  /** The page's server ends, too. */
  close(): Promise<void>;
}

/** At this address of the page, with the words that `sonde ui` was given. */
export async function openPage(
  browser: Browser,
  sonde: Sonde,
  path = "/",
  { words = [], ...options }: BrowserContextOptions & { words?: string[] } = {},
): Promise<OpenedPage> {
  const { stdout, stderr } = await sonde.run(["ui", "--no-open", ...words]);
  const address = /http:\/\/\S+/.exec(stdout)?.[0];
  if (address === undefined) throw new Error(`no address: ${stdout}${stderr}`);
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (one) => {
    if (one.type() === "error") complaints.push(one.text());
  });
  const url = new URL(address);
  await page.goto(`${url.origin}${path}${url.hash}`);
  await expect.poll(() => page.locator("main > *").count()).toBeGreaterThan(0);
  const close = async () => {
    await context.close();
    await sonde.run("ui stop");
  };
  return { page, complaints, close };
}
