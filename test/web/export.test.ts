/** A view saved as one file: it opens offline with all that it shows, secrets are masked, and nothing in it runs but our script. */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { oneScript } from "../../src/web/server/export/one-script.ts";
import { createSonde } from "../support/sonde.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
});

afterAll(() => browser.close());

const HOSTILE = "</script><script>document.title='owned'</script><img src=x onerror=document.title='owned'>";
const SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";

/** Waits until it is to be read. */
async function says(page: Page, text: string): Promise<void> {
  await page.locator("body", { hasText: text }).waitFor();
}

async function shown(file: string) {
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on(
    "request",
    (one) => /^(file|data|blob):/.test(one.url()) || problems.push(`asked for ${one.url()}`),
  );
  await page.goto(pathToFileURL(file).href);
  await says(page, "saved page");
  return { page, problems };
}

test("a trace with its values and source, and two runs", async () => {
  const sonde = createSonde();
  sonde.write(
    "app.js",
    `for (let n = 0; n < 5; n++) {
  const text = ${JSON.stringify(HOSTILE)} + n;
  const token = "${SECRET}";
  console.log(n, text.length, token.length);
}
`,
  );
  const trace = ["trace", "--at", "app.js:4=n,text,token", "--", "node", "app.js"];
  await sonde.text(trace);
  await sonde.text(trace);
  const said = await sonde.ask<{ file: string; masked: number }>(["ui", "export", "t1", "-o", "t1.html"]);
  expect(said.masked).toBeGreaterThan(0);
  const html = readFileSync(said.file, "utf8");
  expect(html).not.toContain(SECRET);
  expect(html.match(/<script/g)).toHaveLength(2);

  const { page, problems } = await shown(said.file);
  await says(page, "document.title='owned'</script>");
  await says(page, "for (let n = 0; n < 5; n++) {");
  expect(await page.title()).not.toBe("owned");
  expect(problems).toEqual([]);
  expect(await page.getByText("saved without that part").count()).toBe(0);

  const two = await sonde.ask<{ file: string }>(["ui", "export", "t1", "t2", "-o", "two.html"]);
  const both = await shown(two.file);
  await says(both.page, "Both runs did the same");
  expect(both.problems).toEqual([]);
  expect(await sonde.refusal("ui export t99 -o x.html")).toMatchObject({ code: "BAD_ARGUMENT" });
});

test("parts of the page are one script, and what is not understood is refused", () => {
  const parts: Record<string, string> = {
    "app.js": 'import{a as b,c}from"./part-A.js";import"./part-B.js";var x=import("./part-C.js");b(c,x);',
    "part-A.js": "var a=1,c=2;export{a,c};",
    "part-B.js": 'import{a}from"./part-A.js";a();',
    "part-C.js": "var z=3;export{z as default};",
  };
  const read = (name: string) => parts[name] ?? "";
  const script = oneScript("app.js", read);
  expect(script).toContain('const{a:b,c}=await load("part-A.js");');
  expect(script).toContain('var x=load("part-C.js")');
  expect(script).toContain("get default(){return z}");
  expect(() => oneScript("x.js", () => 'export*from"./y.js";')).toThrow(/cannot be packed/);
});
