/** We can be killed at any time: what we started ends, and what we kept for it is removed. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { listSessions } from "../../../src/agent/store/sessions.ts";
import { hasEnded } from "../../../src/util/process-facts.ts";
import { StartedAgent } from "./started-agent.ts";

/** Prints its number and that of a process in a session of its own. */
const PARENT = `
const { pid } = require("node:child_process").spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
process.on("SIGTERM", () => {
  console.log("asked to end");
  if (process.env.STUBBORN !== "1") process.exit();
});
setInterval(() => {}, 1000);
console.log("started", process.pid, pid);
`;

async function startedPids(agent: StartedAgent): Promise<number[]> {
  await agent.shows(/started \d+ \d+\n/);
  const [, ...pids] = /started (\d+) (\d+)/.exec(agent.printed) ?? [];
  const started = pids.map(Number);
  onTestFinished(() => {
    for (const pid of started) if (!hasEnded(pid)) process.kill(pid, "SIGKILL");
  });
  return started;
}

const leftOf = (pids: readonly number[]) => pids.filter((pid) => !hasEnded(pid));
const SOON = { timeout: 10_000 };

describe("when we are killed", () => {
  test.each(["0", "1"])("the agent ends, and what it started (STUBBORN=%s)", async (STUBBORN) => {
    await using agent = await StartedAgent.start({ command: ["node", "-e", PARENT], env: { STUBBORN } });
    const pids = await startedPids(agent);
    agent.process.kill("SIGKILL");
    await expect.poll(() => leftOf(pids), SOON).toEqual([]);
    expect((await agent.ended).stdout).toContain("asked to end");
    const [row] = await listSessions(agent.place.root);
    expect(row).toMatchObject({ ended: "died", alive: false });
    await expect.poll(() => readdirSync(agent.place.runtime), SOON).toEqual([]);
  });

  test("settings of the user's that we wrote for Claude Code do not stay", async () => {
    const claude = `#!/usr/bin/env node
      const path = process.argv[process.argv.indexOf("--settings") + 1];
      console.log("settings <" + path + ">");
      setInterval(() => {}, 1000);
    `;
    const settings = JSON.stringify({ env: { MY_KEY: "only mine" } });
    await using agent = await StartedAgent.start({
      command: ["./claude", "--settings", settings],
      files: { claude },
      executable: ["claude"],
    });
    await agent.shows(/settings <.*>/);
    const [, path = ""] = /settings <(.*)>/.exec(agent.printed) ?? [];
    const { runtime } = agent.place;
    expect(path.startsWith(`${runtime}/`)).toBe(true);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ env: { MY_KEY: "only mine" } });
    expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
    const { folder } = await agent.session();
    agent.process.kill("SIGKILL");
    await agent.ended;
    await expect.poll(() => readdirSync(runtime), SOON).toEqual([]);
    expect(readdirSync(folder.dir).filter((name) => name.includes("settings"))).toEqual([]);
  });
});

test("when the agent ends by itself, what it left running stays", async () => {
  const command = ["node", "-e", `${PARENT} process.exit(0)`];
  await using agent = await StartedAgent.start({ command });
  const [parent, left = 0] = await startedPids(agent);
  expect((await agent.ended).code).toBe(0);
  expect(leftOf([parent ?? 0, left])).toEqual([left]);
  expect(readdirSync(agent.place.runtime)).toEqual([]);
});

test("Ctrl-C in a terminal reaches the agent as it would without us", async () => {
  const script = `
    process.on("SIGINT", () => { console.log("interrupted"); setTimeout(() => process.exit(4), 200); });
    setInterval(() => {}, 1000);
    console.log("ready");
  `;
  await using agent = await StartedAgent.start({ command: ["node", "-e", script], terminal: true });
  await agent.shows(/ready/);
  agent.type("\x03");
  const { code, stdout } = await agent.ended;
  expect(code).toBe(4);
  expect(stdout.match(/interrupted/g)).toHaveLength(1);
});
