/** An agent that is held, and somebody who dies: the agent, the daemon, `agent run`; two who command it; files that are cut. */
import { appendFileSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Agent, agentsFolder, startAgent } from "../../agent/cli/agents.ts";
import { createSonde, type Sonde } from "../../support/sonde.ts";
import { row, type Verdict } from "./tally.ts";

const adapter = "agent bridge";
let shared: Sonde | undefined;

interface Held {
  sonde: Sonde;
  agent: Agent;
  /** What `sessions` takes now. */
  plainMs: number;
}

/** An agent before a tool call that is held. */
async function held(): Promise<Held> {
  shared ??= createSonde();
  const sonde = shared;
  const agent = await startAgent(sonde);
  await sonde.ask(["agent", "break", "add", "tool", "Bash", "-s", agent.id]);
  agent.tool("t1", "Bash", { command: "rm -rf build" });
  await sonde.ask(["agent", "wait", "-s", agent.id]);
  const { ms } = await sonde.run("agent sessions");
  return { sonde, agent, plainMs: ms };
}

async function asked(sonde: Sonde, words: string[]) {
  const result = await sonde.run([...words, "--json"]);
  const answer = JSON.parse(result.stdout || "{}");
  return {
    ...result,
    ok: answer.ok === true,
    code: answer.error?.code ?? "",
    said: result.stdout + result.stderr,
  };
}

async function end({ agent }: Held, verdict: Verdict): Promise<void> {
  agent.end();
  const over = new Promise((resolve) => agent.process.once("exit", resolve));
  if (agent.process.exitCode === null && agent.process.signalCode === null)
    await Promise.race([over, delay(5000, undefined, { ref: false })]);
  verdict.left(agent.process.exitCode === null && agent.process.signalCode === null ? ["the agent"] : []);
  agent.process.kill("SIGKILL");
}

function fresh(): void {
  shared = undefined;
}

row("agent killed while it is held", { adapter, runs: 10 }, async (verdict, _random, number) => {
  if (number === 0) fresh();
  const one = await held();
  one.agent.process.kill("SIGKILL");
  await new Promise((resolve) => one.agent.process.once("exit", resolve));
  for (const words of [
    ["agent", "resume"],
    ["agent", "status"],
  ]) {
    const reply = await asked(one.sonde, [...words, "-s", one.agent.id]);
    verdict.answeredIn(reply.ms - one.plainMs, words.join(" "));
    verdict.holds(
      /died|ended|no longer|not running/.test(reply.said),
      () => `${words.join(" ")}: ${reply.said}`,
    );
  }
});

row(
  "daemon killed while an agent is held",
  { adapter, runs: 10, short: 1 },
  async (verdict, _random, number) => {
    if (number === 0) fresh();
    const one = await held();
    const { daemon } = await one.sonde.ask<{ daemon: { pid: number } }>("status");
    process.kill(daemon.pid, "SIGKILL");
    // What is held is in the agent's own process: the next daemon finds it as it was.
    const reply = await asked(one.sonde, ["agent", "edit", "command=ls", "-s", one.agent.id]);
    verdict.holds(reply.ok, () => reply.said);
    const { ok, said } = await asked(one.sonde, ["agent", "resume", "-s", one.agent.id]);
    verdict.holds(ok, () => said);
    const decision = await one.agent.decision();
    verdict.holds(JSON.stringify(decision).includes('"ls"'), () => JSON.stringify(decision));
    await end(one, verdict);
  },
);

