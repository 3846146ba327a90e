/** The page in a real browser. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import type { Sonde } from "../../support/sonde.ts";

export async function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
}

export interface Opened extends AsyncDisposable {
  page: Page;
  /** What went wrong: exceptions, messages of the browser, dialogs, requests to anywhere else. */
  errors: string[];
  /** To another view of the same page. */
  go(path: string): Promise<void>;
}

/** `sonde ui`, and its link opened at a view. */
export async function openPage(
  browser: Browser,
  sonde: Sonde,
  path = "/",
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const said = await sonde.text("ui --no-open");
  const link = /http:\/\/\S+/.exec(said)?.[0] ?? "";
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  // What is not there by then does not come; the test's own time is longer.
  page.setDefaultTimeout(15_000);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(`exception: ${error.stack ?? error.message}`));
  page.on("console", (one) => {
    if (one.type() === "error") errors.push(`console: ${one.text()}`);
  });
  page.on("dialog", (dialog) => {
    errors.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(new URL(link).origin) && !request.url().startsWith("data:"))
      errors.push(`request: ${request.url()}`);
  });
  await page.goto(link);
  await page.locator(".bar .unseen", { hasText: "connected" }).waitFor({ state: "attached" });
  const go = async (to: string) => {
    await page.evaluate(
      `history.pushState(null, "", ${JSON.stringify(to)}), dispatchEvent(new PopStateEvent("popstate"))`,
    );
  };
  if (path !== "/") await go(path);
  return {
    page,
    errors,
    go,
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await sonde.run("ui stop");
    },
  };
}

const AXE = resolve(import.meta.dirname, "../../../node_modules/axe-core/axe.min.js");

interface Finding {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** No finding of axe that is serious or worse. Runs in a world of its own: the page's policy forbids foreign scripts. */
export async function expectAccessible(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId } = await session.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
    grantUniveralAccess: true,
  });
  const run = async (expression: string) => {
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
      expression,
      contextId: executionContextId,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as unknown;
  };
  await run(`${readFileSync(AXE, "utf8")};0`);
  const findings = (await run(
    "axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations)",
  )) as Finding[];
  await session.detach();
  const serious = findings.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(
    serious.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map((node) => `${node.target.join(" ")} ${node.failureSummary}`)
          .join("; ")}`,
    ),
  ).toEqual([]);
}

/** Nothing is wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const wide = await page.evaluate(
    "document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth + Math.max(0, document.querySelector('main').scrollWidth - document.querySelector('main').clientWidth)",
  );
  expect(wide).toBe(0);
}

export async function nodeCount(page: Page): Promise<number> {
  return (await page.evaluate("document.querySelectorAll('*').length")) as number;
}

/** A picture for docs/screenshots, if one is wanted: `SCREENSHOTS=1`. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS === undefined) return;
  await page.mouse.move(0, 0);
  await page.screenshot({
    path: join(resolve(import.meta.dirname, "../../../docs/screenshots"), `${name}.png`),
  });
}
