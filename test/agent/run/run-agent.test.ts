/** What `agent run` is to any program: it changes what it says it changes, passes on how it ends, and leaves nothing behind. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listSessions } from "../../../src/agent/store/sessions.ts";
import { startProvider } from "../provider/index.mjs";
import { StartedAgent } from "./started-agent.ts";

/** A program that calls the model by the variable that the SDKs read. */
const CALLER = `
const post = (text) => fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", {
  method: "POST",
  headers: { "content-type": "application/json", "x-api-key": "sk-ant-dummy-key-for-tests", "anthropic-version": "2023-06-01" },
  body: JSON.stringify({ model: "claude-sonnet-5", max_tokens: 2000, messages: [{ role: "user", content: text }] }),
}).then((answer) => answer.json());
`;

const node = (script: string) => ["node", "-e", script];
const print = (what: string) => node(`console.log(JSON.stringify(${what}))`);

describe("the program", () => {
  test("has what it had, the base URLs, and a mark by which a sonde in it knows the run", async () => {
    await using agent = await StartedAgent.start({ command: print("process.env"), env: { MINE: "1" } });
    const end = await agent.ended;
    const env = JSON.parse(end.stdout);
    const { id } = await agent.session();
    expect(env).toMatchObject({ MINE: "1", SONDE_AGENT_RUN: id, SONDE_AGENT_ROOT: agent.place.root });
    expect(env.ANTHROPIC_BASE_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{20,}$/);
    expect(env.OPENAI_BASE_URL).toBe(`${env.ANTHROPIC_BASE_URL}/v1`);
    expect(env.NO_PROXY).toBeUndefined();
    // What was changed is told, without the token.
    const token = new URL(env.ANTHROPIC_BASE_URL).pathname.slice(1);
    expect(end.stderr).toContain("Changed for this run only: base URL, ");
    const [begun] = await agent.eventsOf("session_start");
    expect(begun).toMatchObject({
      route: "proxy",
      client: "unknown",
      changed: { env: { SONDE_AGENT_RUN: id } },
    });
    expect(end.stderr + readFileSync((await agent.session()).folder.events, "utf8")).not.toContain(token);
  });

  test("behind a proxy of the user's reaches us without it", async () => {
    await using agent = await StartedAgent.start({
      command: print("[process.env.NO_PROXY, process.env.no_proxy]"),
      env: { HTTPS_PROXY: "http://proxy.example:3128", NO_PROXY: "intern.example" },
    });
    const expected = "intern.example,127.0.0.1";
    expect(JSON.parse((await agent.ended).stdout)).toEqual([expected, expected]);
  });

  test.each([
    ["an exit status", "process.exit(7)", 7, { exit: 7 }],
    ["a signal", "process.kill(process.pid, 'SIGKILL')", 137, { exit: null, signal: "SIGKILL" }],
  ])(
    "ends with %s, and so do we; the session is over and nothing is left",
    async (_what, script, status, ended) => {
      await using agent = await StartedAgent.start({ command: node(script) });
      expect((await agent.ended).code).toBe(status);
      const [row] = await listSessions(agent.place.root);
      expect(row).toMatchObject({ ended: "clean", alive: false, ...ended });
      expect(await agent.eventsOf("session_end")).toMatchObject([ended]);
      expect(readdirSync(agent.place.runtime)).toEqual([]);
    },
  );

  test("that cannot be found is refused before anything is made", async () => {
    await using agent = await StartedAgent.start({ command: ["no-such-agent"] });
    expect(await agent.ended).toMatchObject({
      code: 70,
      stderr: "LAUNCH_FAILED: command not found: no-such-agent\n",
    });
    expect(existsSync(agent.place.root)).toBe(false);
  });

  test("that the system cannot start leaves no session", async () => {
    const files = { broken: "#!/no/such/interpreter\n" };
    await using plain = await StartedAgent.start({ command: ["./broken"], files });
    expect((await plain.ended).stderr).toContain("./broken is not executable");
    expect(existsSync(plain.place.root)).toBe(false);

    await using agent = await StartedAgent.start({ command: ["./broken"], files, executable: ["broken"] });
    expect((await agent.ended).stderr).toContain("LAUNCH_FAILED: ./broken could not be started");
    expect(await listSessions(agent.place.root)).toEqual([]);
    expect(readdirSync(agent.place.runtime)).toEqual([]);
  });

  test("gets SIGTERM and SIGHUP that are sent to us, and decides", async () => {
    await using agent = await StartedAgent.start({
      command: node(`
        process.on("SIGHUP", () => console.log("hup"));
        process.on("SIGTERM", () => { console.log("term"); process.exit(3); });
        setInterval(() => {}, 1000);
        console.log("ready");
      `),
    });
    const heard = (word: string) =>
      new Promise<void>((done) => {
        agent.process.stdout?.on("data", (text) => String(text).includes(word) && done());
      });
    await heard("ready");
    const hup = heard("hup");
    agent.process.kill("SIGHUP");
    await hup;
    agent.process.kill("SIGTERM");
    expect(await agent.ended).toMatchObject({ code: 3, stdout: "ready\nhup\nterm\n" });
  });
});

