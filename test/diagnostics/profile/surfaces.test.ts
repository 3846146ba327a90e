/** The same profiles over MCP, in the tool `diagnose`. */
import { expect, test } from "vitest";
import { startMcp } from "../../mcp/mcp.ts";
import { borrowSonde, createSonde } from "../../support/sonde.ts";

test("profiles are listed and shown; agents and snapshots can be asked for", async () => {
  const sonde = createSonde();
  const { client, ok, refused } = await startMcp(sonde, ["--tools", "all"]);
  expect((await ok("diagnose", { action: "profile_list" })).text).toContain("no profiles");
  await ok("diagnose", { action: "profile_work", seconds: 0.2 });
  expect((await ok("diagnose", { action: "profile_list" })).text).toMatch(/^p1 .*the daemon/);
  expect((await ok("diagnose", { action: "profile_show" })).text).toMatch(/^profile p1 /);
  expect((await ok("diagnose", { action: "profile_show", id: "p1" })).data).toMatchObject({ id: "p1" });
  expect(await refused("diagnose", { action: "profile_cpu", agent: "nobody" })).toMatchObject({
    code: "NO_SESSION",
  });
  expect(
    await refused("diagnose", { action: "profile_heap", command: "python3 -c 1", snapshot: true }),
  ).toMatchObject({ code: "UNSUPPORTED", message: expect.stringContaining("snapshot") });
  const { tools } = await client.listTools();
  const properties = tools.find(({ name }) => name === "diagnose")?.inputSchema.properties;
  expect(properties).toMatchObject({ agent: expect.anything(), snapshot: expect.anything() });
});

test("the tools that most have are not more than before", async () => {
  const sonde = borrowSonde();
  const { client } = await startMcp(sonde, ["--tools", "core"]);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain("diagnose");
});
