/** The tool `agent`: offered on request only, and one agent can stop another with it. */
import { expect, test } from "vitest";
import { options } from "../../../src/mcp/main.ts";
import { TOOLS } from "../../../src/mcp/tools.generated.ts";
import { startMcp } from "../../mcp/mcp.ts";
import { createSonde } from "../../support/sonde.ts";
import { startAgent } from "../cli/agents.ts";

test("is there with all, or by its name, and not in the core", () => {
  const names = (...words: string[]) => options(words).tools.map(({ name }) => name);
  const core = ["probe", "trace", "debug", "inspect"];
  expect(names()).toEqual(core);
  expect(names("--tools", "core")).toEqual(core);
  expect(names("--tools", "all")).toEqual([...core, "agent", "diagnose"]);
  expect(names("--tools", "agent")).toEqual(["agent"]);
});

test("has an action for each command that needs no terminal and does not stream", () => {
  const tool = TOOLS.find(({ name }) => name === "agent");
  const { action } = (tool?.inputSchema.properties ?? {}) as { action: { enum: string[] } };
  expect(action.enum).toContain("wait");
  for (const not of ["watch", "run", "attach", "fork"]) expect(action.enum).not.toContain(not);
});

test("one agent stops another, changes what it does and lets it go", async () => {
  const sonde = createSonde();
  const mcp = await startMcp(sonde, ["--tools", "all"]);
  const none = await mcp.refused("agent", { action: "pause" });
  expect(none.code).toBe("NO_SESSION");
  expect(none.hint).toContain("`sonde agent run -- claude` (in a shell)");
  const agent = await startAgent(sonde);
  const added = await mcp.ok("agent", { action: "break_add", on: "tool", value: "Ba*" });
  expect(added.text).toContain('next: `agent {"action":"wait"}`');
  agent.tool("t1", "Bash", { command: "rm -rf /" });
  const held = await mcp.ok("agent", { action: "wait", timeout: 20 });
  expect(held.text).toContain("| command: rm -rf /");
  expect(held.text).toContain('`agent {"action":"edit","fields":{"command":"…"}}` changes it');
  await mcp.ok("agent", { action: "edit", fields: { command: "ls" }, resume: true });
  expect(await agent.decision()).toMatchObject({ do: "run", input: { command: "ls" } });
  expect((await mcp.ok("agent", { action: "replay" })).text).toContain("tool_call_edit");
});
