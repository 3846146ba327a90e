/** What somebody meets who uses the commands about agents for the first time. */
import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { createSonde } from "../../support/sonde.ts";
import { startAgent } from "./agents.ts";

test("waiting finds a run that is only just being started, and never answers about one that is over", async () => {
  await using sonde = createSonde();
  const none = await sonde.refusal("agent wait --timeout 0.1");
  expect(none).toMatchObject({ code: "NO_SESSION", message: "no agent has been run" });
  const first = await startAgent(sonde);
  first.end();
  await new Promise((done) => first.process.once("exit", done));
  const refused = await sonde.refusal("agent wait --timeout 0.1");
  expect(refused.code).toBe("NO_SESSION");
  expect(refused.message).toBe(`no agent runs now (the last one, ${first.id}, exited with 0)`);
  expect(refused.hint).toContain("sonde agent run -- claude");
  expect(await sonde.text(`agent wait -s ${first.id}`)).toMatch(/^ended: exited with 0 · /);
  const waiting = sonde.text("agent wait");
  const second = await startAgent(sonde);
  await sonde.text("agent pause");
  second.model("go");
  expect(await waiting).toContain(`session ${second.id}`);
});

test("of several runs each has a line", async () => {
  await using sonde = createSonde();
  const one = await startAgent(sonde, { name: "one" });
  await startAgent(sonde, { name: "two" });
  await sonde.text("agent break add tool Bash -s one");
  one.tool("t1", "Bash", { command: "ls" });
  await sonde.text("agent wait -s one");
  const shown = await sonde.text("agent status");
  expect(shown).toMatch(/^2 agents are running\n/);
  expect(shown).toMatch(/-s one {2}held: before tool Bash \(breakpoint 1\) · stop s1 {2}/);
  expect(shown).toMatch(/-s two {2}running {2}/);
  expect(await sonde.text("agent status -s one")).toMatch(/^held: before tool Bash/);
});

test("any call of a run can be looked at, also after it has ended, and written to a file", async () => {
  await using sonde = createSonde();
  const agent = await startAgent(sonde);
  for (const said of ["first", "second", "third"]) {
    agent.model(said);
    await agent.decision();
  }
  await sonde.text("agent pause");
  agent.model("fourth");
  await sonde.text("agent wait");
  const messages = await sonde.text("agent inspect messages --last 1 --whole");
  expect(messages).toContain("  user\n  | [result] fourth");
  expect(await sonde.text("agent inspect messages --call 2")).toContain("messages: 3 (2 user, 1 assistant):");
  const wrote = await sonde.text("agent inspect request --out body.json");
  expect(wrote).toContain("body.json");
  expect(wrote).toContain("sonde agent edit-request");
  const file = join(sonde.project, "body.json");
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ model: "test-model" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await sonde.text("agent edit-request --file body.json --resume");
  await agent.decision();
  agent.end();
  await new Promise((done) => agent.process.once("exit", done));
  const last = await sonde.text("agent inspect request");
  expect(last).toContain("call 4");
  expect(last).toContain("from the recording");
  expect(last).toContain("--out body.json");
  expect(await sonde.text("agent inspect diff --call 2")).toContain("the first 1 message is the same");
  expect(await sonde.text("agent inspect tools --call 1")).toContain("tools (1): Bash");
  expect(await sonde.text("agent inspect context --call 2")).toContain("all calls: 20 tokens in, 10 out");
  const none = await sonde.refusal("agent inspect request --call 9");
  expect(none.hint).toBe("recorded: calls 1 to 4");
  expect((await sonde.refusal("agent inspect tools --out x")).message).toContain("--out is for request");
});

test("a setting has the type that such settings have, and can be taken back", async () => {
  await using sonde = createSonde();
  const agent = await startAgent(sonde);
  const refused = await sonde.refusal("agent set temperature warm");
  expect(refused).toMatchObject({
    code: "BAD_ARGUMENT",
    message: 'temperature is a number, and "warm" is not',
  });
  expect(refused.hint).toContain("sonde agent set temperature 0.5");
  expect((await sonde.refusal("agent set temperature")).hint).toContain("--unset");
  const early = await sonde.text("agent set temperature 0.5");
  expect(early).toContain("temperature = 0.5, from the next call to the model on\n");
  expect(early).toContain("`sonde agent set temperature --unset` undoes it");
  await sonde.text("agent pause");
  agent.model("go");
  await sonde.text("agent wait");
  expect(await sonde.text("agent set max_tokens 5")).toContain("max_tokens = 5, from the held call (s1) on");
  expect(await sonde.text("agent set temperature --unset")).toContain(
    "temperature: the agent's own value again, from the held call (s1) on",
  );
  await sonde.text("agent inject user hello");
  const changed = "changed before it is sent: 1 injected message, max_tokens = 5";
  expect(await sonde.text("agent status")).toContain(`  ${changed}\n`);
  expect(await sonde.text("agent inspect context")).toContain(`${changed}\n`);
  sonde.write("body.json", JSON.stringify({ model: "other", messages: [] }));
  await sonde.text("agent edit-request body.json");
  expect(await sonde.text("agent set max_tokens 6")).toContain(
    "max_tokens = 6, from the call after the held one (s1, whose body was replaced) on",
  );
  expect(await sonde.text("agent status")).toContain(
    "changed before it is sent: another request in its place, 1 injected message",
  );
  await sonde.text("agent resume");
  expect(await agent.decision()).toMatchObject({ body: expect.stringContaining('"model":"other"') });
});

test("letting go a call whose client has gone does not sound as if something ran now", async () => {
  await using sonde = createSonde();
  const agent = await startAgent(sonde);
  await sonde.text("agent pause");
  agent.model("go");
  await sonde.text("agent wait");
  agent.giveUp();
  expect(await agent.decision()).toEqual({ do: "gone" });
  const said = await sonde.text("agent resume");
  expect(said).not.toContain("let go");
  expect(said).toContain("no longer held: s1; its client gave up waiting, so nothing is sent now");
});

