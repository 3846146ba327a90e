import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.ts";
import { eventLine } from "../../../src/agent/explain/event-line.ts";

function event(type: string, data: Record<string, unknown>, seq = 12, at = 3412): AgentEvent {
  return { type, timestamp: "2026-11-15T10:00:03.412Z", sessionId: "debug_1", seq, at, data };
}

describe("an event as a line", () => {
  test("a model call says which, of what model, and how much goes in", () => {
    const line = eventLine(
      event("api_request", {
        req: 3,
        agent: "main",
        class: "main",
        model: "claude-x",
        turn: 1,
        iteration: 2,
        messageCount: 14,
        toolCount: 1,
      }),
    );
    expect(line).toBe(
      "    12     3.412s api_request        call 3 · claude-x · 14 messages · 1 tool · turn 1 iteration 2",
    );
  });

  test("a sub-agent's event names it, an answer its tokens and times", () => {
    const usage = { inputTokens: 12345, outputTokens: 67, cacheReadTokens: 12000, cacheCreationTokens: 0 };
    const line = eventLine(
      event("api_response", {
        req: 3,
        agent: "a1",
        stopReason: "tool_use",
        usage,
        firstMs: 830,
        durationMs: 12_340,
      }),
    );
    expect(line).toBe(
      "    12     3.412s api_response       [a1] call 3 · tool_use · 12,345 in, 67 out · 12,000 from the cache · 12.3 s · first byte 830 ms",
    );
  });

  test("hostile text cannot leave its line or reach the terminal", () => {
    const line = eventLine(
      event("user_input", { agent: "x\u001b[2J\ny", content: "\u001b]0;owned\u0007\r\n\u202efake" }),
    );
    expect(line).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(line).toContain("\\e]0;owned");
  });

  test("long and unknown things stay short; files of other tools have no seq", () => {
    expect(
      eventLine(event("tool_result", { name: "Bash", content: "x".repeat(100_000) })).length,
    ).toBeLessThan(250);
    expect(eventLine(event("from_the_future", { deep: { a: "y".repeat(10_000) } })).length).toBeLessThan(250);
    const theirs: AgentEvent = {
      type: "tool_call_start",
      timestamp: "2026-11-15T10:00:03.412Z",
      sessionId: "s",
      data: { name: "bash", input: { command: "ls" } },
    };
    expect(eventLine(theirs)).toContain('10:00:03.412 tool_call_start    bash · {"command":"ls"}');
  });

  test("fields of the wrong kind do no harm", () => {
    for (const type of [
      "session_start",
      "api_request",
      "api_response",
      "paused",
      "breakpoint_hit",
      "resumed",
      "command_response",
      "sonde_call",
    ]) {
      const data = {
        req: {},
        usage: 3,
        stop: [],
        argv: 7,
        exit: "x",
        heldMs: null,
        error: 1,
        ok: false,
        agent: 9,
        firstMs: "soon",
      };
      expect(eventLine(event(type, data))).toContain(type);
    }
  });

  test("is quick enough for 200,000 a second", () => {
    const some = [
      event("api_request", {
        req: 3,
        agent: "main",
        model: "claude-x",
        turn: 1,
        iteration: 2,
        messageCount: 14,
        toolCount: 1,
      }),
      event("tool_call_start", {
        toolId: "toolu_1",
        name: "Bash",
        input: '{"command":"ls -la"}',
        agent: "main",
      }),
      event("user_input", { content: "Schöne Grüße aus der Küche", agent: "a1" }),
    ];
    let length = 0;
    const before = process.cpuUsage();
    for (let round = 0; round < 20_000; round++) for (const one of some) length += eventLine(one).length;
    const { user, system } = process.cpuUsage(before);
    const each = (user + system) / 60_000;
    expect(length).toBeGreaterThan(0);
    expect(each).toBeLessThan(5);
  });
});
