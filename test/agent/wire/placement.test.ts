/** Injected messages stay where the model saw them first. */
import { describe, expect, test } from "vitest";
import type { Placed, Wire } from "../../../src/agent/core/model.ts";
import { editRequest } from "../../../src/agent/wire/edit-request.ts";
import { place } from "../../../src/agent/wire/placement.ts";

const NEW = { id: "i1", role: "user" as const, content: "use pnpm" };

function send(wire: Wire, messages: unknown[], ledger: Placed[], fresh = [] as (typeof NEW)[], more = {}) {
  const key = wire === "openai-responses" ? "input" : "messages";
  const body = JSON.stringify({ [key]: messages, ...more });
  const placement = place(wire, body, ledger, fresh);
  const edited = JSON.parse(editRequest(wire, body, placement)) as Record<string, unknown[]>;
  const anchors = placement.anchors.map(({ id, anchor }) => ({ ...NEW, id, anchor }));
  return {
    sent: edited[key],
    lost: placement.lost,
    ledger: [...ledger.filter((one) => one.anchor), ...anchors],
  };
}

const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });
const INJECTED = user("use pnpm");

describe("placement", () => {
  test("at the end first, then at the same place, however the client rewrites what is around it", () => {
    const first = [{ type: "text", text: "hi", cache_control: { type: "ephemeral" } }];
    const one = send("anthropic", [user(first)], [], [NEW]);
    expect(one.sent).toEqual([user(first), INJECTED]);
    const two = send("anthropic", [user("hi"), assistant("ok"), user("go on")], one.ledger);
    expect(two.sent).toEqual([user("hi"), INJECTED, assistant("ok"), user("go on")]);
    expect(two.lost).toEqual([]);
    // A retry of the first.
    expect(send("anthropic", [user("hi")], one.ledger).sent).toEqual([user("hi"), INJECTED]);
  });

  test("a tool's result that the client has cleared is known by its id", () => {
    const call = assistant([{ type: "tool_use", id: "t1", name: "bash", input: {} }]);
    const result = (text: string) => user([{ type: "tool_result", tool_use_id: "t1", content: text }]);
    const one = send("anthropic", [user("hi"), call, result("long")], [], [NEW]);
    const two = send(
      "anthropic",
      [user("hi"), call, result("[cleared]"), assistant("x"), user("y")],
      one.ledger,
    );
    expect(two.sent?.[3]).toEqual(INJECTED);
  });

  test("of equal messages the nearest to where it was", () => {
    const talk = [user("go on"), assistant("1"), user("go on"), assistant("2"), user("go on")];
    const one = send("anthropic", talk.slice(0, 3), [], [NEW]);
    expect(send("anthropic", talk, one.ledger).sent?.[3]).toEqual(INJECTED);
  });

  test("several at one place keep their order", () => {
    const one = send("anthropic", [user("hi")], [], [NEW]);
    const two = send("anthropic", [user("hi")], one.ledger, [{ ...NEW, id: "i2", content: "and node 20" }]);
    expect(two.sent).toEqual([user("hi"), INJECTED, user("and node 20")]);
  });

  test("an anchor that is gone is lost, and said so", () => {
    const one = send("anthropic", [user("hi")], [], [NEW]);
    const two = send("anthropic", [user("Summary of the conversation: …")], one.ledger);
    expect(two.sent).toEqual([user("Summary of the conversation: …")]);
    expect(two.lost).toEqual(["i1"]);
  });

  test("one that was never placed is placed now", () => {
    expect(send("anthropic", [user("hi")], [NEW]).sent).toEqual([user("hi"), INJECTED]);
  });

  test("what stands there already is not put there twice", () => {
    const one = send("anthropic", [user("hi")], [], [NEW]);
    expect(send("anthropic", [user("hi"), INJECTED, assistant("ok")], one.ledger).sent).toEqual([
      user("hi"),
      INJECTED,
      assistant("ok"),
    ]);
  });

  test("before words that are put into the model's mouth", () => {
    expect(send("anthropic", [user("hi"), assistant("{")], [], [NEW]).sent).toEqual([
      user("hi"),
      INJECTED,
      assistant("{"),
    ]);
  });

  test("where the provider keeps the conversation, only new ones are sent", () => {
    const item = (text: string) => ({
      type: "message",
      role: "user",
      content: [{ type: "input_text", text }],
    });
    const one = send("openai-responses", [item("hi")], [], [NEW]);
    expect(one.sent).toEqual([item("hi"), item("use pnpm")]);
    const more = { previous_response_id: "r1" };
    const two = send("openai-responses", [item("next")], one.ledger, [], more);
    expect(two).toMatchObject({ sent: [item("next")], lost: [] });
    const again = [item("hi"), { type: "function_call", call_id: "c", name: "x", arguments: "{}" }];
    expect(send("openai-responses", again, one.ledger).sent?.[1]).toEqual(item("use pnpm"));
  });
});
