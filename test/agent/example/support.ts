/** The example agent as a process of its own, with the built package, and somebody who controls it from outside. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import type { CommandAnswer } from "../../../src/agent/core/commands.ts";
import type { AgentEvent } from "../../../src/agent/events.ts";
import { askAgent } from "../../../src/agent/inbox/ask-agent.ts";
import { findSession } from "../../../src/agent/store/sessions.ts";
import { distFolder, ROOT } from "../../library/package.ts";
import { type Provider, type ProviderOptions, startProvider } from "../provider/index.mjs";

const CLIENTS = resolve(import.meta.dirname, "../clients/node_modules");

const cleanups: (() => unknown)[] = [];

/** For afterEach of a test file. */
export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

export async function provide(options: ProviderOptions = {}): Promise<Provider> {
  const provider = await startProvider(options);
  cleanups.push(() => provider.close());
  return provider;
}

/** SONDE_HOME, and the agent as a user would have it: a copy of the folder with its packages. */
export interface Place {
  home: string;
  /** Where sessions are. */
  agents: string;
  agent: string;
  /** Where it works. */
  work: string;
}

export function createPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), "sonde-ex-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  const home = join(folder, "home");
  const agent = join(folder, "agent");
  const work = join(folder, "work");
  mkdirSync(work);
  cpSync(join(ROOT, "examples/agent"), agent, { recursive: true });
  const packages = join(agent, "node_modules");
  mkdirSync(join(packages, "sonde"), { recursive: true });
  cpSync(join(ROOT, "package.json"), join(packages, "sonde/package.json"));
  symlinkSync(distFolder(), join(packages, "sonde/dist"));
  symlinkSync(join(CLIENTS, "@anthropic-ai"), join(packages, "@anthropic-ai"));
  return { home, agents: join(home, "state/agents"), agent, work };
}

export interface StartOptions {
  prompt?: string;
  args?: string[];
  env?: Record<string, string>;
  /** Of another agent that shares it. */
  place?: Place;
  /** Lines of the user's; without them there is no input. */
  input?: string;
}

export interface RunningAgent {
  place: Place;
  process: ChildProcess;
  session: string;
  folder: string;
  /** Over the control socket; fails the test if the agent refuses. */
  ask(type: string, data?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** By a line in its commands.jsonl; the answer is in its events. */
  append(type: string, data?: Record<string, unknown>): Promise<CommandAnswer>;
  /** Until something is held; what it is. */
  stop(): Promise<Record<string, unknown>>;
  events(...types: string[]): AgentEvent[];
  ended: Promise<{ status: number | null; stdout: string; stderr: string }>;
}

export async function startAgent(provider: Provider, options: StartOptions = {}): Promise<RunningAgent> {
  const place = options.place ?? createPlace();
  const { prompt = "hi", args = [], env = {}, input } = options;
  const words = [
    join(place.agent, "agent.mjs"),
    ...(input === undefined ? ["-p", prompt] : []),
    "--base-url",
    provider.url,
    ...args,
  ];
  const child = spawn(process.execPath, words, {
    cwd: place.work,
    env: { ...process.env, ANTHROPIC_API_KEY: "none", SONDE_HOME: place.home, SONDE_AGENT: "1", ...env },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  child.stdin?.end(input);
  const said = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said.stdout += text;
  });
  const ended = new Promise<Awaited<RunningAgent["ended"]>>((done) =>
    child.once("close", (status) => done({ status, ...said })),
  );
  cleanups.push(() => {
    child.kill("SIGKILL");
    return ended;
  });
  const session = await new Promise<string>((found, failed) => {
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said.stderr += text;
      const id = /\[debugging: (\S+)\]/.exec(said.stderr)?.[1];
      if (id) found(id);
    });
    ended.then(({ stderr }) => failed(new Error(`the agent ended:\n${stderr}`)));
  });
  return { place, process: child, session, ended, ...controls(place, session) };
}

function controls({ agents }: Place, session: string) {
  const folder = join(agents, "sessions", session);
  const ask: RunningAgent["ask"] = async (type, data = {}) => {
    const answer = await askAgent(findSession(agents, session), type, data, { timeoutMs: 25_000 });
    expect(answer).toMatchObject({ ok: true });
    return answer.ok ? answer.data : {};
  };
  const events: RunningAgent["events"] = (...types) => {
    const path = join(folder, "events.jsonl");
    const lines = existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
    const all = lines.map((line) => JSON.parse(line) as AgentEvent);
    return types.length === 0 ? all : all.filter(({ type }) => types.includes(type));
  };
  return {
    folder,
    ask,
    events,
    append: async (type: string, data: Record<string, unknown> = {}) => {
      const id = `line-${type}`;
      appendFileSync(join(folder, "commands.jsonl"), `${JSON.stringify({ type, id, data })}\n`);
      const find = () => events("command_response").find((event) => event.data.commandId === id);
      await expect.poll(find).toBeDefined();
      return find()?.data as unknown as CommandAnswer;
    },
    stop: async () => {
      const { stops } = await ask("wait", { timeoutMs: 20_000 });
      const [first] = stops as Record<string, unknown>[];
      expect(first).toBeDefined();
      return first ?? {};
    },
  };
}

/** A turn of the model that runs a command. */
export function bash(command: string) {
  return { text: "I look.", tools: [{ name: "bash", input: { command } }] };
}
