/** A long run of an agent, written by the same code that records real ones: turns, sub-agents, tools, holds, failures, calls of Sonde. */
import { createCore } from "../../../src/agent/core/bridge.ts";
import type { AgentRef, Message, Part } from "../../../src/agent/core/model.ts";
import { EventLog } from "../../../src/agent/store/log.ts";
import { createSession, endSession } from "../../../src/agent/store/sessions.ts";

export interface LongRun {
  id: string;
  events: number;
  /** Of the file of events. */
  bytes: number;
}

interface LongRunOptions {
  /** Of the folder of agents. */
  root: string;
  events: number;
  /** Lets time pass: nothing here waits. */
  pass(ms: number): void;
}

const MAIN: AgentRef = { id: "main" };
const TOOLS = ["Read", "Bash", "Edit", "Grep", "Glob", "Write", "Task"];
const WORDS =
  "the value of this field is read before it is set so the test fails when both run at once look at how it is made";

export async function writeLongRun({ root, events, pass }: LongRunOptions): Promise<LongRun> {
  const folder = createSession(root, {
    ...{ cwd: "/nowhere/project", route: "proxy" as const, version: "0", client: "claude", name: "long" },
    argv: ["claude", "-p", "mend the tests"],
  });
  const log = EventLog.open(folder);
  const bridge = createCore({ log, sessionId: folder.id });
  log.append("session_start", {
    client: "claude",
    argv: ["claude", "-p", "mend the tests"],
    cwd: "/nowhere",
  });
  const random = seeded(7);
  const words = (length: number) => {
    const at = random(WORDS.length);
    return WORDS.repeat(Math.ceil((length + at) / WORDS.length)).slice(at, at + length);
  };
  /** Long results are kept beside the events; a few files are read again and again. */
  const files = Array.from({ length: 40 }, (_, at) => `// file ${at}\n${words(5_000 + random(20_000))}`);
  const ask = async (type: string, data: Record<string, unknown>) => {
    const answer = await bridge.command({ type, id: `c${log.seq}`, data }, "socket");
    if (!answer.ok) throw new Error(answer.error.message);
  };
  await ask("breakpoint", { action: "add", on: "tool", name: "Task" });

  let tools = 0;
  let calls = 0;
  const iteration = async (agent: AgentRef, messages: Message[], isLast: boolean) => {
    calls += 1;
    const { body, cuts } = bodyOf(messages);
    const asked = await bridge.beforeModel({
      ...{
        key: `${agent.id} ${calls}`,
        agent,
        class: agent === MAIN ? "main" : "subagent",
        provider: "test",
      },
      request: {
        ...{ wire: "anthropic", model: "claude-opus-4-8", stream: true, system: "mend it", params: {} },
        ...{ messages, tools: TOOLS.map((name) => ({ name, description: "" })), body, cuts },
      },
    });
    const durationMs = 800 + random(9_000);
    pass(durationMs);
    if (random(150) === 0) {
      bridge.modelFailed(asked.req, {
        status: 529,
        type: "overloaded_error",
        message: "Overloaded",
        durationMs,
      });
      return;
    }
    const name = TOOLS[random(TOOLS.length - 1)] ?? "Bash";
    const one = {
      id: `toolu_${String(++tools).padStart(20, "0")}`,
      name,
      input: inputOf(name, random(300), words),
    };
    const said: Part[] = random(3) === 0 || isLast ? [{ kind: "text", text: words(60 + random(500)) }] : [];
    const parts: Part[] = isLast ? said : [...said, { kind: "tool_call", ...one }];
    const usage = {
      ...{ inputTokens: 20_000 + random(60_000), outputTokens: 50 + random(900) },
      ...{ cacheReadTokens: random(60) === 0 ? 0 : 19_000, cacheCreationTokens: 900 },
    };
    const facts = { firstMs: 500, durationMs, status: 200, contentType: "text/event-stream" };
    bridge.afterModel(asked.req, { parts, stopReason: isLast ? "end_turn" : "tool_use", usage }, facts);
    if (isLast) return;
    const text = await tool(agent, one, asked.req);
    const result: Part = { kind: "tool_result", id: one.id, text: text.slice(0, 80), isError: false };
    messages.push({ role: "assistant", parts }, { role: "user", parts: [result] });
  };

  const tool = async (agent: AgentRef, one: { id: string; name: string; input: unknown }, req: number) => {
    const deciding = bridge.beforeTool({ ...one, agent, req, source: "hook" });
    if (bridge.stops.length > 0) {
      pass(20_000);
      await ask("resume", {});
    }
    await deciding;
    const took = 5 + random(4_000);
    pass(took);
    if (one.name === "Bash" && random(10) === 0)
      await ask("sonde_call", { argv: ["start", "app.js", "--break", "app.js:12"], session: "app", exit: 0 });
    const isError = random(200) === 0;
    const text = random(5) === 0 ? (files[random(files.length)] ?? "") : words(30 + random(1_800));
    const outcome = { id: one.id, name: one.name, text: isError ? "Exit code 1" : text, isError };
    bridge.afterTool({ ...outcome, durationMs: took }, agent);
    return text;
  };

  for (let turn = 1; log.seq < events - 200; turn++) {
    const messages: Message[] = [{ role: "user", parts: [{ kind: "text", text: `${turn}: ${words(80)}` }] }];
    const length = 5 + random(20);
    for (let at = 0; at < length && log.seq < events - 200; at++) {
      await iteration(MAIN, messages, at === length - 1);
      if (at !== 3 || turn % 4 !== 0) continue;
      const task = { id: `toolu_task_${turn}`, name: "Task", input: { prompt: words(300) } };
      await tool(MAIN, task, calls);
      const sub: AgentRef = { id: `agent-${(turn / 4) % 9}`, parent: "main", name: "Explore" };
      const theirs: Message[] = [{ role: "user", parts: [{ kind: "text", text: words(300) }] }];
      for (let n = 0; n < 6; n++) await iteration(sub, theirs, n === 5);
      bridge.agentEnded(sub);
    }
    pass(random(60_000));
  }
  while (log.seq < events - 2) log.append("assistant_text", { agent: "main", content: words(40) });
  bridge.close("the run is over");
  log.append("session_end", { reason: "exit", exit: 0, signal: null });
  const written = { id: folder.id, events: log.seq, bytes: log.bytes };
  log.close();
  endSession(folder);
  return written;
}

/** The last of the conversation: a client sends all of it, and each part is stored once. */
function bodyOf(messages: readonly Message[]): { body: string; cuts: number[] } {
  const parts = messages.slice(-6).map((one) => JSON.stringify({ role: one.role, content: one.parts }));
  const cuts: number[] = [];
  let body = '{"model":"claude-opus-4-8","max_tokens":32000,"messages":[';
  for (const [at, part] of parts.entries()) {
    if (at > 0) body += ",";
    cuts.push(body.length);
    body += part;
  }
  return { body: `${body}]}`, cuts };
}

function inputOf(name: string, which: number, words: (length: number) => string): unknown {
  if (name === "Bash") return { command: `npm test -- test/part-${which}.test.ts`, description: words(40) };
  if (name === "Edit")
    return { file_path: `/nowhere/src/${which}.ts`, old_string: words(200), new_string: words(220) };
  return { file_path: `/nowhere/src/${which}.ts`, limit: 200 };
}

/** The same numbers each time. */
function seeded(seed: number): (below: number) => number {
  let at = seed;
  return (below) => {
    at = (Math.imul(at, 1_103_515_245) + 12_345) >>> 0;
    return (at >>> 8) % below;
  };
}
