/** A `sonde` command that an agent runs is told to the agent's run, and what it starts names that run. */
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { createSonde } from "../../support/sonde.ts";
import { startAgent } from "./agents.ts";

test("a session that an agent starts and the agent's run name each other", async () => {
  await using sonde = createSonde();
  sonde.fixture("js/stats.js");
  const agent = await startAgent(sonde);
  const env = { SONDE_AGENT_RUN: agent.id };
  const watching = sonde.spawn(["agent", "watch", "--filter", "sonde_call", "--from", "start"]);
  const calls: string[] = [];
  const told = new Promise<void>((done) => {
    createInterface({ input: watching.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      if (line.includes("sonde_call")) calls.push(line);
      if (calls.length === 2) done();
    });
  });
  await sonde.text("start stats.js --stop-on-entry --name web", { env });
  expect(await sonde.ask("context -s web")).toMatchObject({ agent: agent.id });
  expect(await sonde.text("sessions")).toContain(`agent: ${agent.id}`);
  await sonde.run("print nothing.here -s web", { env });
  // No command waits until the agent has been told of it, so the test does.
  await told;
  agent.end();
  await new Promise((done) => watching.once("exit", done));
  expect(calls[0]).toContain("sonde start stats.js --stop-on-entry --name web");
  expect(calls[0]).toContain("exited with 0");
  expect(calls[1]).toContain("exited with 1");
  expect(await sonde.text("agent transcript")).toContain("ran sonde start stats.js");
});

test("a run that is not there costs a command nothing", async () => {
  await using sonde = createSonde();
  const env = { SONDE_AGENT_RUN: "debug_20200101_000000_none" };
  expect(await sonde.text("sessions", { env })).toBe("no sessions\n");
});
