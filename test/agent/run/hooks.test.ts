/** Hooks as they are posted, without a client. */
import { describe, expect, test } from "vitest";
import type { AgentRef, Seams, ToolCall, ToolDecision, ToolOutcome } from "../../../src/agent/core/model.ts";
import { hookHandler } from "../../../src/agent/hooks/handler.ts";

const never = new AbortController().signal;
const decided = (decision: Partial<ToolDecision>) =>
  ({ do: "run", input: {}, edited: false, heldMs: 0, signal: never, ...decision }) as ToolDecision;

/** The seams that hooks use, and what came in by them. */
function seams(decision: ToolDecision) {
  const seen: { calls: ToolCall[]; outcomes: [ToolOutcome, AgentRef | undefined][]; said: string[] } = {
    calls: [],
    outcomes: [],
    said: [],
  };
  const bridge: Pick<Seams, "beforeTool" | "afterTool" | "message" | "turnEnded" | "agentEnded"> = {
    beforeTool: async (call) => {
      seen.calls.push(call);
      return decision;
    },
    afterTool: (outcome, agent) => void seen.outcomes.push([outcome, agent]),
    message: ({ content }) => void seen.said.push(content),
    turnEnded: ({ id }) => void seen.said.push(`turn of ${id} ended`),
    agentEnded: ({ id }) => void seen.said.push(`${id} ended`),
  };
  const handler = hookHandler(bridge);
  const post = (event: string, body: unknown) => handler.handle(event, JSON.stringify(body), never);
  return { seen, handler, post };
}

const TOOL = { tool_name: "Bash", tool_use_id: "toolu_1", tool_input: { command: "ls" } };

describe("before a tool", () => {
  test("nothing is said where nothing was changed: the user's permissions decide", async () => {
    const { seen, handler, post } = seams(decided({}));
    expect(handler.live).toBe(false);
    expect(await post("PreToolUse", { ...TOOL, agent_id: "a1", agent_type: "Explore" })).toEqual({});
    expect(handler.live).toBe(true);
    expect(seen.calls).toEqual([
      {
        id: "toolu_1",
        name: "Bash",
        input: { command: "ls" },
        agent: { id: "a1", parent: "main", name: "Explore" },
        source: "hook",
      },
    ]);
  });

  test("an edit is the input and a word to the model, and no permission", async () => {
    const { post } = seams(decided({ do: "run", input: { command: "pwd" }, edited: true }));
    expect(await post("PreToolUse", TOOL)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        updatedInput: { command: "pwd" },
        additionalContext: expect.stringContaining('{"command":"pwd"}'),
      },
    });
  });

  test("a cancelled call is denied, with the reason", async () => {
    const { post } = seams({ do: "cancel", reason: "Not now.", heldMs: 5 });
    expect(await post("PreToolUse", TOOL)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "Not now.",
      },
    });
  });
});

test("what came of tools, in text", async () => {
  const { seen, post } = seams(decided({}));
  const response = { stdout: "a\nb", stderr: "warning", interrupted: false };
  await post("PostToolUse", { ...TOOL, tool_response: response, duration_ms: 12 });
  await post("PostToolUseFailure", { ...TOOL, error: "Exit code 3", duration_ms: 1 });
  await post("PostToolBatch", {
    tool_calls: [{ ...TOOL, tool_response: [{ type: "text", text: "refused" }] }],
  });
  expect(seen.outcomes.map(([outcome]) => outcome)).toEqual([
    { id: "toolu_1", name: "Bash", text: "a\nb\nwarning", isError: false, durationMs: 12 },
    { id: "toolu_1", name: "Bash", text: "Exit code 3", isError: true, durationMs: 1 },
    { id: "toolu_1", name: "Bash", text: "refused", isError: true },
  ]);
});

test("what was typed, and what has ended", async () => {
  const { seen, post } = seams(decided({}));
  await post("UserPromptSubmit", { prompt: "hi" });
  await post("SubagentStop", { agent_id: "a1" });
  await post("Stop", {});
  expect(await post("SomethingNew", { anything: [] })).toEqual({});
  expect(seen.said).toEqual(["hi", "a1 ended", "turn of main ended"]);
});

test("what is no JSON is refused: it is not a hook of ours", async () => {
  const { handler } = seams(decided({}));
  await expect(handler.handle("PreToolUse", "{", never)).rejects.toThrow();
  expect(handler.live).toBe(false);
});
