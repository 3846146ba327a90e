import { afterEach, describe, expect, test } from "vitest";
import type { ForkEdit } from "../../../src/agent/replay/fork-edit.ts";
import type { Served } from "../../../src/agent/replay/report.ts";
import { serveTape } from "../../../src/agent/replay/serve.ts";
import { type Reply, startProvider } from "../provider/index.mjs";
import { post, recorder } from "./recording.ts";

const TOOLS = [{ name: "bash", description: "runs", input_schema: { type: "object" } }];
const user = (content: unknown) => ({ role: "user", content });
const model = (content: string) => ({ role: "assistant", content: [{ type: "text", text: content }] });

function ask(messages: unknown[], more: Record<string, unknown> = {}): Record<string, unknown> {
  return { model: "claude-x", max_tokens: 4000, stream: true, tools: TOOLS, messages, ...more };
}

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function provider(script: Reply[]) {
  const one = await startProvider({ script });
  ends.push(() => one.close());
  return one;
}

const talk = [user("a"), model("one"), user("b"), model("two"), user("c")];
const calls = [ask(talk.slice(0, 1)), ask(talk.slice(0, 3)), ask(talk)] as const;

/** A run of three calls, taken up again at the second. */
async function fork(edit: ForkEdit, injected: readonly { req: number; content: string }[] = []) {
  const then = await provider([{ text: "one" }, { text: "two" }, { text: "three" }]);
  const made = recorder(then.url);
  ends.push(() => made.remove());
  const texts: string[] = [];
  for (const call of calls) texts.push(await made.call(call));
  for (const [at, { req, content }] of injected.entries()) {
    const facts = { id: `i${at + 1}`, role: "user", req, agent: "main" };
    made.log.append("injected", { ...facts, content: made.log.store(content) });
  }
  made.close();
  const now = await provider([{ text: "new two" }, { text: "new three" }]);
  const served: Served[] = [];
  const tape = await serveTape({
    folder: made.folder,
    fork: { req: 2, upstream: now.url, edit },
    onServed: (one) => served.push(one),
  });
  ends.push(() => tape.close());
  return {
    tape,
    now,
    served,
    texts,
    send: (body: unknown) =>
      post(`${tape.url}/v1/messages?beta=true`, body, { "x-api-key": "k", "anthropic-beta": "b1" }),
  };
}

