/** As a user does it, with the built binary and the real Claude Code: four commands to stop a dangerous command and change it. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSonde } from "../../support/sonde.ts";
import { startProvider } from "../provider/index.mjs";
import { CLIENTS, hasClients } from "../run/started-agent.ts";

const bash = (command: string) => ({ tools: [{ name: "Bash", input: { command, description: "clean" } }] });

describe.runIf(hasClients)("sonde agent run -- claude", { timeout: 120_000 }, () => {
  test("a dangerous command is held, changed, and goes on", async () => {
    const provider = await startProvider({ script: [bash("rm -rf precious"), { text: "Cleaned." }] });
    await using sonde = createSonde();
    const home = join(sonde.home, "user");
    for (const folder of [home, join(sonde.project, "precious")]) mkdirSync(folder, { recursive: true });
    const env = {
      HOME: home,
      ANTHROPIC_API_KEY: "sk-ant-dummy-key-for-tests",
      ANTHROPIC_BASE_URL: provider.url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    };
    const agent = ["--", join(CLIENTS, "claude"), "-p", "clean up", "--allowedTools", "Bash"];
    const run = sonde.run(["agent", "run", "--break", "pattern=rm -rf", "--name", "mine", ...agent], { env });
    await provider.next({ timeoutMs: 60_000 });
    const held = await sonde.run("agent wait --timeout 60");
    expect(held.stdout).toContain("rm -rf precious");
    expect(existsSync(join(sonde.project, "precious"))).toBe(true);
    await sonde.run(["agent", "edit", "command=echo kept > note.txt"]);
    expect((await sonde.run("agent resume")).status).toBe(0);
    expect(await run).toMatchObject({ status: 0, stdout: "Cleaned.\n" });
    expect(existsSync(join(sonde.project, "precious"))).toBe(true);
    expect(existsSync(join(sonde.project, "note.txt"))).toBe(true);
    await provider.close();
  });
});
