/**
 * A `sonde` command that an agent runs is part of that agent's run: what `sonde agent run` starts carries a mark in its environment, and
 * the run is told of each command that comes with it. Never at the cost of the command: nobody waits for it, and it may fail.
 */
import { askAgent } from "../agent/inbox/ask-agent.ts";
import { findSession } from "../agent/store/sessions.ts";
import type { Command } from "../commands/define.ts";
import { SondeError } from "../errors.ts";
import { cut } from "../util/text.ts";
import type { Caller, EngineReply, EngineRequest, EngineState } from "./types.ts";

const MARK = "SONDE_AGENT_RUN";
/** Its folder, where it is not the usual one. */
const ROOT = "SONDE_AGENT_ROOT";

const ANSWER_MS = 2_000;
const MOST_WORDS = 200;
const LONGEST_WORD = 2_000;

/** What the answer to a command says of the session that it was about, and of the record that it made. */
export interface Made {
  session?: string;
  trace?: string;
  profile?: string;
}

export function tellAgent(
  state: EngineState,
  request: EngineRequest,
  reply: EngineReply,
  made: Made,
  deeds: Caller["deeds"],
): void {
  const run = request.env[MARK];
  if (run === undefined || run === "") return;
  const argv = (request.kind === "raw" ? request.argv : [request.command, JSON.stringify(request.args)])
    .slice(0, MOST_WORDS)
    .map((word) => cut(word, LONGEST_WORD));
  // What an agent does about agents is in their own records.
  if (argv[0] === "agent") return;
  const exit = reply.kind === "raw" ? reply.exit : reply.ok ? 0 : 1;
  const root = request.env[ROOT] || state.options.places.agents;
  const sent = send(root, run, { argv, cwd: request.cwd, exit, ...made }).then((toolId) => {
    if (toolId !== undefined) for (const { hands, deed } of deeds) hands.ofToolCall(deed, toolId);
  });
  void sent.catch((thrown: unknown) => {
    // Over, or of another make: the command was none the worse for it.
    const level = thrown instanceof SondeError ? "debug" : "warn";
    state.options.log(level, `the agent's run ${cut(run, 100)} was not told of a command: ${String(thrown)}`);
  });
}

/** The tool call that it was, where the run knows. */
async function send(root: string, run: string, data: Record<string, unknown>): Promise<string | undefined> {
  const row = findSession(root, run);
  if (row.socket === undefined) return undefined;
  const answer = await askAgent(row, "sonde_call", data, { timeoutMs: ANSWER_MS });
  return answer.ok ? textIn(answer.data, "toolId") : undefined;
}

/** By the names that answers have for it. */
export function madeBy(data: unknown, makes?: Command["makes"]): Made {
  if (typeof data !== "object" || data === null) return {};
  const { session, snapshot, trace } = data as Record<string, unknown>;
  const named = typeof session === "string" ? session : textIn(snapshot, "session");
  const recorded = makes === "trace" ? textIn(trace, "id") : undefined;
  const profile = makes === "profile" ? textIn(data, "id") : undefined;
  return {
    ...(named === undefined ? {} : { session: named }),
    ...(recorded === undefined ? {} : { trace: recorded }),
    ...(profile === undefined ? {} : { profile }),
  };
}

function textIn(value: unknown, key: string): string | undefined {
  const found =
    typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return typeof found === "string" ? found : undefined;
}
