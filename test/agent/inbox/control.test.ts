import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { askAgent } from "../../../src/agent/inbox/ask-agent.ts";
import { CommandFile } from "../../../src/agent/inbox/command-file.ts";
import { listenForCommands } from "../../../src/agent/inbox/control-server.ts";
import { endSession, findSession, listSessions } from "../../../src/agent/store/sessions.ts";
import { deferred } from "../../../src/util/wait.ts";
import { Workbench } from "../store/workbench.ts";
import { Recorder } from "./recorder.ts";

async function serve(bench: Workbench) {
  const folder = bench.session({ socket: (id) => join(bench.root, "run", `${id.slice(-4)}.sock`) });
  const agent = new Recorder(folder);
  const path = folder.session.socket ?? "";
  const server = await listenForCommands(agent, path, { events: agent.log });
  return { folder, agent, path, server, row: findSession(bench.root, folder.id) };
}

/** A bare connection: what is written, as it is, and the lines that come back. */
class Line {
  readonly lines: Record<string, unknown>[] = [];
  readonly socket: Socket;
  #rest = "";
  #look = () => {};

  constructor(path: string) {
    this.socket = connect(path);
    this.socket.setEncoding("utf8").on("data", (text: string) => {
      const lines = (this.#rest + text).split("\n");
      this.#rest = lines.pop() ?? "";
      this.lines.push(...lines.map((one) => JSON.parse(one) as Record<string, unknown>));
      this.#look();
    });
  }

  async until(count: number): Promise<Record<string, unknown>[]> {
    const { promise, resolve } = deferred<void>();
    this.#look = () => this.lines.length >= count && resolve();
    this.#look();
    await promise;
    return this.lines;
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}

describe("the control socket", () => {
  test("is the user's alone, and is gone when it is closed", async () => {
    using bench = new Workbench();
    const { path, server } = await serve(bench);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(bench.root, "run")).mode & 0o777).toBe(0o700);
    await server.close();
    expect(existsSync(path)).toBe(false);
  });

  test("is refused in a folder that others can get at", async () => {
    using bench = new Workbench();
    const folder = bench.session();
    mkdirSync(join(bench.root, "open"));
    chmodSync(join(bench.root, "open"), 0o755);
    await expect(listenForCommands(new Recorder(folder), join(bench.root, "open/a.sock"))).rejects.toThrow(
      expect.objectContaining({ code: "PERMISSION" }),
    );
  });

  test("takes the place of what a killed process left", async () => {
    using bench = new Workbench();
    mkdirSync(join(bench.root, "run"), { mode: 0o700 });
    const folder = bench.session();
    const path = join(bench.root, "run/a.sock");
    writeFileSync(path, "");
    const server = await listenForCommands(new Recorder(folder), path);
    using line = new Line(path);
    line.socket.write('{"id":"1","type":"pause"}\n');
    expect(await line.until(1)).toMatchObject([{ commandId: "1", ok: true }]);
    await server.close();
  });

  test("answers each command, in pieces or several at once, also malformed and oversized ones", async () => {
    using bench = new Workbench();
    const { path, server, agent } = await serve(bench);
    using line = new Line(path);
    line.socket.write('{"id":"w","type":"hang"}\n{"id":"1","type":"pau');
    line.socket.write('se","data":{"a":1}}\nnonsense\n{"id":"2","type":"fail"}\n');
    expect(await line.until(3)).toEqual(
      expect.arrayContaining([
        { commandId: "1", type: "pause", ok: true, data: { echo: { a: 1 } } },
        {
          commandId: "",
          type: "",
          ok: false,
          error: { code: "BAD_ARGUMENT", message: "invalid command: not JSON: nonsense" },
        },
        expect.objectContaining({ commandId: "2", ok: false }),
      ]),
    );
    line.socket.write(`{"id":"3","data":"${"x".repeat(5 << 20)}"}\n{"id":"4","type":"pause"}\n`);
    const lines = await line.until(5);
    expect(lines.slice(3)).toMatchObject([
      { ok: false, error: { message: expect.stringContaining("longer than") } },
      { commandId: "4", ok: true },
    ]);
    expect(agent.ids).toEqual(["w", "1", "2", "4"]);
    await server.close();
  });

  test("shows events from a number on to whoever subscribes, none twice and none left out", async () => {
    using bench = new Workbench();
    const { path, server, agent } = await serve(bench);
    for (let at = 1; at <= 5000; at++) agent.log.append("turn_start", { at });
    using line = new Line(path);
    using late = new Line(path);
    line.socket.write('{"id":"1","type":"subscribe","data":{"since":4000}}\n');
    late.socket.write('{"id":"1","type":"subscribe"}\n');
    await Promise.all([line.until(1), late.until(1)]);
    for (let at = 5001; at <= 10_000; at++) {
      agent.log.append("turn_start", { at });
      if (at % 100 === 0) await new Promise(setImmediate);
    }
    const [answer, ...events] = await line.until(6001);
    expect(answer).toMatchObject({ commandId: "1", ok: true, data: { since: 4000 } });
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 6000 }, (_, at) => at + 4001));
    expect((await late.until(5001)).slice(1).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 5000 }, (_, at) => at + 5001),
    );
    await server.close();
  });
});

