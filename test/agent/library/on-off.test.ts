/** The built package in an agent of its own: on by the environment, off by default. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProject, run } from "../../library/package.ts";

const LOOP = `
  const bridge = await createBridge(OPTIONS);
  const messages = [{ role: "user", content: "hi" }];
  const answer = await bridge.model({ model: "m", messages }, async (sent) => ({ content: [{ type: "text", text: sent.messages[0].content }] }));
  const ran = await bridge.tool({ id: "t1", name: "echo", input: { a: 1 } }, (input) => input.a);
  say([bridge.enabled, typeof bridge.session, answer.content[0].text, ran.value, bridge.heldMs(), typeof bridge.now()]);
`;

const MODULE = `import { createBridge } from "sonde";\n${LOOP}`;
const SCRIPT = `const { createBridge } = require("sonde");\n(async () => {${LOOP}})();`;

test.each(["mjs", "cjs"] as const)("off, it does nothing and leaves nothing (%s)", async (type) => {
  const sonde = createProject();
  const code = (type === "mjs" ? MODULE : SCRIPT).replace("OPTIONS", "");
  // Its process ends by itself: nothing is open.
  await expect(run(sonde, code, { type })).resolves.toEqual([[false, "undefined", "hi", 1, 0, "number"]]);
  expect(existsSync(join(sonde.home, "state/agents"))).toBe(false);
});

test.each(["mjs", "cjs"] as const)("on, it records where it is told to (%s)", async (type) => {
  const sonde = createProject();
  const dir = mkdtempSync(join(tmpdir(), "sonde-on-"));
  try {
    const code = (type === "mjs" ? MODULE : SCRIPT).replace(
      "OPTIONS",
      JSON.stringify({ enabled: true, dir }),
    );
    // An agent that does not close its bridge ends, too.
    await expect(run(sonde, code, { type })).resolves.toEqual([[true, "string", "hi", 1, 0, "number"]]);
    const [session = ""] = readdirSync(join(dir, "sessions"));
    expect(session).toMatch(/^debug_\d{8}_\d{6}_[a-z0-9]{4}$/);
    const files = readdirSync(join(dir, "sessions", session));
    expect(files).toEqual(expect.arrayContaining(["commands.jsonl", "events.jsonl", "session.json"]));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
