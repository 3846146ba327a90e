import { execFileSync } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type BadLine, CommandFile } from "../../../src/agent/inbox/command-file.ts";
import { lastEvents } from "../../../src/agent/store/reader.ts";
import { Workbench } from "../store/workbench.ts";
import { Recorder } from "./recorder.ts";

function line(id: string, type = "pause"): string {
  return `${JSON.stringify({ type, id, data: {} })}\n`;
}

function open(bench: Workbench) {
  const folder = bench.session();
  const agent = new Recorder(folder);
  const bad: BadLine[] = [];
  const file = new CommandFile(folder.commands, agent, {
    onBad: (one) => {
      bad.push(one);
      agent.log.append("error", { ...one, context: "command_processing" });
    },
  });
  return { folder, agent, bad, file };
}

describe("Debug Bridge - Commands", () => {
  test("should watch commands file for changes", async () => {
    using bench = new Workbench();
    const { folder, agent, file } = open(bench);
    execFileSync("/bin/sh", [
      "-c",
      `echo '{"type":"pause","id":"t1","data":{}}' >> "$1"`,
      "sh",
      folder.commands,
    ]);
    await agent.until(1);
    expect(agent.seen).toEqual([{ command: { type: "pause", id: "t1", data: {} }, origin: "file" }]);
    await file.close();
  });

  test("should process new commands only", async () => {
    using bench = new Workbench();
    const folder = bench.session();
    writeFileSync(folder.commands, `${line("old")}{"type":"half`);
    const agent = new Recorder(folder);
    const file = new CommandFile(folder.commands, agent, { onBad: () => {} });
    appendFileSync(folder.commands, `","id":"older"}\n${line("new")}`);
    await agent.until(1);
    appendFileSync(folder.commands, line("newer"));
    await agent.until(2);
    expect(agent.ids).toEqual(["new", "newer"]);
    await file.close();
  });

  test("should handle invalid JSON gracefully", async () => {
    using bench = new Workbench();
    const { folder, agent, bad, file } = open(bench);
    appendFileSync(
      folder.commands,
      `{"type":\n\n[1]\n{"id":"x1"}\n{"type":"a","id":"x2","data":3}\n${line("good")}`,
    );
    await agent.until(1);
    expect(agent.ids).toEqual(["good"]);
    expect(bad).toEqual([
      { message: 'invalid command: not JSON: {"type":' },
      { message: "invalid command: not a JSON object: [1]" },
      { message: 'invalid command: it needs a "type": {"id":"x1"}', commandId: "x1" },
      { message: 'invalid command a: "data" is not an object', commandId: "x2" },
    ]);
    await file.close();
  });

  test("should emit command_executed event", async () => {
    using bench = new Workbench();
    const { folder, agent, file } = open(bench);
    appendFileSync(folder.commands, line("t1", "step"));
    await agent.until(1);
    agent.log.flush();
    expect(await lastEvents(folder.events, 2)).toMatchObject([
      { type: "command_executed", data: { commandId: "t1", type: "step", origin: "file" } },
      { type: "command_response", data: { commandId: "t1" } },
    ]);
    await file.close();
  });
});

describe("commands.jsonl", () => {
  test("cut at every byte: nothing lost, nothing doubled", async () => {
    const text = Buffer.from(`${line("é1")}${line("2")}{"bad\n${line("🙂3")}`);
    for (let end = 0; end <= text.length; end++) {
      using bench = new Workbench();
      const { folder, agent, bad, file } = open(bench);
      appendFileSync(folder.commands, text.subarray(0, end));
      const whole = text.subarray(0, end).toString("latin1").split("\n").length - 1;
      await agent.until(whole === 0 ? 0 : whole >= 3 ? whole - 1 : whole);
      appendFileSync(folder.commands, text.subarray(end));
      await agent.until(3);
      expect(agent.ids).toEqual(["é1", "2", "🙂3"]);
      expect(bad).toHaveLength(1);
      await file.close();
      agent.log.close();
    }
  });

  test("eight processes that write at once: every command is run once, those of each in order", async () => {
    using bench = new Workbench();
    const { folder, agent, bad, file } = open(bench);
    const program = bench.program(`
      import { appendLine } from "src/agent/inbox/ask-by-file.ts";
      const [, , path, name] = process.argv;
      for (let at = 0; at < 250; at++)
        appendLine(path, JSON.stringify({ type: "pause", id: name + "-" + at, data: { text: "x".repeat(at * 7) } }));
    `);
    const writers = Array.from({ length: 8 }, (_, at) => bench.run(program, folder.commands, `w${at}`));
    expect(await Promise.all(writers.map((one) => one.ends()))).toEqual(Array(8).fill(0));
    await agent.until(2000);
    expect(bad).toEqual([]);
    expect(new Set(agent.ids).size).toBe(2000);
    for (let writer = 0; writer < 8; writer++)
      expect(agent.ids.filter((id) => id.startsWith(`w${writer}-`))).toEqual(
        Array.from({ length: 250 }, (_, at) => `w${writer}-${at}`),
      );
    await file.close();
    expect(agent.seen).toHaveLength(2000);
  });

  test("one that waits does not hold up the next, one that fails is reported, one without an id gets one", async () => {
    using bench = new Workbench();
    const { folder, agent, bad, file } = open(bench);
    appendFileSync(folder.commands, `${line("h", "hang")}${line("f", "fail")}\ufeff{"type":"pause"}\r\n`);
    await agent.until(3);
    await new Promise(setImmediate);
    expect(agent.ids).toEqual(["h", "f", "line-3"]);
    expect(bad).toEqual([{ message: "fail: it cannot be done", commandId: "f" }]);
    await file.close();
  });

  test("a line beyond all measure is passed over", async () => {
    using bench = new Workbench();
    const { folder, agent, bad, file } = open(bench);
    appendFileSync(folder.commands, `{"type":"x","data":"${"x".repeat(5 << 20)}"}\n${line("next")}`);
    await agent.until(1);
    expect(agent.ids).toEqual(["next"]);
    expect(bad).toEqual([{ message: expect.stringContaining("longer than") }]);
    await file.close();
  });
});
