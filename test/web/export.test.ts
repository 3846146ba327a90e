/** A view saved as one file: it opens offline with all that it shows, secrets are masked, and nothing in it runs but our script. */
import {
  appendFileSync,
  chownSync,
  existsSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { oneScript } from "../../src/web/server/export/one-script.ts";
import { createSonde } from "../support/sonde.ts";
import { writeLongRun } from "./page/long-run.ts";

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
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, offline: true });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
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

test("a file of one's own is replaced; a link or another's file is left alone", async () => {
  const sonde = createSonde();
  sonde.write("app.js", "for (let n = 0; n < 3; n++)\n  console.log(n);\n");
  await sonde.text(["trace", "--at", "app.js:2=n", "--", "node", "app.js"]);
  const saved = (to: string) => sonde.ask<{ replaced: boolean }>(["ui", "export", "t1", "-o", to]);
  expect((await saved("x.html")).replaced).toBe(false);
  expect(await sonde.text("ui export t1 -o x.html")).toContain("in place of the file that was there");
  expect(statSync(`${sonde.project}/x.html`).mode & 0o777).toBe(0o600);

  const kept = sonde.write("kept.txt", "keep this\n");
  symlinkSync(kept, `${sonde.project}/link.html`);
  symlinkSync(`${sonde.project}/nowhere`, `${sonde.project}/dangling.html`);
  for (const name of ["link.html", "dangling.html"]) {
    const refused = await sonde.refusal(["ui", "export", "t1", "-o", name]);
    expect(refused).toMatchObject({
      code: "PERMISSION",
      message: `${sonde.project}/${name} is a symbolic link, and is left as it is`,
      hint: expect.any(String),
    });
  }
  expect(sonde.read("kept.txt")).toBe("keep this\n");
  expect(existsSync(`${sonde.project}/nowhere`)).toBe(false);
  expect((await sonde.refusal("ui export t1 -o /nowhere/x.html")).message).toContain("/nowhere");
  expect((await sonde.refusal("ui export t1 -o .")).message).toContain("is a folder");
  if (process.getuid?.() !== 0) return;
  chownSync(kept, 54321, 54321);
  expect((await sonde.refusal("ui export t1 -o kept.txt")).message).toContain("belongs to another user");
});

test("what is there and cannot be read is not said to be missing", async () => {
  const sonde = createSonde();
  sonde.write("app.js", "for (let n = 0; n < 3; n++)\n  console.log(n);\n");
  await sonde.text(["trace", "--at", "app.js:2=n", "--", "node", "app.js"]);
  const file = join(sonde.home, "state/traces/t1.jsonl");
  writeFileSync(file, readFileSync(file, "utf8").replace('"version":1', '"version":2'));
  expect(await sonde.refusal("ui export t1 -o x.html")).toMatchObject({ code: "VERSION_SKEW" });
  expect(await sonde.refusal("ui export t7 -o x.html")).toMatchObject({
    code: "BAD_ARGUMENT",
    message: "there is no run t7",
  });
});

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

test("values of a secret's name are masked wherever a trace keeps them", async () => {
  const sonde = createSonde();
  const word = "plain-word-of-no-shape";
  sonde.write(
    "app.js",
    `function login(user, adminPassword) {
  const DB_PASSWORD = adminPassword + "!";
  return user.length;
}
login("bob", process.env.WORD + 1);
login("al", process.env.WORD + 2);
`,
  );
  const env = { WORD: word };
  await sonde.text(["trace", "--at", "app.js:3=user,DB_PASSWORD", "--", "node", "app.js"], { env });
  await sonde.text(["trace", "--at", "app.js:3=user,DB_PASSWORD", "--", "node", "app.js"], {
    env: { WORD: `${word}-other` },
  });
  for (const value of [word, `${word}-other`])
    await sonde.text(["trace", "--function", "login", "--", "node", "app.js"], { env: { WORD: value } });
  for (const ids of [["t1"], ["t3"], ["t1", "t2"], ["t3", "t4"]]) {
    const said = await sonde.ask<{ file: string; masked: number }>(["ui", "export", ...ids, "-o", "x.html"]);
    const html = readFileSync(said.file, "utf8");
    expect([ids, html.includes(word), html.includes("bob") || ids.length > 1]).toEqual([ids, false, true]);
    expect(said.masked).toBeGreaterThan(0);
  }
  const { page, problems } = await shown(`${sonde.project}/x.html`);
  expect(problems).toEqual([]);
  await page.close();
});