describe("its calls", () => {
  test("go on to the address that was set before us, and can be held", async () => {
    const provider = await startProvider({ script: [{ text: "hello" }] });
    await using agent = await StartedAgent.start({
      command: node(`${CALLER} post("hi").then((answer) => console.log(answer.content[0].text))`),
      env: { ANTHROPIC_BASE_URL: provider.url },
      startPaused: true,
    });
    expect(await agent.stop()).toMatchObject({ at: "model" });
    expect(provider.requests).toHaveLength(0);
    await agent.ask("resume");
    expect(await agent.ended).toMatchObject({ code: 0, stdout: "hello\n" });
    expect(provider.calls[0]?.header("x-api-key")).toBe("sk-ant-dummy-key-for-tests");
    await provider.close();
  });

  test("that are still held when it ends are not sent any more, also those of what it started", async () => {
    const provider = await startProvider();
    const script = `${CALLER} post("hi").then((answer) => console.log(JSON.stringify(answer)), () => console.log("cut off"));`;
    await using agent = await StartedAgent.start({
      command: node(`
        require("node:child_process").spawn("node", ["-e", ${JSON.stringify(script)}], { stdio: "inherit" });
        process.on("SIGTERM", () => process.exit(5));
      `),
      env: { ANTHROPIC_BASE_URL: provider.url },
      startPaused: true,
    });
    await agent.stop();
    agent.process.kill("SIGTERM");
    const { code, stdout } = await agent.ended;
    expect(code).toBe(5);
    expect(stdout).toMatch(/the agent has ended|cut off/);
    expect(provider.requests).toHaveLength(0);
    expect(await agent.eventsOf("resumed")).toMatchObject([{ by: "the agent has ended", outcome: "fail" }]);
    await provider.close();
  });

  test("are let go by themselves after the longest hold", async () => {
    const provider = await startProvider({ script: [{ text: "hello" }] });
    await using agent = await StartedAgent.start({
      command: node(`${CALLER} post("hi").then((answer) => console.log(answer.content[0].text))`),
      env: { ANTHROPIC_BASE_URL: provider.url },
      startPaused: true,
      maxHold: { ms: 300, outcome: "release" },
    });
    expect(await agent.ended).toMatchObject({ code: 0, stdout: "hello\n" });
    await provider.close();
  });
});

test("a collector is sent the run's spans, and one that is not there holds nobody up", async () => {
  const spans: string[] = [];
  const collector = createServer((request, response) => {
    let body = "";
    request.on("data", (text) => {
      body += text;
    });
    request.on("end", () => {
      spans.push(body);
      response.setHeader("content-type", "application/json").end("{}");
    });
  });
  const { port } = await new Promise<AddressInfo>((done) => {
    collector.listen(0, "127.0.0.1", () => done(collector.address() as AddressInfo));
  });
  const provider = await startProvider({ script: [{ text: "hello" }] });
  const run = (endpoint: string) =>
    StartedAgent.start({
      command: node(`${CALLER} post("hi").then((answer) => console.log(answer.content[0].text))`),
      env: { ANTHROPIC_BASE_URL: provider.url },
      more: { otlp: { endpoint } },
    });
  await using agent = await run(`http://127.0.0.1:${port}`);
  expect((await agent.ended).code).toBe(0);
  expect(spans.join("")).toContain("chat claude-sonnet-5");
  collector.close();
  collector.closeAllConnections();
  await using other = await run(`http://127.0.0.1:${port}`);
  const end = await other.ended;
  expect(end.code).toBe(0);
  expect(end.stderr).toContain("did not accept all of the run");
  await provider.close();
});

test("files are the user's alone, and what was kept for the run is gone after it", async () => {
  await using agent = await StartedAgent.start({ command: node("") });
  await agent.ended;
  const { folder } = await agent.session();
  for (const name of readdirSync(folder.dir)) {
    const { mode } = statSync(join(folder.dir, name));
    expect((mode & 0o077).toString(8)).toBe("0");
  }
  expect(readdirSync(folder.dir)).not.toContain("claude-settings.json");
});
