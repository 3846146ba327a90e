/** Commands for sessions in a folder that somebody else made: nothing is written outside it. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { askAgent } from "../../../src/agent/inbox/ask-agent.ts";
import { CommandFile } from "../../../src/agent/inbox/command-file.ts";
import { findSession } from "../../../src/agent/store/sessions.ts";
import { Workbench } from "../store/workbench.ts";

describe.skipIf(process.platform === "win32")("a command", () => {
  test("is not written through a link, nor into a pipe", async () => {
    using bench = new Workbench();
    const { commands } = bench.session();
    const row = findSession(bench.root);
    const target = join(bench.root, "precious");
    writeFileSync(target, "as it was\n");
    rmSync(commands);
    symlinkSync(target, commands);
    await expect(askAgent(row, "pause", {}, { timeoutMs: 2000 })).rejects.toThrow(
      expect.objectContaining({ name: "SondeError", message: `${commands} is a link, not a file` }),
    );
    expect(readFileSync(target, "utf8")).toBe("as it was\n");
    rmSync(commands);
    symlinkSync(join(bench.root, "new"), commands);
    await expect(askAgent(row, "pause", {}, { timeoutMs: 2000 })).rejects.toThrow(/is a link/);
    expect(existsSync(join(bench.root, "new"))).toBe(false);
    rmSync(commands);
    execFileSync("mkfifo", [commands]);
    await expect(askAgent(row, "pause", {}, { timeoutMs: 2000 })).rejects.toThrow(
      `${commands} is a pipe, not a file`,
    );
  });

  test("is not written into a folder that a link leads to", async () => {
    using bench = new Workbench();
    const elsewhere = mkdtempSync(join(tmpdir(), "elsewhere-"));
    try {
      const { id, dir } = bench.session();
      renameSync(dir, join(elsewhere, id));
      symlinkSync(join(elsewhere, id), dir);
      const row = findSession(bench.root);
      await expect(askAgent(row, "pause", {}, { timeoutMs: 2000 })).rejects.toThrow(
        expect.objectContaining({ code: "PERMISSION", message: expect.stringContaining("is a link") }),
      );
      expect(readFileSync(join(elsewhere, id, "commands.jsonl"), "utf8")).toBe("");
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });

  test("whose answer is partly gone, or is none, says so", async () => {
    using bench = new Workbench();
    const { commands, events, blobs } = bench.session();
    mkdirSync(blobs);
    const gone = { blob: "ab".repeat(32), bytes: 12_345, preview: "" };
    const answers: Record<string, unknown> = {
      part: { text: gone, left: "here" },
      all: { stored: gone },
      odd: { stored: "[1]" },
    };
    const agent = new CommandFile(
      commands,
      {
        command: async ({ id: commandId, type }) => {
          const data = { commandId, type, ok: true, data: answers[type] };
          appendFileSync(events, `null\n${JSON.stringify({ type: "command_response", data })}\n`);
          return { commandId, type, ok: true, data: {} };
        },
      },
      { onBad: () => {} },
    );
    const row = findSession(bench.root);
    expect(await askAgent(row, "part")).toMatchObject({
      ok: true,
      data: { text: "[missing: 12,345 bytes]", left: "here" },
    });
    await expect(askAgent(row, "all")).rejects.toThrow(/a part of this recording is missing/);
    await expect(askAgent(row, "odd")).rejects.toThrow(/is not a JSON object/);
    await agent.close();
  });
});