test("a held call that is not sent is named as a stop is named elsewhere", async () => {
  await using sonde = createSonde();
  const agent = await startAgent(sonde);
  await sonde.text("agent pause");
  agent.model("go");
  await sonde.text("agent wait");
  expect(await sonde.text("agent kill-call s1 --text Done.")).toContain(
    "s1 is not sent; the agent gets an answer",
  );
  expect(await agent.decision()).toMatchObject({ do: "answer", text: "Done." });
  expect(await sonde.text("agent explain")).toContain("by hand: 1 model call that was not sent");
});

test("a breakpoint on a tool that the agent does not have is set, with a warning", async () => {
  await using sonde = createSonde();
  const agent = await startAgent(sonde);
  expect(await sonde.text("agent break add tool Bsh")).not.toContain("warning");
  agent.model("go");
  await agent.decision();
  const made = await sonde.text("agent break add tool Bsh --log");
  expect(made).toContain("breakpoint 2: tool Bsh (only recorded)\n");
  expect(made).toContain("warning: this agent has no tool of that name (did you mean Bash?); it has Bash");
  expect(await sonde.text("agent break add tool Ba*")).not.toContain("warning");
  expect(await sonde.text("agent break list")).toContain("breakpoint 1: tool Bsh (0 hits)\n");
});

test("a cancelled call is waited behind, and a held tool offers a step", async () => {
  await using sonde = createSonde();
  const agent = await startAgent(sonde);
  await sonde.text("agent break add tool Bash");
  agent.tool("t1", "Bash", { command: "rm" });
  expect(await sonde.text("agent wait")).toContain("`sonde agent step` lets it run");
  const waiting = sonde.text("agent cancel --wait");
  expect(await agent.decision()).toMatchObject({ do: "cancel" });
  agent.tool("t2", "Bash", { command: "ls" });
  expect(await waiting).toMatch(/^cancelled t1\nheld: before tool Bash \(breakpoint 1, hit 2\)/);
});

test("Sonde's own commands are shown only if they are asked for", async () => {
  await using sonde = createSonde();
  const agent = await startAgent(sonde);
  await sonde.text("agent break list");
  agent.end();
  await new Promise((done) => agent.process.once("exit", done));
  expect(await sonde.text("agent replay")).not.toContain("command_");
  expect(await sonde.text("agent replay --all")).toContain("command_executed");
  expect(await sonde.text("agent watch --from start")).not.toContain("command_");
  expect(await sonde.text("agent watch --from start --filter command_*")).toContain("command_executed");
  const refused = await sonde.refusal("agent watch --filter nonsense");
  expect(refused).toMatchObject({ code: "BAD_ARGUMENT", message: "no event is of type nonsense" });
  expect(refused.hint).toContain("tool_call_start, ");
});

test("a look at a run leaves its record as it is", async () => {
  await using sonde = createSonde();
  const agent = await startAgent(sonde);
  await sonde.run("agent pause");
  agent.model("fix it");
  await sonde.text("agent wait");
  const record = () => sonde.text("agent replay --all");
  const before = await record();
  expect(before).toContain("paused");
  await sonde.text("agent status");
  await sonde.text("agent inspect messages");
  expect(await record()).toBe(before);
  agent.end();
});

test("what is refused says how it is done", async () => {
  await using sonde = createSonde();
  const agent = await startAgent(sonde);
  const refusal = async (...words: string[]) => {
    const { message, hint } = await sonde.refusal(["agent", ...words]);
    return `${message}\n${hint}`;
  };
  expect(await refusal("break", "add", "pattern", "(")).toContain(
    "put a backslash before it: `sonde agent break add pattern '\\('`",
  );
  expect(await refusal("break", "add", "tool")).toContain("`sonde agent break add tool Bash`");
  expect(await refusal("break", "add")).toContain("needs one of tool, iteration, pattern");
  sonde.write("bad.json", "{bad");
  expect(await refusal("edit-request", "--file", "bad.json")).toContain("bad.json is not JSON: ");
  expect(await refusal("edit-request", "--file", "none.json")).toContain("there is no file none.json");
  agent.tool("t1", "Bash", { command: "ls" });
  await agent.decision();
  expect(await refusal("edit", "--input", "{bad")).toMatch(/position 1[\s\S]*\{"name":"value"\}/);
  expect(await refusal("edit", "nothing")).toContain("command='ls -la'");
  expect(await refusal("kill-call", "s99")).toContain("nothing is held as s99");
  agent.model("go");
  await agent.decision();
  expect(await refusal("sse", "--req", "99")).toContain("nothing that was streamed for call 99 is recorded");
  expect(await refusal("run")).toContain("`sonde agent run -- claude`");
});

test("help names the values that an argument takes, and knows what is no command", async () => {
  await using sonde = createSonde();
  expect(await sonde.text("help agent break add")).toContain("<on>               tool|iteration|pattern|");
  expect(await sonde.text("help agent inject")).toContain("user|assistant|system: who says it");
  expect(await sonde.text("help agent run")).toContain("--no-hooks ");
  const { stderr, status } = await sonde.run(["help", "agent", "nonsense"]);
  expect(status).toBe(2);
  expect(stderr).toContain("there is no command `agent nonsense`");
});

test("the example takes sonde from the checkout that it is in", () => {
  const folder = resolve(import.meta.dirname, "../../../examples/agent");
  const read = (path: string) => JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  const from = String(read(folder).dependencies.sonde).replace(/^file:/, "");
  expect(read(resolve(folder, from)).name).toBe("sonde");
});