test("a profile: every order, search, the table and a function's callers", { timeout: 120_000 }, async () => {
  const sonde = createSonde();
  sonde.write(
    "busy.js",
    `function innermost(n) { let sum = 0; for (let i = 0; i < n; i++) sum += Math.sqrt(i); return sum; }
function above() { return innermost(20000); }
const end = Date.now() + 500;
while (Date.now() < end) above();
`,
  );
  await sonde.text(["profile", "cpu", "--", "node", "busy.js", SECRET]);
  const said = await sonde.ask<{ file: string; masked: number }>(["ui", "export", "p1", "-o", "p1.html"]);
  expect(said.masked).toBeGreaterThan(0);
  expect(readFileSync(said.file, "utf8")).not.toContain(SECRET);
  const { page, problems } = await shown(said.file);
  await says(page, "profile p1");
  for (const order of ["time order", "left heavy", "sandwich"]) {
    const button = page.getByRole("button", { name: order });
    await button.click();
    await page.locator(`button[aria-pressed=true]:has-text("${order}")`).waitFor();
    await page.locator(".flames canvas").first().waitFor();
  }
  await page.getByLabel("search functions and files").fill("innermost");
  const row = page.locator(".functions .row", { hasText: "innermost" });
  await row.click();
  await says(page, "who calls innermost");
  await page.getByLabel("search functions and files").fill("");
  expect(await page.locator(".functions .row", { hasText: "above" }).count()).toBe(1);
  await page.keyboard.press("?");
  expect(await page.getByText("saved without that part").count()).toBe(0);
  expect(problems).toEqual([]);
});

test("a run of an agent: events are chosen, every tab says something, two requests are compared", {
  timeout: 180_000,
}, async () => {
  const sonde = createSonde();
  const run = await writeLongRun({ root: join(sonde.home, "state/agents"), events: 260, pass: () => {} });
  const events = join(sonde.home, "state/agents/sessions", run.id, "events.jsonl");
  // Another tool writes what we would have masked.
  const said = {
    ...{ type: "assistant_text", timestamp: new Date().toISOString(), sessionId: run.id, seq: 261 },
    data: { agent: "main", content: `the token is ${SECRET} ${HOSTILE}` },
  };
  appendFileSync(events, `${JSON.stringify(said)}\n`);
  const made = await sonde.ask<{ file: string; masked: number }>(["ui", "export", run.id, "-o", "run.html"]);
  expect(made.masked).toBeGreaterThan(0);
  expect(readFileSync(made.file, "utf8")).not.toContain(SECRET);
  const { page, problems } = await shown(made.file);
  await says(page, "the token is");
  await page.locator(".lanes canvas").waitFor();
  await page.getByRole("button", { name: "loops, cache, failures" }).click();
  await page.getByRole("region", { name: "repeated calls" }).waitFor();
  await page.getByRole("button", { name: "loops, cache, failures" }).click();
  await page.getByLabel("search events").fill("api_response");
  await page.locator(".event-rows .row", { hasText: "api_response" }).last().click();
  const detail = page.getByRole("region", { name: "detail", exact: true });
  for (const tab of ["event", "messages", "request", "response", "stream", "diff", "snapshot"]) {
    await page.getByRole("tab", { name: tab }).click();
    await detail.locator(".detail-body, .note").first().waitFor();
    await expect.poll(() => detail.textContent()).not.toContain("Reading …");
    expect([tab, await detail.textContent()]).toEqual([tab, expect.not.stringContaining("saved without")]);
  }
  await page.getByRole("tab", { name: "messages" }).click();
  await detail.locator(".said li").first().waitFor();
  await detail.getByRole("link", { name: /^beside call/ }).click();
  await page.getByRole("heading", { name: /^Call \d+ and call \d+ of/ }).waitFor();
  await page.getByText(/parts? the same\./).waitFor();
  await page.getByRole("link", { name: run.id }).click();
  await page.getByLabel("search events").fill("");
  await page.keyboard.press("Escape");
  await page.locator(".event-rows").focus();
  await page.keyboard.press("Home");
  await detail.getByText("session_start").first().waitFor();
  await page.keyboard.press("j");
  await detail.getByText(/^event [2-9] /).waitFor();
  expect(await page.title()).not.toBe("owned");
  expect(problems).toEqual([]);
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
