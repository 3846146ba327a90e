/** Threads, child processes and changed values in the view of a debug session, on real programs. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { borrowSonde } from "../../support/sonde.ts";
import { expectAccessible, launch, openPage } from "./support.ts";

vi.setConfig({ testTimeout: 120_000 });

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
});

const THREADS = `import threading
gate = threading.Event()
met = threading.Barrier(3)
def wait_here(number):
    inside = number * 10
    met.wait()
    gate.wait()
    return inside
threads = [threading.Thread(target=wait_here, args=(n,), name=f"waiter-{n}") for n in (1, 2)]
for one in threads:
    one.start()
met.wait()
ready = True
gate.set()
for one in threads:
    one.join()
print("joined", len(threads))
`;

test("threads: each is listed with where it is, is looked at without moving anything, and is chosen by a command", async () => {
  await using sonde = borrowSonde();
  sonde.write("many.py", THREADS);
  await sonde.text("start many.py --break many.py:13");
  await using opened = await openPage(browser, sonde, "/s/many");
  const { page, errors } = opened;
  await page.locator(".arrow-line").waitFor();
  await page.keyboard.press("3");
  const rows = page.getByRole("region", { name: "threads" }).locator("tbody tr");
  await expect.poll(() => rows.count()).toBe(3);
  expect(await rows.filter({ hasText: "steps move it" }).textContent()).toContain("many.py:13");
  const waiter = rows.filter({ hasText: "waiter-2" });
  await waiter.getByRole("button", { name: "look" }).click();
  // Its own stack; the command line still has the thread that stopped.
  await expect
    .poll(() => page.locator(".stack, [aria-label=stack]").first().textContent())
    .toContain("wait_here");
  expect(await sonde.text("context")).toContain("many.py:13");
  await expectAccessible(page);
  await waiter.getByRole("button", { name: "choose" }).click();
  await expect.poll(() => waiter.textContent()).toContain("steps move it");
  // For everybody: it is what steps move. Whoever chose it has the session.
  expect(await sonde.text("threads")).toMatch(/^\* 3 waiter-2 /m);
  expect(await sonde.refusal("next")).toMatchObject({ code: "TAKEN_OVER" });
  expect(errors).toEqual([]);
});

test("output: a restart is marked, and the next run does not go on with a line of the last", async () => {
  await using sonde = borrowSonde();
  sonde.write("prints.js", 'process.stdout.write("first\\nunfinished");\nconsole.error("second");\n');
  await sonde.text("start prints.js --break prints.js:2");
  await using opened = await openPage(browser, sonde, "/s/prints");
  const { page, errors } = opened;
  await page.locator(".arrow-line").waitFor();
  const rows = page.getByRole("list", { name: "output of the program" }).getByRole("listitem");
  await expect.poll(() => rows.allTextContents()).toEqual(["outfirst", "outunfinished"]);
  await sonde.text("restart");
  const twice = ["outfirst", "outunfinished", "restarted: run 2", "outfirst", "outunfinished"];
  await expect.poll(() => rows.allTextContents()).toEqual(twice);
  // A page that comes later has the same.
  await page.reload();
  await expect.poll(() => rows.allTextContents()).toEqual(twice);
  await sonde.text("restart");
  await expect.poll(() => rows.allTextContents()).toContain("restarted: run 3");
  // Who reads it on the command line is not told that one line is another's beginning either.
  expect(await sonde.text("output")).not.toContain("unfinishedfirst");
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test("a child process that stops is a thread of its own there, and its source is shown", async () => {
  await using sonde = borrowSonde();
  sonde.write(
    "parent.js",
    'const { fork } = require("node:child_process");\nconst child = fork("./child.js");\nchild.on("message", (text) => {\n  console.log("child said", text);\n});\n',
  );
  sonde.write(
    "child.js",
    'const said = "hello from " + (1 + 1);\nprocess.send(said);\nprocess.disconnect();\n',
  );
  await sonde.text("start parent.js --break child.js:2");
  await using opened = await openPage(browser, sonde, "/");
  const { page, errors, go } = opened;
  await page.locator("main .item").first().waitFor();
  await go("/s/parent");
  await expect.poll(() => page.locator(".arrow-line .code").textContent()).toContain("process.send(said)");
  await page.keyboard.press("3");
  const rows = page.getByRole("region", { name: "threads" }).locator("tbody tr");
  // The parent runs on, the child is stopped; each has its process.
  await expect.poll(() => rows.count()).toBe(2);
  const pids = await rows.locator("td:nth-child(3)").allTextContents();
  expect(new Set(pids).size).toBe(2);
  expect(await rows.filter({ hasText: "stopped" }).textContent()).toContain("child.js:2");
  expect(await rows.filter({ hasText: "running" }).count()).toBe(1);
  await page.keyboard.press("F5");
  await page.keyboard.press("1");
  await expect
    .poll(() => page.locator(".output-text").allTextContents())
    .toEqual(["child said hello from 2"]);
  expect(errors).toEqual([]);
});

test("a value is changed by keys: the program goes on with it; one that cannot be is refused in words", async () => {
  await using sonde = borrowSonde();
  sonde.write(
    "sum.js",
    "let price = 3;\nlet count = 2;\nconst fixed = 1;\nconsole.log(price * count + fixed);\n",
  );
  await sonde.text("start sum.js --break sum.js:4");
  await using opened = await openPage(browser, sonde, "/s/sum");
  const { page, errors } = opened;
  const tree = page.getByRole("tree", { name: "values", exact: true });
  const row = (name: string) => tree.locator(".row", { hasText: new RegExp(`^\\W*${name}`) });
  await row("price").click();
  await tree.focus();
  await page.keyboard.press("Enter");
  const field = page.getByLabel("price =");
  await field.waitFor();
  expect(await field.inputValue()).toBe("3");
  await expectAccessible(page);
  await page.keyboard.type("50");
  await page.keyboard.press("Enter");
  await expect.poll(() => row("price").textContent()).toContain("50");
  // Escape leaves it as it is; what the language does not allow is said.
  await row("count").click();
  await tree.focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("count =").waitFor();
  await page.keyboard.type("7");
  await page.keyboard.press("Escape");
  await page.getByLabel("count =").waitFor({ state: "detached" });
  expect(await row("count").textContent()).toContain("2");
  await row("count").click();
  await tree.focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("count =").waitFor();
  await page.keyboard.type("nothing.like.this");
  await page.keyboard.press("Enter");
  await page
    .locator(".messages, [role=alert]")
    .filter({ hasText: /nothing/ })
    .first()
    .waitFor();
  expect(await sonde.text("print count")).toContain("2");
  // It is a person's now, and stands in the transcript as a command.
  expect(await sonde.text("transcript")).toContain("sonde set -s sum price 50");
  await page.keyboard.press("Escape");
  await page.locator("body").click({ position: { x: 300, y: 5 } });
  await page.keyboard.press("F5");
  await expect.poll(() => page.locator(".output-text").allTextContents()).toEqual(["101"]);
  expect(errors).toEqual([]);
});
