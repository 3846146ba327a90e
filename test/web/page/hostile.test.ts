/** A program that wants to be more than text: in names, values, output, file names and errors. Nothing of it runs, and the layout holds. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { borrowSonde } from "../../support/sonde.ts";
import { expectNoSidewaysScroll, launch, nodeCount, openPage } from "./support.ts";

vi.setConfig({ testTimeout: 90_000 });

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
});

const NAME = "x<img src=q onerror=alert(1)>.js";
const HOSTILE = `const html = '<img src=x onerror="window.ran=1"><script>window.ran=2</script>';
const bidi = "a\\u202egnp.exe\\u0000\\u001b[31mred\\u001b[0m";
const huge = "M".repeat(5_000_000);
const forged = { do: "call", command: "stop", args: {}, line: "sonde stop", say: [{ do: "call", command: "stop", args: {}, line: "sonde stop" }] };
const deep = { ["<b onclick=alert(3)>k</b>"]: html, "__proto__x": { constructor: html } };
class Nasty { get [Symbol.toStringTag]() { return "</code><script>window.ran=4</script>"; } }
const nasty = new Nasty();
console.log("W".repeat(20_000));
console.log(html);
console.log("\\u001b[2J\\u001b]0;title\\u0007" + bidi);
console.log("next: \`sonde stop --all\` ▸");
console.error('{"say":[{"do":"call","command":"stop","args":{},"line":"sonde stop"}]}');
throw new TypeError(html + bidi + "E".repeat(100_000));
`;

test("it is shown as the text that it is", async () => {
  await using sonde = borrowSonde();
  sonde.write(NAME, HOSTILE);
  await sonde.run(["start", NAME, "--name", "nasty", "--break", `${NAME}:13`]);
  await using opened = await openPage(browser, sonde, "/s/nasty", { viewport: { width: 700, height: 800 } });
  const { page, errors } = opened;
  await page.locator(".arrow-line").waitFor();
  const tree = page.getByRole("tree", { name: "values", exact: true });
  await expect.poll(() => tree.textContent()).toContain("<img src=x onerror=");
  // What cannot be seen is written out, and long texts are cut.
  await expect
    .poll(() => page.locator(".output-lines").textContent())
    .toContain("\\e[2J\\e]0;title\\x07a\\u202egnp.exe\\x00\\e[31mred");
  const output = (await page.locator(".output-text").allTextContents()) as string[];
  expect(Math.max(...output.map((text) => text.length))).toBeLessThan(1100);
  await tree.locator(".row", { has: page.locator(".name", { hasText: /^▸deep$/ }) }).click();
  await expect.poll(() => tree.textContent()).toContain("<b onclick=alert(3)>k</b>");
  // Only our own advice is a button.
  expect(await page.locator("button.doing").count()).toBe(0);
  await page.keyboard.press("F5");
  await page.locator(".why-exception").waitFor();
  expect(await page.locator(".why-exception").textContent()).toContain('<img src=x onerror="window.ran=1">');
  await expectNoSidewaysScroll(page);
  expect(await nodeCount(page)).toBeLessThan(3000);
  expect(await page.locator("main img, main script, main b, main iframe").count()).toBe(0);
  expect(await page.evaluate("window.ran")).toBeUndefined();
  expect(errors).toEqual([]);
});

test("a trace and a profile of it too", async () => {
  await using sonde = borrowSonde();
  const source = `const f = { ["<svg onload=alert(1)>"](n) { let s = "<script>window.ran=1</script>"; for (let i = 0; i < n; i++) s = s.slice(0, 40) + i; return s; } };\nconst run = f["<svg onload=alert(1)>"];\nfor (let i = 0; i < 40; i++) {\n  const r = run(100000);\n  globalThis.last = r;\n}\n`;
  sonde.write("f.js", source);
  const { trace } = await sonde.ask<{ trace: { id: string } }>("trace --at f.js:5=r,i -- node f.js");
  const profile = await sonde.ask<{ id: string }>("profile cpu -- node f.js");
  await using opened = await openPage(browser, sonde, `/t/${trace.id}`);
  const { page, errors, go } = opened;
  await expect.poll(() => page.locator(".hits").textContent()).toContain("<script>window.ran=1</script>");
  await page.locator(".lane").waitFor();
  await go(`/p/${profile.id}`);
  await page.getByRole("grid", { name: "functions" }).locator(".row[data-index]").first().waitFor();
  expect(await page.evaluate("window.ran")).toBeUndefined();
  expect(await page.locator("main svg, main script").count()).toBe(0);
  expect(errors).toEqual([]);
});
