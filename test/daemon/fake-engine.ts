/** An engine with no debugger in it, built into the daemon for these tests: what they are about is the socket in front of it. */
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Engine, EngineReply, EngineRequest, RequestIo } from "../../src/engine/engine.ts";

type Action = (words: string[], request: EngineRequest, io: RequestIo) => Promise<string> | string;

export function createEngine(): Engine {
  let sessions = 0;
  const listeners: (() => void)[] = [];
  const setSessions = (count: number) => {
    sessions = count;
    for (const listener of listeners) listener();
  };

  const actions: Record<string, Action> = {
    status: () => `sessions ${sessions} pid ${process.pid}`,
    sessions: () => String(sessions),
    open: () => {
      setSessions(sessions + 1);
      return "opened";
    },
    stop: () => {
      setSessions(0);
      return "stopped";
    },
    echo: (words) => words.join(" "),
    cwd: (_, request) => request.cwd,
    env: ([name = ""], request) => request.env[name] ?? "(unset)",
    /** Leaves a mark that can be counted: a command must run exactly once. */
    mark: ([file = ""]) => {
      appendFileSync(file, `${process.pid}\n`);
      return String(process.pid);
    },
    sleep: async ([ms = "0"]) => {
      await sleep(Number(ms));
      return `slept ${ms}`;
    },
    /** Says in a file that it has begun and that it was aborted. */
    hang: async ([file = ""], _, io) => {
      appendFileSync(file, "begun\n");
      await new Promise((done) => io.signal.addEventListener("abort", done));
      appendFileSync(file, "aborted\n");
      return "aborted";
    },
    stream: async ([count = "3"], _, io) => {
      for (let n = 0; n < Number(count); n++) io.chunk(`chunk ${n}\n`);
      return "end";
    },
    flood: async ([megabytes = "1"], _, io) => {
      for (let n = 0; n < Number(megabytes) * 16; n++) io.chunk(`${"x".repeat(65535)}\n`);
      return "end";
    },
    stdin: async (_words, _request, io) => `stdin ${(await io.stdin()).toString("utf8")}`,
    throw: () => {
      throw new Error("thrown by the engine");
    },
    uncaught: () => {
      setImmediate(() => {
        throw new Error("thrown by nobody in particular");
      });
      return "later";
    },
  };

  const run = async (words: string[], request: EngineRequest, io: RequestIo): Promise<string> => {
    const [name = "", ...rest] = words;
    const action = actions[name];
    return action ? `${await action(rest, request, io)}\n` : `unknown ${name}\n`;
  };

  return {
    async handle(request, io): Promise<EngineReply> {
      if (request.kind === "raw") return { kind: "raw", exit: 0, text: await run(request.argv, request, io) };
      const words = Array.isArray(request.args.words) ? request.args.words.map(String) : [];
      const text = await run([request.command, ...words], request, io);
      return { kind: "typed", ok: true, data: { text }, text };
    },
    get sessions() {
      return sessions;
    },
    get isEmpty() {
      return sessions === 0;
    },
    onSessions: (listener) => void listeners.push(listener),
    async close() {
      setSessions(0);
    },
  };
}
