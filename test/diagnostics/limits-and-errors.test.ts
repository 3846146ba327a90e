/** The limits and the errors that a debug tool for agents is expected to have, one by one: what is ours, and that it holds. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { REGISTERED } from "../../src/commands/index.ts";
import { chosen } from "../../src/commands/mcp/choosing.ts";
import { readCall } from "../../src/commands/mcp/reading.ts";
import { toolsOf } from "../../src/commands/mcp/tools.ts";
import { startMcp } from "../mcp/mcp.ts";
import { borrowSonde, createSonde, type Sonde } from "../support/sonde.ts";
import { find } from "../support/spoken.ts";

const TOOLS = toolsOf(REGISTERED);
const LOOP = "let n = 0;\nsetInterval(() => {\n  n += 1;\n}, 20);\n";

async function setting(sonde: Sonde, key: string): Promise<unknown> {
  const { settings } = await sonde.ask<{ settings: { key: string; value: unknown }[] }>("config");
  return settings.find((one) => one.key === key)?.value;
}

describe("Limits & Caps", () => {
  test("Tool timeout clamp: default 30, min 5, max 300", async () => {
    const mcp = await startMcp(borrowSonde());
    const { tools } = await mcp.client.listTools();
    const [probe] = tools.filter(({ name }) => name === "probe");
    expect(JSON.stringify(probe?.inputSchema)).toContain("seconds 5-300, default 30");
    // A number out of it is brought into it, not refused.
    const seconds = (given: object) => {
      const { action, rest } = chosen(
        TOOLS,
        "debug",
        { action: "evaluate", expression: "1", ...given },
        find,
      );
      return readCall(action, rest, false).seconds;
    };
    expect([{}, { timeout: 0.001 }, { timeout: 60 }, { timeout: 1e6 }].map(seconds)).toEqual([
      30, 5, 60, 300,
    ]);
    await mcp.ok("inspect", { action: "sessions", timeout: 0.001 });
  });

  test("Per-request DAP default timeout 30 s, adapter readiness 10 s, stop after launch 30 s, idle session cleanup 60 min", async () => {
    const sonde = borrowSonde();
    expect(await setting(sonde, "timeouts.dap_request_secs")).toBe(30);
    expect(await setting(sonde, "timeouts.dap_initialize_secs")).toBe(10);
    expect(await setting(sonde, "timeouts.wait_secs")).toBe(30);
    expect(await setting(sonde, "daemon.session_idle_minutes")).toBe(60);
  });

  test("Output capture cap: older text is trimmed, head and tail stay, and the loss is recorded", async () => {
    await using sonde = createSonde();
    mkdirSync(sonde.home, { recursive: true });
    writeFileSync(join(sonde.home, "config.toml"), "[output]\nmax_bytes_mb = 1\n");
    sonde.write(
      "noisy.js",
      'for (let i = 0; i < 60000; i++) console.log("line " + i + " " + "x".repeat(50));\nsetInterval(() => {}, 1000);\n',
    );
    await sonde.ask("start noisy.js --no-wait");
    await expect.poll(() => sonde.text("output --tail 1"), { timeout: 15_000 }).toContain("line 59999");
    expect(await sonde.text("output --tail 100000")).toMatch(/\d+ (bytes|lines).*(dropped|lost|left out)/);
    await sonde.ask("stop");
  });

  test("Single active session: here any number", async () => {
    await using sonde = createSonde();
    sonde.write("loop.js", LOOP);
    await sonde.ask("start loop.js --no-wait --name one");
    await sonde.ask("start loop.js --no-wait --name two");
    const { sessions } = await sonde.ask<{ sessions: { name: string; state: string }[] }>("sessions");
    expect(sessions.map(({ name, state }) => [name, state]).sort()).toEqual([
      ["one", "running"],
      ["two", "running"],
    ]);
  });

  test("Adapter liveness: an adapter that is gone is noticed when it goes, not at a next heartbeat", async () => {
    await using sonde = createSonde();
    sonde.write("loop.js", LOOP);
    await sonde.ask("start loop.js --no-wait");
    const [{ pid = 0 } = {}] = (await sonde.ask<{ sessions: { pid?: number }[] }>("sessions")).sessions;
    const waiting = sonde.run("await --timeout 60");
    process.kill(pid, "SIGKILL");
    expect((await waiting).stdout).toMatch(/SIGKILL/);
  });
});

describe("Errors", () => {
  test.each<[string, string, Record<string, unknown>, RegExp]>([
    ["program is required for launch", "debug", { action: "launch" }, /launch needs `program`/],
    ["attach requires pid or port", "debug", { action: "attach" }, /attach needs `pid` or `port`/],
    [
      "set_breakpoint requires file+line or function",
      "debug",
      { action: "set_breakpoint" },
      /set_breakpoint needs `line` or `function`|needs `file`/,
    ],
    [
      "variables requires variable_ref or scope_id",
      "inspect",
      { action: "variables" },
      /needs `variable_ref` or `scope_id`/,
    ],
    [
      "memory_reference is required for read_memory",
      "inspect",
      { action: "read_memory", count: 4 },
      /needs `memory_reference`/,
    ],
    [
      "data is required for write_memory",
      "debug",
      { action: "write_memory", memory_reference: "0x1" },
      /needs `data`/,
    ],
    ["command is required for custom_request", "debug", { action: "custom_request" }, /needs `command`/],
  ])("%s", async (_row, tool, args, says) => {
    const mcp = await startMcp(borrowSonde());
    const { code, message } = await mcp.refused(tool, args);
    expect(code).toBe("BAD_ARGUMENT");
    expect(message).toMatch(says);
  });

  test("instruction_count is required for disassemble, count for read_memory: here both have a default", async () => {
    const mcp = await startMcp(borrowSonde());
    for (const args of [{ action: "disassemble" }, { action: "read_memory", memory_reference: "0x1" }])
      expect((await mcp.refused("inspect", args)).code).toBe("NO_SESSION");
  });

  test("No debugger adapter available", async () => {
    const sonde = borrowSonde();
    sonde.write("notes.unknown", "hello\n");
    const { code, message, hint } = await sonde.refusal("start notes.unknown");
    expect(code).toBe("ADAPTER_MISSING");
    expect(`${message} ${hint}`).toMatch(/adapter/);
  });

  test("Active adapter does not support memory reads", async () => {
    const sonde = borrowSonde();
    sonde.write("app.js", "const a = 1;\nconsole.log(a);\n");
    await sonde.ask("start app.js --break app.js:2");
    expect(await sonde.refusal("memory read 0x1000")).toMatchObject({ code: "UNSUPPORTED" });
    await sonde.ask("stop");
  });

  test("No active debug session: launch or attach first", async () => {
    const sonde = borrowSonde();
    const refused = await sonde.refusal("continue");
    expect(refused).toMatchObject({ code: "NO_SESSION", hint: expect.stringContaining("sonde start") });
  });

  test("DAP adapter exited: its last words are quoted", async () => {
    await using sonde = createSonde();
    sonde.write("app.mine", "x\n");
    mkdirSync(sonde.home, { recursive: true });
    const adapter = sonde.write("adapter.sh", "#!/bin/sh\necho 'no licence found' >&2\nexit 3\n");
    writeFileSync(
      join(sonde.home, "config.toml"),
      `[adapters.mine]\ncommand = "/bin/sh"\nargs = [${JSON.stringify(adapter)}]\nfile_types = [".mine"]\nlaunch = { program = "\${program}" }\n`,
    );
    const { message } = await sonde.refusal("start app.mine");
    expect(message).toMatch(/exited.*(code 3|status 3)[\s\S]*no licence found/);
  });

  test("continue and step are not fatal when the target stays running past the timeout", async () => {
    await using sonde = createSonde();
    sonde.write("loop.js", LOOP);
    await sonde.ask("start loop.js --break loop.js:3");
    await sonde.ask("breakpoint remove --all");
    const { status, stdout } = await sonde.run("continue --timeout 0.2");
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^running: no stop within 0.2 s/)]);
  });

  test("terminate suppresses adapter errors: a program that was killed a moment ago is ended all the same", async () => {
    await using sonde = createSonde();
    sonde.write("loop.js", LOOP);
    await sonde.ask("start loop.js --no-wait");
    const [{ pid = 0 } = {}] = (await sonde.ask<{ sessions: { pid?: number }[] }>("sessions")).sessions;
    process.kill(pid, "SIGKILL");
    expect((await sonde.run("stop")).status).toBe(0);
    expect((await sonde.ask<{ sessions: unknown[] }>("sessions")).sessions).toEqual([]);
  });
});
