/** A bridge in this process, with a folder of its own, and somebody who controls it from outside. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.ts";
import { askAgent } from "../../../src/agent/inbox/ask-agent.ts";
import type { AgentBridge, BridgeOptions } from "../../../src/agent/library/bridge.ts";
import { insideOf } from "../../../src/agent/library/live.ts";
import { openBridge } from "../../../src/agent/library/open.ts";
import { findSession } from "../../../src/agent/store/sessions.ts";
import { type Provider, type ProviderOptions, startProvider } from "../provider/index.mjs";

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

export interface Controlled {
  bridge: AgentBridge;
  root: string;
  /** Over the control socket; fails the test if the agent refuses. */
  ask(type: string, data?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Until something is held; what it is. */
  stop(): Promise<Record<string, unknown>>;
  events(...types: string[]): AgentEvent[];
}

export async function control(options: BridgeOptions = {}): Promise<Controlled> {
  const root = mkdtempSync(join(tmpdir(), "sonde-library-"));
  cleanups.push(() => rmSync(root, { recursive: true, force: true }));
  const bridge = await openBridge({ ...options, root, version: "test", socket: () => join(root, "s") });
  cleanups.push(() => bridge.close());
  const ask: Controlled["ask"] = async (type, data = {}) => {
    const answer = await askAgent(findSession(root, bridge.session), type, data, { timeoutMs: 20_000 });
    expect(answer).toMatchObject({ ok: true });
    return answer.ok ? answer.data : {};
  };
  return {
    bridge,
    root,
    ask,
    stop: async () => {
      const { stops } = await ask("wait", { timeoutMs: 15_000 });
      const [first] = stops as Record<string, unknown>[];
      expect(first).toBeDefined();
      return first ?? {};
    },
    events: (...types) => {
      insideOf(bridge)?.log.flush();
      const lines = readFileSync(join(bridge.folder ?? "", "events.jsonl"), "utf8")
        .trim()
        .split("\n");
      const all = lines.map((line) => JSON.parse(line) as AgentEvent);
      return types.length === 0 ? all : all.filter(({ type }) => types.includes(type));
    },
  };
}
