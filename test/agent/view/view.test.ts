/** The view of a run: what keys do, and what is painted. The terminal itself: test/agent/cli/attach.test.ts. */
import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import type { Stop } from "../../../src/agent/core/model.ts";
import type { AgentEvent } from "../../../src/agent/events.ts";
import { pressed, type Wish } from "../../../src/agent/view/keys.ts";
import { paint } from "../../../src/agent/view/paint.ts";
import { newState, type ViewState, withEvents } from "../../../src/agent/view/state.ts";
import { Screen } from "../../../src/util/terminal/screen.ts";
import type { Key } from "../../../src/util/terminal/typing.ts";

const SINCE = "2026-01-01T10:00:00.000Z";
const NOW = Date.parse(SINCE) + 12_000;
const SIZE = { columns: 80, rows: 16 };

function event(seq: number, type: string, data: Record<string, unknown> = {}): AgentEvent {
  return { type, seq, at: seq, timestamp: SINCE, sessionId: "debug_1", data: { agent: "main", ...data } };
}

const STOP: Stop = {
  id: "s1",
  reason: "breakpoint",
  at: "tool",
  agent: { id: "main" },
  turn: 1,
  iteration: 2,
  totalIterations: 2,
  why: "tool Bash",
  tool: { id: "toolu_1", name: "Bash", input: { command: "rm -rf 'x'\n\x1b[31mred" } },
  since: SINCE,
  actions: [],
};

const held = () =>
  withEvents(newState("a run"), [event(1, "turn_start"), event(2, "paused", { stop: STOP })]);

function press(state: ViewState, ...keys: (string | Key)[]): { state: ViewState; wishes: Wish[] } {
  const wishes: Wish[] = [];
  let now = state;
  for (const key of keys) {
    const one = typeof key === "string" ? { sequence: key, name: key } : key;
    const step = pressed(now, one);
    now = step.state;
    if (step.wish) wishes.push(step.wish);
  }
  return { state: now, wishes };
}

const text = (state: ViewState, size = SIZE) =>
  paint(state, size, NOW).map(stripVTControlCharacters).join("\n");

describe("what is held", () => {
  test("stays in sight with its input, its time and its keys, and nothing of it reaches the terminal raw", () => {
    const shown = text(held());
    expect(shown).toContain("1 call held");
    expect(shown).toContain("HELD s1 before tool Bash · tool Bash · 12 s");
    expect(shown).toContain("command: rm -rf 'x'");
    expect(shown).toContain("\\e[31mred");
    expect(shown).toContain("a let go · e edit · c cancel");
  });

  test("is let go, edited and cancelled by one key and, where something can be lost, one line", () => {
    expect(press(held(), "a").wishes).toEqual([{ do: "run", words: ["resume"] }]);
    expect(press(held(), "e").state.typing?.text).toBe(
      "edit toolu_1 command='rm -rf '\\''x'\\''\n\x1b[31mred'",
    );
    expect(press(held(), "c", { name: "return" }).wishes).toEqual([{ do: "line", text: "cancel toolu_1" }]);
  });

  test("shows what it was changed to", () => {
    const tool = { ...STOP.tool, input: { command: "ls" } };
    const answer = { ok: true, data: { paused: true, stops: [{ ...STOP, tool }] } };
    const shown = text(withEvents(held(), [event(3, "command_response", answer)]));
    expect(shown).toContain("command: ls");
    expect(shown).not.toContain("rm -rf");
  });

  test("is gone when it was let go, and when the run has ended", () => {
    expect(text(withEvents(held(), [event(3, "resumed", { stopId: "s1" })]))).not.toContain("HELD");
    expect(text(withEvents(held(), [event(3, "session_end")]))).toContain("a run · ended");
  });
});

describe("keys", () => {
  test("text is typed, corrected, recalled", () => {
    const { state, wishes } = press(newState("x"), ":", "a", "b", { name: "backspace" }, "c", {
      name: "return",
    });
    expect(wishes).toEqual([{ do: "line", text: "ac" }]);
    expect(press(state, ":", { name: "up" }).state.typing?.text).toBe("ac");
  });

  test("a letter in a line is a letter, not a command", () => {
    expect(press(newState("x"), ":", "q", "a").wishes).toEqual([]);
  });

  test("who goes back does not follow until the end is reached again", () => {
    const events = Array.from({ length: 50 }, (_, index) =>
      event(index + 1, "error", { message: `m${index + 1}` }),
    );
    const state = withEvents(newState("x"), events);
    expect(text(state)).toContain("m50");
    const back = press(state, "k", "k").state;
    expect(back.marked).toBe(47);
    const later = withEvents(back, [event(51, "error", { message: "m51" })]);
    expect(later.marked).toBe(47);
    expect(text(later)).toContain("not following");
    expect(press(later, "G").state.marked).toBeUndefined();
  });

  test("the filter shows only what it names", () => {
    const state = withEvents(newState("x"), [
      event(1, "error", { message: "one" }),
      event(2, "error", { message: "two" }),
    ]);
    const shown = text(press(state, "/", "t", "w", { name: "return" }).state);
    expect(shown).toContain("two");
    expect(shown).not.toContain("one");
  });
});

describe("lines", () => {
  test("are never wider than the terminal nor more than it has", () => {
    const wide = withEvents(newState("界".repeat(100)), [
      event(1, "user_input", { content: "日本語".repeat(60) }),
      event(2, "paused", { stop: { ...STOP, why: "長".repeat(90) } }),
    ]);
    for (const columns of [20, 40, 79])
      for (const rows of [6, 10, 30]) {
        const lines = paint(wide, { columns, rows }, NOW);
        expect(lines.length).toBeLessThanOrEqual(rows);
        for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
      }
  });

  test("only those that changed are written", () => {
    const written: string[] = [];
    const screen = new Screen({ write: (one) => written.push(one), columns: 40, rows: 6 });
    screen.open();
    screen.paint(["one", "two"]);
    screen.paint(["one", "three"]);
    expect(written.at(-1)).toContain("three");
    expect(written.at(-1)).not.toContain("one");
    screen.paint(["one", "three"]);
    expect(written).toHaveLength(3);
  });

  test("events beyond what is kept are counted, and the mark stays on its event", () => {
    const many = Array.from({ length: 6_000 }, (_, index) => event(index + 1, "error"));
    const state = withEvents(
      press(withEvents(newState("x"), many.slice(0, 4_990)), "k").state,
      many.slice(4_990),
    );
    expect(state.dropped).toBe(1_000);
    expect(state.events[state.marked ?? -1]?.seq).toBe(4_989);
  });
});
