/** The tool `diagnose`: what it shows and what it writes, and only when told. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startMcp } from "../../mcp/mcp.ts";
import { createSonde } from "../../support/sonde.ts";

test("system, report and clear_cache; nothing is written or removed without yes", async () => {
  const sonde = createSonde();
  const mcp = await startMcp(sonde, ["--tools", "all"]);
  expect((await mcp.ok("diagnose", { action: "system" })).text).toMatch(/^os: /);
  const preview = await mcp.ok("diagnose", { action: "report" });
  expect(preview.text).toContain("report, not written: ");
  expect(preview.text).toContain('`diagnose {"action":"report","yes":true}` writes it');
  expect(existsSync(join(sonde.home, "state/reports"))).toBe(false);
  const written = await mcp.ok("diagnose", { action: "report", yes: true });
  const file = /^report written: (\S+)/.exec(written.text)?.[1] ?? "";
  expect(existsSync(file)).toBe(true);
  expect((await mcp.ok("diagnose", { action: "clear_cache" })).text).toMatch(/^nothing to remove: /);
});
