/** The agent bridge for programs that are agents: whether it is on, and where it keeps things. */
import { join } from "node:path";
import type { AgentBridge, BridgeOptions } from "../agent/library/bridge.ts";
import { offBridge } from "../agent/library/off.ts";
import { VERSION } from "../client/build.ts";
import { hash, places } from "../client/paths.ts";

export { type AiSdkMiddleware, aiSdkMiddleware } from "../agent/library/adapters/ai-sdk.ts";
export {
  type AnthropicMiddleware,
  type AnthropicRequest,
  anthropicMiddleware,
} from "../agent/library/adapters/anthropic.ts";
export type { HttpAdapterOptions } from "../agent/library/adapters/call.ts";
export { bridgedFetch, type Fetch } from "../agent/library/adapters/fetch.ts";
export type {
  AgentBridge,
  AgentConversation,
  AgentName,
  AgentVariable,
  AllowedCall,
  AllowedTool,
  BridgeOptions,
  ConversationCheckpoint,
  ModelCallFacts,
  ToolCallFacts,
  ToolOutcomeFacts,
  ToolRun,
} from "../agent/library/bridge.ts";

/**
 * The bridge between an agent's own loop and whoever debugs it: `sonde agent …`, or a line in its `commands.jsonl`. It is off unless
 * `enabled` says otherwise or the environment has SONDE_AGENT=1 or SONDE_AGENT_DIR; then its methods do nothing.
 */
export async function createBridge(options: BridgeOptions = {}): Promise<AgentBridge> {
  const { SONDE_AGENT, SONDE_AGENT_DIR, SONDE_AGENT_NAME, SONDE_AGENT_PAUSED } = process.env;
  const byEnvironment = SONDE_AGENT === undefined ? Boolean(SONDE_AGENT_DIR) : isYes(SONDE_AGENT);
  if (!(options.enabled ?? byEnvironment)) return offBridge();
  const { openBridge } = await import("../agent/library/open.ts");
  const { runtime, agents } = places();
  const root = options.dir ?? (SONDE_AGENT_DIR || agents);
  const name = options.name ?? (SONDE_AGENT_NAME || undefined);
  return openBridge({
    ...options,
    ...(name === undefined ? {} : { name }),
    paused: options.paused ?? isYes(SONDE_AGENT_PAUSED),
    root,
    version: VERSION,
    // A path of a socket must be short.
    socket: (id) => join(runtime, `${hash(`${root} ${id}`)}.sock`),
  });
}

function isYes(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0" && value !== "false";
}
