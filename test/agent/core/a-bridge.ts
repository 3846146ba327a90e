/** A core with a real log in a folder of its own, and short ways to say what an agent does. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Bridge, type CoreOptions, createCore } from "../../../src/agent/core/bridge.ts";
import type { CommandAnswer } from "../../../src/agent/core/commands.ts";
import type { AgentRef, Message, ModelCall, ToolCall } from "../../../src/agent/core/model.ts";
import type { AgentEvent } from "../../../src/agent/events.ts";
import { EventLog } from "../../../src/agent/store/log.ts";
import { createSession } from "../../../src/agent/store/sessions.ts";

export interface Tried {
  bridge: Bridge;
  events: AgentEvent[];
  types(): string[];
  of(type: string): Record<string, unknown>[];
  ask(type: string, data?: Record<string, unknown>): Promise<CommandAnswer>;
}

export function aBridge(options: Partial<CoreOptions> = {}): Tried {
  const root = mkdtempSync(join(tmpdir(), "sonde-core-"));
  const folder = createSession(root, { cwd: root, route: "library", version: "0" });
  const log = EventLog.open(folder);
  const bridge = createCore({ log, sessionId: folder.id, ...options });
  const events: AgentEvent[] = [];
  log.onEvent((event) => void events.push(event));
  onTestFinished(() => {
    bridge.close("the test is over");
    log.close();
    rmSync(root, { recursive: true, force: true });
  });
  let id = 0;
  return {
    bridge,
    events,
    types: () => events.map(({ type }) => type),
    of: (type) => events.filter((one) => one.type === type).map(({ data }) => ({ ...data })),
    ask: (type, data = {}) => bridge.command({ type, id: `t${++id}`, data }, "socket"),
  };
}

const MAIN: AgentRef = { id: "main" };

/** The n-th call of a turn: a user's words, then results of tools. */
export function modelCall(
  n: number,
  {
    agent = MAIN,
    key = `${agent.id} ${n}`,
    words = "do it",
  }: { agent?: AgentRef; key?: string; words?: string } = {},
): ModelCall {
  const messages: Message[] = [{ role: "user", parts: [{ kind: "text", text: words }] }];
  for (let i = 1; i < n; i++) {
    messages.push({
      role: "assistant",
      parts: [{ kind: "tool_call", id: `t${i}`, name: "bash", input: {} }],
    });
    messages.push({
      role: "user",
      parts: [{ kind: "tool_result", id: `t${i}`, text: "ok", isError: false }],
    });
  }
  const request = {
    wire: "library" as const,
    model: "m",
    stream: true,
    system: "be good",
    messages,
    tools: [{ name: "bash", description: "" }],
    params: {},
    body: JSON.stringify({ messages }),
  };
  return { key, agent, class: agent.id === "main" ? "main" : "subagent", provider: "test", request };
}

export function toolCall(id: string, name: string, input: unknown, agent = MAIN): ToolCall {
  return { id, name, input, agent, source: "library" };
}

export const TOOL_ANSWER = {
  parts: [{ kind: "tool_call" as const, id: "t1", name: "bash", input: {} }],
  stopReason: "tool_use",
};
export const LAST_ANSWER = { parts: [{ kind: "text" as const, text: "done" }], stopReason: "end_turn" };

/** Whether it has come by the time that everything which was under way has run. */
export async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const none = Symbol();
  const later = new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(none))));
  return (await Promise.race([promise.catch(() => undefined), later])) === none;
}
