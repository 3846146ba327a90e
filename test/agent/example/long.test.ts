/** What takes minutes: only with SONDE_LONG_TESTS=1, because everybody waits for the other tests. */
import { afterEach, expect, test } from "vitest";
import { bash, cleanUp, provide, startAgent } from "./support.ts";

afterEach(cleanUp);

const MINUTE = 60_000;

test.skipIf(process.env.SONDE_LONG_TESTS !== "1")(
  "an agent goes on after seven minutes, longer than any time-out of fetch or of the SDK would let a request wait",
  async () => {
    const provider = await provide({ script: [bash("true"), bash("true"), { text: "Done." }] });
    const agent = await startAgent(provider, {
      args: ["--yes", "--max-minutes", "1"],
      env: { SONDE_AGENT_PAUSED: "1" },
    });
    await agent.stop();
    await agent.ask("step");
    await agent.stop();
    await new Promise((resolve) => setTimeout(resolve, 7 * MINUTE));
    await expect(agent.ask("inspect")).resolves.toMatchObject({ paused: true, iteration: 2 });
    expect(provider.calls).toHaveLength(1);
    await agent.ask("resume");
    await expect(agent.ended).resolves.toMatchObject({ status: 0, stdout: expect.stringContaining("Done.") });
    expect(provider.calls).toHaveLength(3);
  },
  10 * MINUTE,
);
