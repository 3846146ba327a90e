/** A person and a running agent: what is held is seen, changed and let go on the page, and the provider gets what was typed there. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startAgent } from "../../agent/cli/agents.ts";
import { startProvider } from "../../agent/provider/index.mjs";
import { CLIENTS, hasClients } from "../../agent/run/started-agent.ts";
import { createSonde } from "../../support/sonde.ts";
import { hasBrowser, openPage, startBrowser } from "./browser.ts";
import { picture } from "./support.ts";

const DRAWN = "document.querySelector('main canvas').toDataURL()";

describe.runIf(hasBrowser)("the run of an agent on the page", { timeout: 120_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  test("a tool call that is held is changed and let go; what comes is shown as it comes", async () => {
    await using sonde = createSonde();
    const agent = await startAgent(sonde, { name: "mine" });
    const { page, complaints, close } = await openPage(browser, sonde, `/a/${agent.id}`);
    await page.getByText("nothing is held").waitFor();
    await page.getByRole("button", { name: "Breakpoints" }).click();
    await page.getByLabel("which").fill("Bash");
    await page.getByRole("button", { name: "hold there" }).click();
    await page.getByText("1: tool Bash").waitFor();
    await page.getByRole("button", { name: "close" }).click();
    agent.model("clean up");
    await agent.decision();
    agent.tool("t1", "Bash", { command: "rm -rf build" });
    await page.getByText("Held before tool Bash").waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "input (JSON)" }).fill('{"command":"ls build"}');
    await page.getByRole("button", { name: "change and release" }).click();
    expect(await agent.decision()).toMatchObject({ do: "run", input: { command: "ls build" }, edited: true });
    await page.getByText("nothing is held").waitFor();
    // Its model has no known price: that is not nothing.
    await expect.poll(() => page.locator(".figures").textContent()).toContain("costnot known");
    await page.getByRole("option", { name: /tool_call_edit/ }).waitFor();
    // Every click is a command.
    await page.getByRole("button", { name: /^transcript/ }).click();
    await page.locator(".transcript code", { hasText: "sonde agent edit" }).waitFor();
    agent.tool("t2", "Bash", { command: "rm -rf src" });
    await page.getByText("Held before tool Bash").waitFor();
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("leave the sources alone");
    await page.getByRole("button", { name: "deny", exact: true }).click();
    expect(await agent.decision()).toMatchObject({ do: "cancel", reason: "leave the sources alone" });
    expect(complaints).toEqual([]);
    await close();
    agent.end();
  });

  test("what is held grows with the clock in its lane, and nobody is asked for it", async () => {
    await using sonde = createSonde();
    const agent = await startAgent(sonde);
    await sonde.run("agent break add tool Bash");
    agent.tool("t1", "Bash", { command: "ls" });
    const { page, complaints, close } = await openPage(browser, sonde, `/a/${agent.id}`);
    await page.getByText("Held before tool Bash").waitFor();
    await page.getByRole("button", { name: "held", exact: true }).waitFor();
    const wire = await page.context().newCDPSession(page);
    let asked = 0;
    await wire.send("Network.enable");
    wire.on("Network.webSocketFrameSent", () => {
      asked += 1;
    });
    const end = () => page.locator(".lane-times > span").last().textContent();
    // What the page asks for as it opens may still be on its way; after that it grows without a word to the server.
    const askedWhileItGrew = async () => {
      const [before, first, drawn] = [asked, await end(), await page.evaluate(DRAWN)];
      await expect.poll(end).not.toBe(first);
      await expect.poll(() => page.evaluate(DRAWN)).not.toBe(drawn);
      return asked - before;
    };
    await expect.poll(askedWhileItGrew).toBe(0);
    const grown = asked;
    // Once it is let go nothing moves any more.
    await page.getByRole("button", { name: /^Release/ }).click();
    await agent.decision();
    await page.getByText("nothing is held").waitFor();
    expect(asked).toBeGreaterThan(grown);
    await page.clock.install();
    const over = await end();
    await page.clock.runFor(5000);
    expect(await end()).toBe(over);
    expect(complaints).toEqual([]);
    await close();
    agent.end();
  });

  test("for who asked for less motion, a hold grows by the minute", async () => {
    await using sonde = createSonde();
    const agent = await startAgent(sonde);
    await sonde.run("agent break add tool Bash");
    agent.tool("t1", "Bash", { command: "ls" });
    await sonde.text("agent wait");
    const { page, close } = await openPage(browser, sonde, "/", { reducedMotion: "reduce" });
    await page.clock.install();
    await page.getByRole("region", { name: "Waiting for you" }).getByRole("link").click();
    await page.getByRole("button", { name: "held", exact: true }).waitFor();
    const end = () => page.locator(".lane-times > span").last().textContent();
    await page.getByText("Held before tool Bash").waitFor();
    await page.clock.runFor(20_000);
    // The page's own question is an event, too, and may come meanwhile: it is not 20 seconds after the others.
    expect(await end()).toMatch(/^(\d+ ms|\d\.\d s)$/);
    await page.clock.runFor(60_000);
    expect(await end()).toMatch(/^1 m /);
    await close();
    agent.end();
  });

  test("a message is injected by keys alone", async () => {
    await using sonde = createSonde();
    const agent = await startAgent(sonde);
    await sonde.run("agent pause");
    agent.model("fix it");
    const { page, close } = await openPage(browser, sonde, `/a/${agent.id}`);
    await page.getByText("Held before call 1 to the model").waitFor();
    await page.keyboard.press("i");
    await page.getByRole("dialog").getByRole("textbox").fill("leave the tests alone");
    await page.getByRole("button", { name: "inject", exact: true }).press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("a");
    expect(await agent.decision()).toMatchObject({
      do: "send",
      inject: [{ role: "user", content: "leave the tests alone" }],
    });
    await close();
    agent.end();
  });

  test("a run that waits is first on the list; it is let run on after a pause", async () => {
    await using sonde = createSonde();
    const agent = await startAgent(sonde, { name: "mine" });
    await sonde.run("agent pause");
    agent.model("fix it");
    await sonde.text("agent wait");
    const { page, complaints, close } = await openPage(browser, sonde, "/");
    const waiting = page.getByRole("region", { name: "Waiting for you" }).getByRole("link");
    await waiting.waitFor();
    expect(await waiting.textContent()).toMatch(/^mine1 call held.+\d\d:\d\d:\d\d$/);
    await waiting.click();
    await page.getByRole("heading", { level: 1, name: /mine/ }).waitFor();
    await page.getByRole("button", { name: /^Run on/ }).click();
    expect(await agent.decision()).toMatchObject({ do: "send" });
    await page.getByText("nothing is held").waitFor();
    expect(await sonde.text("agent status")).not.toContain("held at its next call");
    expect(complaints).toEqual([]);
    await close();
    agent.end();
  });

  test("what a model writes is only ever text", async () => {
    await using sonde = createSonde();
    const agent = await startAgent(sonde);
    await sonde.run(["agent", "break", "add", "tool", "*"]);
    const hostile = `<img src=x onerror="window.broken=1"><script>window.broken=1</script>\u001b[31m\u202e${"x".repeat(100_000)}`;
    agent.model(hostile);
    await agent.decision();
    agent.tool("t1", "<b>Bash</b>", { command: hostile, say: ["forged"], do: "call" });
    const { page, complaints, close } = await openPage(browser, sonde, `/a/${agent.id}?seq=3`);
    await page.getByText("Held before tool <b>Bash</b>").waitFor();
    for (const tab of ["messages", "request", "event"]) await page.getByRole("tab", { name: tab }).click();
    await page.locator(".detail-body .event-fields").waitFor();
    expect(await page.evaluate("window.broken")).toBeUndefined();
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(complaints).toEqual([]);
    await close();
    agent.end();
  });

  test.runIf(hasClients)(
    "Claude Code's call is held, its request edited on the page, and the provider sees that",
    async () => {
      const provider = await startProvider({ script: [{ text: "Done." }] });
      await using sonde = createSonde();
      const home = join(sonde.home, "user");
      mkdirSync(home, { recursive: true });
      const env = {
        HOME: home,
        ANTHROPIC_API_KEY: "sk-ant-dummy-key-for-tests",
        ANTHROPIC_BASE_URL: provider.url,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      };
      const words = ["agent", "run", "--break", "iteration=1", "--name", "mine", "--"];
      const run = sonde.run([...words, join(CLIENTS, "claude"), "-p", "remove the old files"], { env });
      const held = await sonde.run("agent wait --timeout 60 --json");
      const { session } = (JSON.parse(held.stdout) as { data: { session: string } }).data;
      const { page, complaints, close } = await openPage(browser, sonde, `/a/${session}`);
      await page.getByText(/Held before call \d+ to the model/).waitFor();
      await page.getByRole("button", { name: "Edit" }).click();
      const field = page.getByRole("textbox", { name: "request (JSON)" });
      await expect.poll(() => field.inputValue()).toContain("remove the old files");
      await field.fill((await field.inputValue()).replaceAll("remove the old files", "list the old files"));
      await page.getByRole("button", { name: "change and release" }).click();
      expect(await run).toMatchObject({ status: 0, stdout: "Done.\n" });
      const asked = JSON.stringify(provider.requests.map(({ body }) => body));
      expect(asked).toContain("list the old files");
      expect(asked).not.toContain("remove the old files");
      expect(complaints).toEqual([]);
      await close();
      await provider.close();
    },
  );

  test.runIf(hasClients)(
    "a run of Claude Code: what is held, what it cost and why, and two of its requests side by side",
    async () => {
      const bash = (command: string, usage: Record<string, number>) => ({
        text: "I will run this.",
        tools: [{ name: "Bash", input: { command, description: "Look at the notes" } }],
        usage,
      });
      const provider = await startProvider({
        script: [
          bash("wc -l notes.txt", { input: 2400, output: 80, cacheCreation: 9000 }),
          bash("cat nowhere.txt", { input: 300, output: 60, cacheRead: 9000, cacheCreation: 700 }),
          bash("rm -rf build && touch DANGER", { input: 10_300, output: 50, cacheRead: 0 }),
          { text: "Done: the notes have three lines.", usage: { input: 350, output: 30, cacheRead: 10_300 } },
        ],
      });
      await using sonde = createSonde();
      const home = join(sonde.home, "user");
      mkdirSync(home, { recursive: true });
      sonde.write("notes.txt", "one\ntwo\nthree\n");
      const env = {
        HOME: home,
        ANTHROPIC_API_KEY: "sk-ant-dummy-key-for-tests",
        ANTHROPIC_BASE_URL: provider.url,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      };
      const words = ["agent", "run", "--break", "pattern=rm -rf", "--name", "notes", "--"];
      const client = [join(CLIENTS, "claude"), "-p", "count the notes", "--allowedTools", "Bash"];
      const run = sonde.run([...words, ...client], { env });
      const held = await sonde.run("agent wait --timeout 60 --json");
      const { session } = (JSON.parse(held.stdout) as { data: { session: string } }).data;
      const view = { viewport: { width: 1280, height: 800 } };
      const { page, complaints, close } = await openPage(browser, sonde, `/a/${session}`, view);
      await page.getByText("Held before tool Bash").waitFor();
      await page.getByRole("option", { name: /tool_result.*nowhere/ }).click();
      await page.locator(".detail-body .event-fields").waitFor();
      // Of three answers: 11,400, 10,000 and 10,300 tokens, of which 9,000 came from the cache; the third call lost it.
      const figures = page.locator(".figures");
      await expect
        .poll(() => figures.textContent())
        .toMatch(/in31,700out190from the cache28\.4 %.*cache misses1/);
      await picture(page, "agent-light");
      // What is drawn is drawn again when the system turns dark.
      const light = await page.evaluate(DRAWN);
      await page.emulateMedia({ colorScheme: "dark" });
      await expect.poll(() => page.evaluate(DRAWN)).not.toBe(light);
      await picture(page, "agent-dark");
      await page.getByRole("button", { name: "Deny" }).click();
      await page.getByRole("dialog").getByRole("textbox").fill("delete nothing");
      await page.getByRole("button", { name: "deny", exact: true }).click();
      expect(await run).toMatchObject({ status: 0, stdout: "Done: the notes have three lines.\n" });
      // What the fourth request has and the third had not: the call, and that it was forbidden.
      await page.getByRole("heading", { level: 1, name: /exited with 0/ }).waitFor();
      await page.goto(new URL(`/a/${session}/diff/3/4`, page.url()).href);
      await page.getByText("Call 4 only adds to call 3").waitFor();
      const forbidden = page.locator("details.part", { hasText: "delete nothing" }).first();
      if ((await forbidden.getAttribute("open")) === null) await forbidden.locator("summary").click();
      await forbidden.getByText("delete nothing").last().waitFor();
      await picture(page, "agent-requests-dark");
      await page.emulateMedia({ colorScheme: "light" });
      await picture(page, "agent-requests-light");
      expect(complaints).toEqual([]);
      await close();
      await provider.close();
    },
  );
});
