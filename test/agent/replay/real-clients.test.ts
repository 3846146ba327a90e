/** Claude Code and Codex as they ship: a run is recorded, then the same command is answered by the recording alone. */
import { afterEach, describe, expect, test } from "vitest";
import { explainRun } from "../../../src/agent/explain/explain-run.ts";
import { serveTape } from "../../../src/agent/replay/serve.ts";
import { Blobs } from "../../../src/agent/store/blobs.ts";
import { readEvents } from "../../../src/agent/store/reader.ts";
import { type Reply, startProvider } from "../provider/index.mjs";
import { CLIENTS, hasClients, StartedAgent } from "../run/started-agent.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Client {
  command: string[];
  /** What points it at a provider. */
  at(base: string): { env?: Record<string, string>; more?: Record<string, unknown> };
  script: Reply[];
}

const claude: Client = {
  command: [`${CLIENTS}/claude`, "-p", "do it", "--allowedTools", "Bash"],
  at: (base) => ({ env: { ANTHROPIC_BASE_URL: base } }),
  script: [
    { tools: [{ name: "Bash", input: { command: "echo ran >> runs.txt", description: "test" } }] },
    { text: "All done." },
  ],
};

const codex: Client = {
  command: [
    `${CLIENTS}/codex`,
    "exec",
    "--skip-git-repo-check",
    "--dangerously-bypass-approvals-and-sandbox",
    "-m",
    "some-model",
    "do it",
  ],
  at: (base) => ({ more: { upstream: `${base}/v1` } }),
  script: [
    { tools: [{ name: "exec_command", input: { cmd: "echo ran >> runs.txt" } }] },
    { text: "All done." },
  ],
};

async function start({ command, at }: Client, base: string): Promise<StartedAgent> {
  const agent = await StartedAgent.start({ command, ...at(base) });
  ends.push(() => agent[Symbol.asyncDispose]());
  return agent;
}

describe.runIf(hasClients)("a recorded run of a real client", { timeout: 120_000 }, () => {
  test("Claude Code works from the tape, in another folder, and its tools run", async () => {
    const provider = await startProvider({ script: claude.script });
    ends.push(() => provider.close());
    const then = await start(claude, provider.url);
    const first = await then.ended;
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("All done.") });
    const { folder } = await then.session();
    await provider.close();

    const tape = await serveTape({ folder });
    ends.push(() => tape.close());
    const now = await start(claude, tape.url);
    const second = await now.ended;
    expect({ code: second.code, report: tape.report() }).toMatchObject({
      code: 0,
      report: { left: 0, divergence: undefined },
    });
    expect(second.stdout).toBe(first.stdout);
    expect(now.place.read("runs.txt")).toBe("ran\n");

    const blobs = new Blobs(folder.blobs);
    const run = await explainRun(readEvents(folder.events), { readBody: (body) => blobs.readBody(body) });
    expect(run).toMatchObject({ turns: 1, calls: { main: 2 }, repeats: { calls: 0 } });
    expect(run.tools).toMatchObject([{ name: "Bash", count: 1, errors: 0 }]);
  });

  test("Codex works from the tape", async () => {
    const provider = await startProvider({ script: codex.script, auxiliary: () => false });
    ends.push(() => provider.close());
    const then = await start(codex, provider.url);
    expect(await then.ended).toMatchObject({ code: 0 });
    const { folder } = await then.session();
    await provider.close();
    // What its tool prints has a time in it.
    const tape = await serveTape({ folder, ignore: [/Wall time: [\d.]+/, /Chunk ID: \w+/] });
    ends.push(() => tape.close());
    const now = await start(codex, tape.url);
    const { code } = await now.ended;
    expect({ code, report: tape.report() }).toMatchObject({
      code: 0,
      report: { left: 0, divergence: undefined },
    });
    expect(now.place.read("runs.txt")).toBe("ran\n");
  });

  test("a prompt that is not the recorded one stops it at once", async () => {
    const provider = await startProvider({ script: claude.script });
    ends.push(() => provider.close());
    const then = await start(claude, provider.url);
    await then.ended;
    const { folder } = await then.session();
    const tape = await serveTape({ folder });
    ends.push(() => tape.close());
    const command = claude.command.map((word) => (word === "do it" ? "do something else" : word));
    const now = await start({ ...claude, command }, tape.url);
    const { stdout, stderr, code } = await now.ended;
    expect(code).not.toBe(0);
    expect(`${stdout}${stderr}`).toContain("is not call");
    expect(await tape.divergence).toMatchObject({
      kind: "different",
      difference: { got: expect.stringContaining("do something else") },
    });
    expect(now.place.read("runs.txt")).toBeUndefined();
  });
});