row("two controllers at once", { adapter, runs: 15, short: 1 }, async (verdict, random, number) => {
  if (number === 0) fresh();
  const one = await held();
  const words = [
    ["agent", "resume"],
    ["agent", "cancel", "--reason", "no"],
  ].map((command) => [...command, "-s", one.agent.id]);
  if (random.next() < 0.5) words.reverse();
  const replies = await Promise.all(words.map((command) => asked(one.sonde, command)));
  const decision = await one.agent.decision();
  const won = replies.filter(({ ok }) => ok);
  verdict.holds(won.length >= 1, () => replies.map(({ said }) => said).join(" | "));
  for (const { ok, code, said } of replies)
    verdict.holds(ok || code === "NOT_STOPPED", () => `who came second is told: ${said}`);
  verdict.holds(["run", "cancel", "deny", "block"].includes(String(decision.do)), () =>
    JSON.stringify(decision),
  );
  await end(one, verdict);
});

row(
  "unknown and broken lines in the command file",
  { adapter, runs: 10, short: 1 },
  async (verdict, random, number) => {
    if (number === 0) fresh();
    const one = await held();
    const file = join(agentsFolder(one.sonde), "sessions", one.agent.id, "commands.jsonl");
    const bad = random.pick([
      '{"id":"x1","type":"make_coffee","data":{}}\n',
      "not json\n",
      '{"id":7}\n',
      "\0\0\0\n",
      `{"id":"x","type":"pause","data":"${"y".repeat(200_000)}"}\n`,
      '{"id":"half","type":"pau',
    ]);
    appendFileSync(file, bad);
    if (!bad.endsWith("\n")) appendFileSync(file, "\n");
    const reply = await asked(one.sonde, ["agent", "resume", "-s", one.agent.id]);
    verdict.answeredIn(reply.ms - one.plainMs, "agent resume");
    verdict.holds(reply.ok, () => reply.said);
    const decision = await one.agent.decision();
    verdict.holds(decision.do === "run", () => JSON.stringify(decision));
    await end(one, verdict);
  },
);

row("event log cut at any byte", { adapter, runs: 20 }, async (verdict, random, number) => {
  if (number === 0) fresh();
  const one = await held();
  await one.sonde.ask(["agent", "resume", "-s", one.agent.id]);
  await one.agent.decision();
  await end(one, verdict);
  const file = join(agentsFolder(one.sonde), "sessions", one.agent.id, "events.jsonl");
  const whole = readFileSync(file);
  const at = whole.indexOf("\n") + 1 + random.below(whole.length - whole.indexOf("\n") - 1);
  truncateSync(file, at);
  const reply = await asked(one.sonde, ["agent", "transcript", "-s", one.agent.id]);
  verdict.answeredIn(reply.ms - one.plainMs, "agent transcript");
  verdict.holds(reply.ok, () => reply.said.slice(0, 300));
  const explained = await asked(one.sonde, ["agent", "explain", "-s", one.agent.id]);
  verdict.holds(explained.ok, () => explained.said.slice(0, 300));
});

row("`agent run` killed", { adapter, runs: 10, short: 1 }, async (verdict, random, number) => {
  if (number === 0) fresh();
  shared ??= createSonde();
  const sonde = shared;
  const before = new Set(sonde.processes().map(({ pid }) => pid));
  const script = `require("node:child_process").spawn("sleep", ["301"], { detached: true, stdio: "ignore" }); console.log("started"); setInterval(() => {}, 1000);`;
  const client = sonde.spawn(["agent", "run", "--", process.execPath, "-e", script]);
  client.stdin?.end();
  await new Promise((resolve) => client.stdout?.on("data", resolve));
  await delay(random.next() * 100);
  client.kill("SIGKILL");
  const isLeft = ({ pid, command }: { pid: number; command: string }) =>
    !before.has(pid) && !/daemon\.[cm]js|all=/.test(command);
  const deadline = performance.now() + 5000;
  while (sonde.processes().some(isLeft) && performance.now() < deadline) await delay(25);
  verdict.left(
    sonde
      .processes()
      .filter(isLeft)
      .map(({ command }) => command),
  );
  const reply = await asked(sonde, ["agent", "sessions", "--all"]);
  verdict.holds(reply.ok && /died/.test(reply.said), () => reply.said.slice(0, 300));
});