describe("asking an agent", () => {
  test("goes by its socket", async () => {
    using bench = new Workbench();
    const { server, agent, row } = await serve(bench);
    expect(await askAgent(row, "inspect", { what: "all" })).toMatchObject({
      type: "inspect",
      ok: true,
      data: { echo: { what: "all" } },
    });
    expect(agent.seen[0]?.origin).toBe("socket");
    await expect(askAgent(row, "hang", {}, { timeoutMs: 100 })).rejects.toThrow(
      expect.objectContaining({ code: "TIMEOUT", message: expect.stringContaining("was sent to") }),
    );
    const stop = new AbortController();
    const asked = askAgent(row, "hang", {}, { signal: stop.signal });
    await agent.until(3);
    stop.abort();
    await expect(asked).rejects.toThrow(expect.objectContaining({ code: "CANCELLED" }));
    await server.close();
  });

  test("goes by commands.jsonl where the socket does not answer; long answers arrive whole", async () => {
    using bench = new Workbench();
    const { folder, server, agent, row } = await serve(bench);
    await server.close();
    const file = new CommandFile(folder.commands, agent, { onBad: () => {} });
    const text = "long ".repeat(2000);
    expect(await askAgent(row, "inspect", { text })).toMatchObject({ ok: true, data: { echo: { text } } });
    expect(agent.seen[0]?.origin).toBe("file");
    await file.close();
    await expect(askAgent(row, "pause", {}, { timeoutMs: 100 })).rejects.toThrow(
      expect.objectContaining({ code: "TIMEOUT" }),
    );
  });

  test("that has ended says so", async () => {
    using bench = new Workbench();
    const { folder, server, row } = await serve(bench);
    endSession(folder);
    await server.close();
    await expect(askAgent(findSession(bench.root, folder.id), "pause")).rejects.toThrow(
      expect.objectContaining({ code: "SESSION_ENDED" }),
    );
    await expect(askAgent({ ...row, processStart: "before" }, "pause")).rejects.toThrow(
      expect.objectContaining({ code: "SESSION_ENDED" }),
    );
  });

  test("of another tool writes its commands.jsonl as it expects, and waits for what it says in its events", async () => {
    using bench = new Workbench();
    const dir = bench.foreign("debug_20260123_131000_abc1", {
      "events.jsonl": "",
      "commands.jsonl": '{"half',
    });
    const tool = bench.program(`
      import { appendFileSync, readFileSync, watch } from "node:fs";
      import { join } from "node:path";
      const dir = process.argv[2];
      const done = new Set();
      const emit = (type, data) => appendFileSync(join(dir, "events.jsonl"),
        JSON.stringify({ type, timestamp: new Date().toISOString(), sessionId: "x", data }) + "\\n");
      watch(dir, () => {
        for (const line of readFileSync(join(dir, "commands.jsonl"), "utf8").split("\\n")) {
          let command;
          try { command = JSON.parse(line); } catch { continue; }
          if (done.has(command.id)) continue;
          done.add(command.id);
          if (command.type === "silence") continue;
          if (command.type === "inspect")
            emit("command_response", { commandId: command.id, type: "inspect", data: { timestamp: command.timestamp } });
          emit("command_executed", { commandId: command.id, type: command.type });
        }
      });
      console.log("ready");
    `);
    const running = bench.run(tool, dir);
    await running.prints("ready");
    writeFileSync(
      join(bench.root, "index.json"),
      JSON.stringify({
        sessions: [
          {
            id: "debug_20260123_131000_abc1",
            pid: running.pid,
            startTime: new Date().toISOString(),
            cwd: "/",
          },
        ],
      }),
    );
    const [row] = await listSessions(bench.root);
    if (row === undefined) throw new Error("it is not listed");
    expect(await askAgent(row, "pause")).toMatchObject({ type: "pause", ok: true, data: {} });
    expect(await askAgent(row, "inspect", { what: "all" })).toMatchObject({
      ok: true,
      data: { timestamp: expect.stringMatching(/^\d{4}-/) },
    });
    await expect(askAgent(row, "silence", {}, { timeoutMs: 100 })).rejects.toThrow(
      expect.objectContaining({ code: "TIMEOUT", message: expect.stringContaining("was written to") }),
    );
    await running.kill();
    await expect(askAgent(row, "pause")).rejects.toThrow(expect.objectContaining({ code: "SESSION_ENDED" }));
  });
});
