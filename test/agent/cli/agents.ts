/** Agents for tests of the commands: a program with a real bridge, and another tool's session that only has files. */
import type { ChildProcess } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import type { Sonde } from "../../support/sonde.ts";

const PROGRAM = resolve(import.meta.dirname, "agent-program.ts");
const TSX = resolve(import.meta.dirname, "../../../node_modules/tsx/dist/esm/index.mjs");

export interface Agent {
  id: string;
  process: ChildProcess;
  /** The agent is about to call a tool, or the model. */
  tool(id: string, name: string, input: unknown): void;
  model(text: string): void;
  /** It no longer waits for its call to the model. */
  giveUp(): void;
  end(): void;
  /** What became of the next of them. */
  decision(): Promise<Record<string, unknown>>;
}

export function agentsFolder(sonde: Sonde): string {
  return join(sonde.home, "state/agents");
}

export async function startAgent(
  sonde: Sonde,
  { name, cwd }: { name?: string; cwd?: string } = {},
): Promise<Agent> {
  const sockets = join(sonde.home, "run");
  mkdirSync(sockets, { recursive: true, mode: 0o700 });
  const words = [
    "--import",
    TSX,
    PROGRAM,
    agentsFolder(sonde),
    sockets,
    ...(name === undefined ? [] : [name]),
  ];
  const child = sonde.program(process.execPath, words, cwd === undefined ? {} : { cwd });
  const said: Record<string, unknown>[] = [];
  const waiting: ((one: Record<string, unknown>) => void)[] = [];
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    const one = JSON.parse(line) as Record<string, unknown>;
    const next = waiting.shift();
    if (next) next(one);
    else said.push(one);
  });
  let complaint = "";
  child.stderr?.on("data", (text) => (complaint += String(text)));
  const decision = () =>
    new Promise<Record<string, unknown>>((done, fail) => {
      const ready = said.shift();
      if (ready) return done(ready);
      waiting.push(done);
      child.once("exit", () => fail(new Error(`the agent is gone: ${complaint}`)));
    });
  const send = (what: unknown) => void child.stdin?.write(`${JSON.stringify(what)}\n`);
  const { session } = await decision();
  return {
    id: String(session),
    process: child,
    tool: (id, tool, input) => send({ tool: [id, tool, input] }),
    model: (text) => send({ model: text }),
    giveUp: () => send({ giveUp: true }),
    end: () => send({ end: true }),
    decision,
  };
}

/** A session as Codi leaves it: no record of Sonde's, commands by file only, each said to be executed. Answered by this process. */
export function codiSession(
  root: string,
  id: string,
): { dir: string; commands(): Record<string, unknown>[] } {
  const dir = join(root, "sessions", id);
  mkdirSync(dir, { recursive: true });
  const commands = join(dir, "commands.jsonl");
  const events = join(dir, "events.jsonl");
  const said = (type: string, data: Record<string, unknown>) =>
    appendFileSync(
      events,
      `${JSON.stringify({ type, timestamp: new Date().toISOString(), sessionId: id, data })}\n`,
    );
  writeFileSync(commands, "");
  writeFileSync(
    join(dirname(dir), "..", "index.json"),
    JSON.stringify({ sessions: [{ id, pid: process.pid, startTime: new Date().toISOString(), cwd: root }] }),
  );
  said("session_start", { provider: "anthropic", model: "claude" });
  said("tool_call_start", { name: "bash", input: { command: "ls" } });
  let seen = 0;
  const read = () =>
    readFileSync(commands, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const watcher = watch(dir, () => {
    for (const command of read().slice(seen)) {
      seen += 1;
      if (command.type === "pause") said("paused", {});
      if (command.type === "resume") said("resumed", {});
      if (command.type === "inspect")
        said("command_response", {
          commandId: command.id,
          type: "inspect",
          data: { iteration: 4, paused: false },
        });
      said("command_executed", { commandId: command.id, type: command.type });
    }
  });
  onTestFinished(() => watcher.close());
  return { dir, commands: read };
}