describe("a run taken up again from a call", () => {
  test("calls before it come from the tape, it and all later ones from the provider", async () => {
    const { tape, now, texts, send } = await fork({});
    expect((await send(calls[0])).text).toBe(texts[0]);
    expect(now.requests).toHaveLength(0);
    expect((await send(calls[1])).text).toContain("new");
    const next = ask([user("a"), model("one"), user("b"), model("new two"), user("other")]);
    expect((await send(next)).status).toBe(200);
    expect(now.calls.map(({ text }) => text)).toEqual([JSON.stringify(calls[1]), JSON.stringify(next)]);
    expect(now.calls[0]?.header("x-api-key")).toBe("k");
    expect(now.calls[0]?.header("anthropic-beta")).toBe("b1");
    expect(now.calls[0]?.url).toBe("/v1/messages?beta=true");
    expect(tape.report()).toMatchObject({ exact: 1, forwarded: 2, divergence: undefined });
  });

  test("what the user said last is replaced, there and in every later request", async () => {
    const { now, served, send } = await fork({ lastUserText: "do it better" });
    await send(calls[0]);
    await send(calls[1]);
    await send(
      ask([
        user("a"),
        model("one"),
        user([{ type: "text", text: "b", cache_control: { type: "ephemeral" } }]),
        model("new two"),
        user("c"),
      ]),
    );
    expect(now.calls[0]?.outline).toEqual(["user: a", "assistant: one", "user: do it better"]);
    expect(now.calls[1]?.outline.slice(0, 3)).toEqual(["user: a", "assistant: one", "user: do it better"]);
    expect(now.calls[1]?.outline.at(-1)).toBe("user: c");
    expect(served[1]).toMatchObject({
      from: "upstream",
      req: 2,
      body: expect.stringContaining("do it better"),
    });
  });

  test("a client's own reminders are not the user's words", async () => {
    const { now, send } = await fork({ lastUserText: "new" });
    await send(calls[0]);
    await send(
      ask([
        user("a"),
        model("one"),
        user([
          { type: "text", text: "b" },
          { type: "text", text: "<system-reminder>x</system-reminder>" },
        ]),
      ]),
    );
    expect(now.calls[0]?.text).toContain(
      '{"type":"text","text":"new"},{"type":"text","text":"<system-reminder>',
    );
  });

  test("an injected message and another model stay", async () => {
    const { now, send } = await fork({
      inject: { role: "user", content: "mind the gap" },
      model: "claude-y",
    });
    await send(calls[0]);
    await send(calls[1]);
    await send(ask([user("a"), model("one"), user("b"), model("new two"), user("c")]));
    expect(now.calls.map(({ body }) => body.model)).toEqual(["claude-y", "claude-y"]);
    expect(now.calls[0]?.outline).toEqual(["user: a", "assistant: one", "user: b", "user: mind the gap"]);
    expect(now.calls[1]?.outline).toEqual([
      "user: a",
      "assistant: one",
      "user: b",
      "user: mind the gap",
      "assistant: new two",
      "user: c",
    ]);
  });

  test("what was injected in the recording before it stands where the model read it; what came later does not", async () => {
    const { tape, now, send } = await fork({ lastUserText: "do it better" }, [
      { req: 1, content: "leave the tests alone" },
      { req: 2, content: "and hurry" },
    ]);
    await send(calls[0]);
    await send(calls[1]);
    await send(ask([user("a"), model("one"), user("b"), model("new two"), user("c")]));
    const start = ["user: a", "user: leave the tests alone", "assistant: one", "user: do it better"];
    expect(now.calls[0]?.outline).toEqual(start);
    expect(now.calls[1]?.outline).toEqual([...start, "assistant: new two", "user: c"]);
    expect(tape.report().lost).toEqual([]);
    await send(ask([user("a summary of all that")]));
    expect(tape.report().lost).toContain("a message injected in the recording");
  });

  test("a place that is gone is reported, not guessed", async () => {
    const { tape, now, send } = await fork({ lastUserText: "new", inject: { role: "user", content: "x" } });
    await send(calls[0]);
    await send(calls[1]);
    await send(ask([user("summary of it all")]));
    expect(now.calls[1]?.outline).toEqual(["user: summary of it all"]);
    expect(tape.report().lost).toEqual(["the replaced text", "the injected message"]);
  });

  test("a whole body is sent as it was given", async () => {
    const body = JSON.stringify(ask([user("something else")]));
    const { now, send } = await fork({ body });
    await send(calls[0]);
    await send(calls[1]);
    expect(now.calls[0]?.text).toBe(body);
  });

  test("an edit that has no place is an error, and nothing is sent", async () => {
    const { tape, now, send } = await fork({ lastUserText: "x" });
    await send(calls[0]);
    const refused = await send(ask([model("only the model")]));
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("no text of the user");
    expect(now.requests).toHaveLength(0);
    expect(await tape.divergence).toMatchObject({ kind: "failed" });
  });

  test("a provider that cannot be reached is said so", async () => {
    const { now, send } = await fork({});
    await now.close();
    await send(calls[0]);
    const failed = await send(calls[1]);
    expect(failed.status).toBe(502);
    expect(failed.text).toContain("no answer from");
  });

  test("before the fork a different request still stops", async () => {
    const { now, send } = await fork({});
    expect((await send(ask([user("not a")]))).status).toBe(400);
    expect(now.requests).toHaveLength(0);
  });
});
