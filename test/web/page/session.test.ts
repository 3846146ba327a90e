/** The view of a debug session: on real programs, moved by the page and by the command line. */
import type { Browser, Page } from "playwright-core";
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

const CART = `class Cart {
  constructor() {
    this.items = [];
    this.totals = { net: 0, gross: 0 };
  }
  add(name, price, count) {
    const sum = price * count;
    this.items.push({ name, sum });
    this.totals.net += sum;
    return this.totals.net;
  }
}
const cart = new Cart();
for (const [name, price, count] of [["tea", 3, 2], ["cup", 8, 1], ["pot", 20, 1]]) {
  const net = cart.add(name, price, count);
  console.log(name, net);
}
`;

async function stoppedCart(sonde: Sonde): Promise<void> {
  sonde.write("cart.js", CART);
  await sonde.text("start cart.js --break cart.js:8");
}

/** The line with the arrow, and the values at its end. */
function arrow(page: Page) {
  return page.locator(".source-pane .arrow-line");
}

async function waitForLine(page: Page, line: number): Promise<void> {
  await expect
    .poll(() => arrow(page).locator(".number").textContent(), { timeout: 10_000 })
    .toContain(String(line));
}

test("source with values at line ends, locals, stack; steps by buttons and keys; each is a command", async () => {
  await using sonde = borrowSonde();
  await stoppedCart(sonde);
  await using opened = await openPage(browser, sonde, "/");
  const { page, errors } = opened;
  // From what waits to the stop: a link.
  await page.getByRole("link", { name: /^cart breakpoint/ }).waitFor();
  await expectAccessible(page);
  await picture(page, "now-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await picture(page, "now-dark");
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByRole("link", { name: /^cart breakpoint/ }).click();
  await waitForLine(page, 8);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(
    "cart stopped at cart.js:8 in add",
  );
  expect(await page.locator(".why").textContent()).toBe("why here: breakpoint 1 at cart.js:8, hit 1");
  const ends = page.locator(".source-row", { hasText: "const sum = price" }).locator(".inline");
  expect(await ends.allTextContents()).toEqual(["sum = 6", "price = 3", "count = 2"]);
  expect(await page.getByRole("listbox", { name: "stack" }).locator(".row").allTextContents()).toEqual([
    "0addcart.js:8",
    "1<module>cart.js:15",
    expect.stringMatching(/^\d+ library frames · show$/),
  ]);
  await expectAccessible(page);
  await picture(page, "session-light");

  await page.getByRole("button", { name: /^next/ }).click();
  await waitForLine(page, 9);
  await page.keyboard.press("F10");
  await waitForLine(page, 10);
  await page.keyboard.press("t");
  expect(await page.locator(".transcript code").allTextContents()).toEqual([
    "sonde next -s cart",
    "sonde next -s cart",
  ]);
  await page.keyboard.press("t");
  // The program of the page's owner: the command line is told.
  expect(await page.locator(".ownership").textContent()).toContain("yours");
  await page.keyboard.press("Shift+F11");
  await waitForLine(page, 16);
  await page.keyboard.press("F5");
  await waitForLine(page, 8);
  await page.locator(".output-text", { hasText: /^tea 6$/ }).waitFor();
  expect(await page.locator(".output-text").allTextContents()).toEqual(["tea 6"]);
  await page.emulateMedia({ colorScheme: "dark" });
  await picture(page, "session-dark");
  expect(errors).toEqual([]);
});

test("what the command line does is on the page at once, and a reload in the middle loses nothing", async () => {
  await using sonde = borrowSonde();
  await stoppedCart(sonde);
  await using opened = await openPage(browser, sonde, "/s/cart");
  const { page, errors } = opened;
  await waitForLine(page, 8);
  await sonde.text("next");
  await waitForLine(page, 9);
  await sonde.text("break cart.js:16");
  await expect.poll(() => page.locator(".mark").count()).toBe(2);
  await sonde.text("continue");
  await waitForLine(page, 16);
  await page.reload();
  await waitForLine(page, 16);
  await page.getByRole("tab", { name: /^who did what/ }).click();
  await expect
    .poll(() => page.locator(".done .done-line").allTextContents())
    .toEqual([
      "sonde start cart.js --break cart.js:8",
      "sonde next",
      "sonde break cart.js:16",
      "sonde continue",
    ]);
  await sonde.text("breakpoint remove --all");
  await sonde.text("continue");
  await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toContain("cart has ended");
  await page.getByRole("tab", { name: /^output/ }).click();
  await expect
    .poll(() => page.locator(".output-text").allTextContents())
    .toEqual(["tea 6", "cup 14", "pot 34"]);
  expect(errors).toEqual([]);
});

test("breakpoints by a click and by keys, with a condition; a tree that stays open; a watch", async () => {
  await using sonde = borrowSonde();
  await stoppedCart(sonde);
  await using opened = await openPage(browser, sonde, "/s/cart");
  const { page, errors } = opened;
  await waitForLine(page, 8);
  const gutter = (text: string) => page.locator(".source-row", { hasText: text }).locator(".gutter");
  await gutter("return this.totals").click();
  await expect.poll(() => gutter("return this.totals").locator(".mark").count()).toBe(1);
  await gutter("this.items.push").click();
  await expect.poll(() => gutter("this.items.push").locator(".mark").count()).toBe(0);
  // By keys alone: to the line, B for its condition.
  await page.getByRole("grid", { name: /^source/ }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("B");
  // It is typed at once.
  await page.getByRole("dialog").waitFor();
  await page.keyboard.type("sum > 10");
  await page.keyboard.press("Enter");
  await expect
    .poll(() => gutter("this.totals.net +=").locator(".unseen").textContent())
    .toContain("with a condition");
  await page.getByRole("tab", { name: /^breakpoints/ }).click();
  expect(await page.locator(".session-tabs tbody tr").allTextContents()).toEqual([
    expect.stringContaining("cart.js:10bound0always"),
    expect.stringContaining("cart.js:9bound0sum > 10"),
  ]);
  await picture(page, "breakpoints-light");

  const tree = page.getByRole("tree", { name: "values", exact: true });
  const row = (name: string) =>
    tree.locator(".row", { has: page.locator(".name", { hasText: new RegExp(`^[▸▾]?${name}$`) }) });
  await row("this").click();
  await row("totals").click();
  await expect.poll(() => row("net").textContent()).toMatch(/net=0/);
  await page.getByLabel("expression to watch").fill("price * count");
  await page.keyboard.press("Enter");
  const watches = page.getByRole("tree", { name: "watches" });
  await expect.poll(() => watches.locator(".value").textContent()).toBe("6");
  await page.keyboard.press("F10");
  await waitForLine(page, 9);
  await page.keyboard.press("F10");
  await waitForLine(page, 10);
  await expect.poll(() => row("net").textContent()).toMatch(/net=6changed/);
  // It stops where the condition holds, and says by which values.
  await page.getByRole("button", { name: /^continue/ }).click();
  // It stood at this line before.
  await expect.poll(() => page.locator(".why").textContent()).toContain("breakpoint 2 at cart.js:10");
  await page.getByRole("button", { name: /^continue/ }).click();
  await waitForLine(page, 9);
  expect(await page.locator(".why").textContent()).toBe(
    "why here: breakpoint 3 at cart.js:9, hit 1, because sum > 10 holds (sum = 20)",
  );
  await expect.poll(() => watches.locator(".value").textContent()).toBe("20");
  // Three are seen whole, beside many values.
  for (const expression of ["price + 1", "count + 1"]) {
    await page.getByLabel("expression to watch").fill(expression);
    await page.keyboard.press("Enter");
  }
  await expect.poll(() => watches.locator(".value").allTextContents()).toEqual(["20", "21", "2"]);
  expect(await watches.evaluate((one) => one.scrollHeight - one.clientHeight)).toBeLessThanOrEqual(0);
  // A value is changed by a double click, without a key.
  await row("price").dblclick();
  await page.getByLabel("price =").fill("99");
  await page.keyboard.press("Enter");
  await expect.poll(() => row("price").textContent()).toMatch(/price=99/);
  expect(errors).toEqual([]);
});

test("a frame is looked at without moving anybody else's; values are changed; input is written", async () => {
  await using sonde = borrowSonde();
  sonde.write(
    "ask.js",
    'const lines = [];\nprocess.stdin.on("data", (data) => {\n  lines.push(String(data).trim());\n  console.log("got", lines.length, lines.at(-1));\n});\n',
  );
  await sonde.text("start ask.js --break ask.js:4 --no-wait");
  await using opened = await openPage(browser, sonde, "/s/ask");
  const { page, errors } = opened;
  await page.getByRole("heading", { name: /ask runs/ }).waitFor();
  await page.getByLabel("line for the program's standard input").fill("hello");
  await page.keyboard.press("Enter");
  await waitForLine(page, 4);
  await page
    .getByRole("tree", { name: "values", exact: true })
    .locator(".row", { hasText: "data" })
    .first()
    .waitFor();
  await page.keyboard.press("F5");
  await expect.poll(() => page.locator(".output-text").allTextContents()).toEqual(["got 1 hello"]);
  await page.getByRole("button", { name: /^end$/ }).click();
  await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).not.toContain("runs");
  expect(errors).toEqual([]);
});

test("at an exception the page says which; nobody is hindered by 360 pixels, zoom or the lack of a mouse", async () => {
  await using sonde = borrowSonde();
  sonde.write(
    "fails.js",
    "function price(item) {\n  return item.price.toFixed(2);\n}\nconst items = [{ price: 3 }, {}];\nfor (const item of items) console.log(price(item));\n",
  );
  await sonde.text("start fails.js");
  await using opened = await openPage(browser, sonde, "/", { viewport: { width: 360, height: 740 } });
  const { page, errors } = opened;
  // By keys alone: to the session, and a step out of it.
  await page.getByRole("link", { name: /^fails/ }).waitFor();
  for (let tabs = 0; tabs < 20; tabs++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate("document.activeElement.classList.contains('item')")) break;
  }
  await page.keyboard.press("Enter");
  await waitForLine(page, 2);
  expect(await page.locator(".why-exception").textContent()).toContain("TypeError");
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  expect(await nodeCount(page)).toBeLessThan(3000);
  await picture(page, "session-narrow-light");
  await page.keyboard.press("u");
  await expect.poll(() => page.locator(".caller-line .number").textContent()).toContain("5");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.emulateMedia({ colorScheme: "dark" });
  await picture(page, "session-narrow-dark");
  expect(errors).toEqual([]);
});

test("a new user, with nothing but a failing program: from the empty page to the line that fails", async () => {
  await using sonde = borrowSonde();
  sonde.write(
    "sum.js",
    "function sum(list) {\n  return list.reduce((a, b) => a + b.amount, 0);\n}\nconsole.log(sum([{ amount: 2 }]));\nconsole.log(sum([{ amount: 2 }, null]));\n",
  );
  await using opened = await openPage(browser, sonde, "/");
  const { page, errors } = opened;
  await page.getByRole("heading", { name: "Nothing is being debugged" }).waitFor();
  await expectAccessible(page);
  await picture(page, "empty-light");
  await page.getByLabel("program and its arguments").fill("node sum.js");
  await page.getByRole("button", { name: "debug it" }).click();
  await waitForLine(page, 4);
  await page.getByRole("button", { name: /^continue/ }).click();
  await waitForLine(page, 2);
  expect(await page.locator(".why-exception").textContent()).toContain("Cannot read properties of null");
  expect(await page.locator(".source-row.arrow-line .inline").allTextContents()).toContain("b = null");
  // What the program prints comes by another way than its stops.
  await expect.poll(() => page.locator(".output-text").allTextContents()).toEqual(["2"]);
  expect(errors).toEqual([]);
});
