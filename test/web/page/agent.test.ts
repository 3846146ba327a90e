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

describe.runIf(hasBrowser)("the run of an agent on the page", { timeout: 120_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  test("a tool call that is held is changed and let go; what comes is shown as it comes", async () => {
    await using sonde = createSonde();
    const agent = await startAgent(sonde, { name: "mine" });
    await sonde.run("agent break add tool Bash");
    const { page, complaints, close } = await openPage(browser, sonde, `/a/${agent.id}`);
    await page.getByText("nothing is held").waitFor();
    agent.model("clean up");
    await agent.decision();
    agent.tool("t1", "Bash", { command: "rm -rf build" });
    await page.getByText("Held before tool Bash").waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "input (JSON)" }).fill('{"command":"ls build"}');
    await page.getByRole("button", { name: "change and release" }).click();
    expect(await agent.decision()).toMatchObject({ do: "run", input: { command: "ls build" }, edited: true });
    await page.getByText("nothing is held").waitFor();
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
});
