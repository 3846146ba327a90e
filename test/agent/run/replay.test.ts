/** A run again, its answers from the recording of another. */
import { expect, test } from "vitest";
import type { StoredBody } from "../../../src/agent/events.ts";
import { Blobs } from "../../../src/agent/store/blobs.ts";
import { lastEvents } from "../../../src/agent/store/reader.ts";
import { startProvider } from "../provider/index.mjs";
import { CLIENTS, hasClients, StartedAgent } from "./started-agent.ts";

const command = [`${CLIENTS}/claude`, "-p", "do it", "--allowedTools", "Bash"];
const bash = (line: string) => ({ tools: [{ name: "Bash", input: { command: line, description: "test" } }] });

test.runIf(hasClients)(
  "Claude Code again from the tape, offline, and from its second call on with a provider",
  { timeout: 120_000 },
  async () => {
    const provider = await startProvider({ script: [bash("echo 1 >> runs.txt"), { text: "First end." }] });
    const env = { ANTHROPIC_BASE_URL: provider.url };
    await using first = await StartedAgent.start({ command, env });
    expect(await first.ended).toMatchObject({ code: 0, stdout: "First end.\n" });
    const { place } = first;
    const { folder } = await first.session();
    expect(provider.calls).toHaveLength(2);

    await using again = await StartedAgent.start({ command, env, more: { replay: { folder } }, place });
    const end = await again.ended;
    expect(end).toMatchObject({ code: 0, stdout: "First end.\n" });
    expect(place.read("runs.txt")).toBe("1\n1\n");
    expect(provider.calls).toHaveLength(2);

    provider.add({ text: "Another end." });
    const fork = { req: 2, edit: { inject: { role: "user", content: "End otherwise." } } };
    await using other = await StartedAgent.start({ command, env, more: { replay: { folder, fork } }, place });
    expect(await other.ended).toMatchObject({ code: 0, stdout: "Another end.\n" });
    expect(place.read("runs.txt")).toBe("1\n1\n1\n");
    expect(provider.calls).toHaveLength(3);
    expect(JSON.stringify(provider.calls[2]?.messages)).toContain("End otherwise.");
    expect(provider.calls[2]?.header("x-sonde-call")).toBeUndefined();

    // The record of the fork has what was sent, not only what the agent wrote.
    const forked = (await other.session()).folder;
    const events = await lastEvents(forked.events, 1000);
    const edits = events.filter(({ type }) => type === "api_request_edit").map(({ data }) => data);
    expect(edits).toHaveLength(1);
    const sent = new Blobs(forked.blobs).readBody(edits[0]?.body as StoredBody);
    expect(sent).toContain("End otherwise.");
    await provider.close();
  },
);

test.runIf(hasClients).each([true, false])(
  "what was edited and cancelled by hand is so again, hooks: %s",
  { timeout: 120_000 },
  async (hooks) => {
    const script = [bash("echo x >> dangerous.txt"), bash("echo y >> worse.txt"), { text: "The end." }];
    const provider = await startProvider({ script });
    const env = { ANTHROPIC_BASE_URL: provider.url };
    const breakpoints = [{ on: "tool" as const, name: "Bash" }];
    await using first = await StartedAgent.start({ command, env, hooks, breakpoints });
    const { place } = first;
    const edited = await first.stop();
    const input = { command: "echo harmless >> harmless.txt", description: "edited" };
    await first.ask("edit_tool", { toolId: edited.tool?.id, input, resume: true });
    const cancelled = await first.stop();
    await first.ask("cancel_tool", { toolId: cancelled.tool?.id, reason: "no" });
    await first.ended;
    const { folder } = await first.session();
    await provider.close();

    await using again = await StartedAgent.start({
      command,
      env,
      hooks,
      more: { replay: { folder } },
      place,
    });
    const end = await again.ended;
    expect(end.stderr).not.toContain("stopped");
    expect(place.read("harmless.txt")).toBe("harmless\nharmless\n");
    expect(place.read("dangerous.txt")).toBeUndefined();
    expect(place.read("worse.txt")).toBeUndefined();
  },
);
