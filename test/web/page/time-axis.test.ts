/** One time axis: what programs did (hits of traces, when they were busy) stands on the clock of the agent's run that made them run. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startAgent } from "../../agent/cli/agents.ts";
import { createSonde, type Sonde } from "../../support/sonde.ts";
import { expectAccessible, launch, openPage, picture } from "./support.ts";

vi.setConfig({ testTimeout: 120_000 });

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
});

interface Made {
  id: string;
  seq?: number;
  from: number;
  to: number;
}

interface Timeline {
  traces: (Made & { hits: number; counts: number[] })[];
  profiles: (Made & { samples?: number; busy?: number[] })[];
  empty: string[];
  gone: string[];
}

/** When each event came, by its type, on the run's clock. */
async function times(sonde: Sonde, run: string): Promise<Map<string, number[]>> {
  const { columns } = await sonde.ask<{
    columns: { names: { types: string[] }; type: number[]; at: number[] };
  }>(["agent", "events", run]);
  const found = new Map<string, number[]>();
  for (const [row, type] of columns.type.entries()) {
    const name = columns.names.types[type] ?? "";
    found.set(name, [...(found.get(name) ?? []), columns.at[row] ?? 0]);
  }
  return found;
}

test("traces and profiles that the agent's commands made are lanes and a table of its run", async () => {
  await using sonde = createSonde();
  sonde.write("app.js", "for (let n = 0; n < 7; n++) {\n  const twice = n * 2;\n  console.log(twice);\n}\n");
  sonde.write("never.js", "if (process.argv[2] === 'on') {\n  console.log('never');\n}\n");
  sonde.write(
    "busy.js",
    "const end = Date.now() + 400; let n = 0;\nwhile (Date.now() < end) n += Math.sqrt(n + 1);\n",
  );
  // Another's, which the run only looks at.
  await sonde.text(["trace", "--at", "app.js:3=twice", "--", "node", "app.js"]);
  const agent = await startAgent(sonde);
  const env = { SONDE_AGENT_RUN: agent.id };
  await sonde.text(["trace", "show", "t1"], { env });
  const printed = await sonde.text(["trace", "--at", "app.js:3=twice", "--", "node", "app.js"], { env });
  expect(printed).toContain("7 hits");
  await sonde.text(["profile", "cpu", "busy.js"], { env });
  await sonde.text(["trace", "--at", "never.js:2", "--", "node", "never.js"], { env });
  // Nobody waits until the run has been told.
  await expect.poll(async () => (await times(sonde, agent.id)).get("sonde_call")?.length).toBe(4);

  const { traces, profiles, empty, gone } = await sonde.ask<Timeline>(["agent", "timeline", agent.id]);
  const known = await times(sonde, agent.id);
  const [began = 0] = known.get("session_start") ?? [];
  const [, traced = 0, profiled = 0] = known.get("sonde_call") ?? [];
  const [trace] = traces;
  expect(traces).toHaveLength(1);
  expect(trace).toMatchObject({ id: "t2", hits: 7 });
  expect(trace?.counts.reduce((sum, one) => sum + one, 0)).toBe(7);
  // Within the time between the run's begin and the end of the command.
  const order = [began, trace?.from ?? -1, trace?.to ?? -1, traced];
  expect(order).toEqual([...order].sort((a, b) => a - b));
  const [profile] = profiles;
  expect(profile).toMatchObject({ id: "p1", kind: "cpu" });
  expect(Math.max(...(profile?.busy ?? []))).toBeGreaterThan(0.5);
  const second = [traced, profile?.from ?? -1, profiled];
  expect(second).toEqual([...second].sort((a, b) => a - b));
  expect([empty, gone]).toEqual([["t3"], []]);
  expect(await sonde.text("agent timeline")).toMatch(/trace t2 {2}7 hits {2}node app\.js {2}\(event \d+\)/);

  await using opened = await openPage(browser, sonde, `/a/${agent.id}`);
  const { page, errors, go } = opened;
  await page.locator(".lane-name", { hasText: "trace hits" }).waitFor();
  await page.locator(".lane-name", { hasText: "CPU" }).waitFor();
  await page.getByText("what programs did: 2 recordings").click();
  const row = page.locator(".did tbody tr", { hasText: "trace t2" });
  expect(await row.textContent()).toContain("7 hits");
  await row.getByRole("button").click();
  await page.locator(".detail-links a", { hasText: "trace t2" }).waitFor();
  await expectAccessible(page);
  await picture(page, "axis-light");
  await row.getByRole("link", { name: "trace t2" }).click();
  await page.locator(".hits").waitFor();
  // What is gone is said to be; where there is nothing at all there is no lane.
  await sonde.text("trace rm t2");
  await go(`/a/${agent.id}`);
  await page.getByText("what programs did: 1 recording").click();
  await page.getByText("Without a hit: t3. Removed since, or unreadable: t2.").waitFor();
  expect(await page.locator(".lane-name", { hasText: "trace hits" }).count()).toBe(0);
  const other = await startAgent(sonde);
  other.model("hello");
  await other.decision();
  await go(`/a/${other.id}`);
  await page.locator(".event-rows .row", { hasText: "api_request" }).waitFor();
  await page.locator(".figures").waitFor();
  expect(await page.locator(".did, .lane-name:text('CPU')").count()).toBe(0);
  expect(errors).toEqual([]);
  agent.end();
  other.end();
});

test("a profile of the agent's own process is on its clock too", async () => {
  await using sonde = createSonde();
  const agent = await startAgent(sonde);
  await sonde.text(["profile", "cpu", "--agent", agent.id, "--seconds", "0.5"]);
  const { profiles } = await sonde.ask<Timeline>(["agent", "timeline", agent.id]);
  expect(profiles).toHaveLength(1);
  expect(profiles[0]?.from).toBeGreaterThanOrEqual(0);
  expect(profiles[0]).not.toHaveProperty("seq");
  agent.end();
});
