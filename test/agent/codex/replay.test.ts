/** A run of Codex again, its answers from the recording of another. */
import { expect, test } from "vitest";
import { startProvider } from "../provider/index.mjs";
import { CLIENTS, hasClients, StartedAgent } from "../run/started-agent.ts";

const words = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "-m", "some-model"];
const command = [`${CLIENTS}/codex`, "exec", ...words, "do it"];
/** Of what its shell tool prints, two things are new each time. */
const ignore = ["Chunk ID: \\w+", "Wall time: [\\d.]+ seconds"];
const LIMIT = { timeout: 120_000 };

test.runIf(hasClients)(
  "Codex again from the tape, and from its second call on with a provider",
  LIMIT,
  async () => {
    const tools = [{ name: "exec_command", input: { cmd: "echo 1 >> runs.txt" } }];
    const provider = await startProvider({
      script: [{ tools }, { text: "First end." }],
      auxiliary: () => false,
    });
    const upstream = `${provider.url}/v1`;
    await using first = await StartedAgent.start({ command, more: { upstream } });
    expect(await first.ended).toMatchObject({ code: 0, stdout: "First end.\n" });
    const { place } = first;
    const { folder } = await first.session();

    await using again = await StartedAgent.start({
      command,
      more: { upstream, replay: { folder, ignore } },
      place,
    });
    expect(await again.ended).toMatchObject({ code: 0, stdout: "First end.\n" });
    expect(place.read("runs.txt")).toBe("1\n1\n");
    expect(provider.calls).toHaveLength(2);

    provider.add({ text: "Another end." });
    const fork = { req: 2, edit: { inject: { role: "user", content: "End otherwise." } } };
    await using other = await StartedAgent.start({
      command,
      more: { upstream, replay: { folder, ignore, fork } },
      place,
    });
    expect(await other.ended).toMatchObject({ code: 0, stdout: "Another end.\n" });
    expect(provider.calls).toHaveLength(3);
    expect(JSON.stringify(provider.calls[2]?.messages)).toContain("End otherwise.");
    await provider.close();
  },
);
