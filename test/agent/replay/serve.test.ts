import { request } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import type { ServeOptions } from "../../../src/agent/replay/options.ts";
import { reportText } from "../../../src/agent/replay/report.ts";
import { serveTape, type TapeServer } from "../../../src/agent/replay/serve.ts";
import { deferred } from "../../../src/util/wait.ts";
import { type Provider, type Reply, startProvider } from "../provider/index.mjs";
import { Anthropic } from "../sdks.ts";
import { post, type Recorder, recorder } from "./recording.ts";

const TOOLS = [{ name: "bash", description: "runs", input_schema: { type: "object" } }];
const user = (content: unknown) => ({ role: "user", content });

function ask(messages: unknown[], more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    model: "claude-x",
    max_tokens: 4000,
    stream: true,
    tools: TOOLS,
    system: "You work in /work/then. Today is 2026-11-15.",
    messages,
    ...more,
  };
}

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function provider(script: Reply[]): Promise<Provider> {
  const one = await startProvider({ script });
  ends.push(() => one.close());
  return one;
}

function record(from: Provider): Recorder {
  const one = recorder(from.url);
  ends.push(() => one.remove());
  return one;
}

async function serve(made: Recorder, options: Partial<ServeOptions> = {}): Promise<TapeServer> {
  made.close();
  const server = await serveTape({ folder: made.folder, cwd: "/work/now", ...options });
  ends.push(() => server.close());
  return server;
}

describe("a recording that answers", () => {
  test("gives the very bytes back, offline, in order", async () => {
    const real = await provider([
      { text: "one", tools: [{ name: "bash", input: { command: "ls" } }] },
      { text: "two" },
    ]);
    const made = record(real);
    const [first, second] = [
      ask([user("a")]),
      ask([user("a"), { role: "assistant", content: "one" }, user("b")]),
    ];
    const answers = [await made.call(first), await made.call(second)];
    await real.close();
    const tape = await serve(made);
    const replayed = [
      await post(`${tape.url}/v1/messages?beta=true`, first),
      await post(`${tape.url}/v1/messages`, second),
    ];
    expect(replayed.map(({ text }) => text)).toEqual(answers);
    expect(replayed.map(({ headers }) => headers.get("content-type"))).toEqual(
      Array(2).fill(expect.stringContaining("text/event-stream")),
    );
    expect(tape.report()).toMatchObject({ exact: 2, minor: 0, left: 0, divergence: undefined });
  });

  test("passes over what changes from run to run, and says what", async () => {
    const made = record(await provider([{ text: "one" }]));
    const marked = [{ type: "text", text: "at 10:02", cache_control: { type: "ephemeral" } }];
    const answer = await made.call(ask([user(marked)], { metadata: { user_id: "u1" } }));
    const served: unknown[] = [];
    const tape = await serve(made, { onServed: (one) => served.push(one) });
    const later = ask([user("at 10:45")], {
      metadata: { user_id: "u2" },
      system: "You work in /work/now. Today is 2026-12-24.",
    });
    expect((await post(`${tape.url}/v1/messages`, later)).text).toBe(answer);
    expect(served).toEqual([
      {
        from: "tape",
        req: 1,
        agent: "main",
        grade: "minor",
        kinds: expect.arrayContaining(["folders", "dates", "cache_control", "metadata"]),
        again: false,
      },
    ]);
    expect(reportText(tape.report())).toContain("1 with small differences");
  });

  test("stops at anything else, with a short difference, and stays stopped", async () => {
    const made = record(await provider([{ text: "one" }, { text: "two" }]));
    const [first, second] = [ask([user("delete nothing")]), ask([user("x"), user("y")])];
    await made.call(first);
    await made.call(second);
    const tape = await serve(made);
    const client = new Anthropic({ baseURL: tape.url, apiKey: "k", maxRetries: 5 });
    const failed = await client.messages
      .stream(ask([user("delete everything")]))
      .finalMessage()
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ status: 400 });
    expect((failed as Error).message.replaceAll("\\", "")).toContain(
      'messages[0].content was "delete nothing", is "delete everything"',
    );
    expect(await tape.divergence).toMatchObject({
      kind: "different",
      req: 1,
      difference: { where: "messages[0].content" },
    });
    const refused = await post(`${tape.url}/v1/messages`, first);
    expect(refused.status).toBe(400);
    expect(refused.headers.get("x-should-retry")).toBe("false");
    expect(tape.report()).toMatchObject({ exact: 0, left: 2 });
  });

  test("a parameter, a tool or the model that changed is not small", async () => {
    for (const change of [
      { max_tokens: 1 },
      { model: "other" },
      { tools: [] },
      { temperature: 0.5 },
      { stream: false },
    ]) {
      const made = record(await provider([{ text: "one" }]));
      await made.call(ask([user("a")]));
      const tape = await serve(made);
      expect((await post(`${tape.url}/v1/messages`, ask([user("a")], change))).status).toBe(400);
      const where = Object.keys(change)[0];
      expect(await tape.divergence).toMatchObject({
        difference: { where: expect.stringContaining(where ?? "") },
      });
    }
  });

  test("says when the recording is over, and when a call was never answered", async () => {
    const made = record(await provider([{ text: "one" }]));
    await made.call(ask([user("a")]));
    made.log.append("api_request", {
      req: 2,
      agent: "main",
      class: "main",
      wire: "anthropic",
      model: "claude-x",
      body: JSON.stringify(ask([user("b")])),
    });
    const tape = await serve(made);
    await post(`${tape.url}/v1/messages`, ask([user("a")]));
    const cut = await post(`${tape.url}/v1/messages`, ask([user("b")]));
    expect(cut.text).toContain("call 2 was never answered");
    const other = record(await provider([{ text: "one" }]));
    await other.call(ask([user("a")]));
    const short = await serve(other);
    await post(`${short.url}/v1/messages`, ask([user("a")]));
    expect((await post(`${short.url}/v1/messages`, ask([user("z")]))).text).toContain(
      "no further call of agent main",
    );
  });

  test("recorded errors come again as they were, and the retry that followed", async () => {
    const made = record(await provider([{ error: 529 }, { text: "one" }]));
    const body = ask([user("a")]);
    const overloaded = await made.call(body);
    const fine = await made.call(body, { retryOf: 1 });
    const tape = await serve(made);
    const first = await post(`${tape.url}/v1/messages`, body);
    expect([first.status, first.text]).toEqual([529, overloaded]);
    expect((await post(`${tape.url}/v1/messages`, body)).text).toBe(fine);
    expect((await post(`${tape.url}/v1/messages`, body)).text).toBe(fine);
    expect(tape.report()).toMatchObject({ exact: 2, again: 1 });
  });

  test("sub-agents go on independently, under new names; calls made at once come in any order", async () => {
    const made = record(await provider([{ text: "m1" }, { text: "s1" }, { text: "m2" }, { text: "s2" }]));
    const sub = { agent: "old", class: "subagent" };
    const bodies = [
      ask([user("main 1")]),
      ask([user("sub 1")]),
      ask([user("main 2")]),
      ask([user("sub 2")]),
    ] as const;
    const texts = [
      await made.call(bodies[0]),
      await made.call(bodies[1], sub),
      await made.call(bodies[2]),
      await made.call(bodies[3], sub),
    ];
    const tape = await serve(made);
    const url = `${tape.url}/v1/messages`;
    const as = (id: string) => ({ "x-claude-code-session-id": "s", "x-claude-code-agent-id": id });
    const got = [];
    got.push(await post(url, bodies[1], as("new")), await post(url, bodies[3], as("new")));
    got.push(
      await post(url, bodies[0], { "x-claude-code-session-id": "s" }),
      await post(url, bodies[2], { "x-claude-code-session-id": "s" }),
    );
    expect(got.map(({ text }) => text)).toEqual([texts[1], texts[3], texts[0], texts[2]]);
  });

  test("auxiliary calls that were not recorded get a plain default and are counted", async () => {
    const made = record(await provider([{ text: "one" }]));
    await made.call(ask([user("a")]));
    const tape = await serve(made);
    const client = new Anthropic({ baseURL: tape.url, apiKey: "k", maxRetries: 0 });
    expect(
      (await client.messages.countTokens({ model: "claude-x", messages: [user("hello")] })).input_tokens,
    ).toBeGreaterThan(0);
    const title = { model: "small", max_tokens: 100, stream: true, messages: [user("a title?")] };
    const said = await post(`${tape.url}/v1/messages`, title, {
      "x-claude-code-session-id": "s",
      "x-claude-code-request-class": "auxiliary",
    });
    expect(said).toMatchObject({ status: 200 });
    expect((await fetch(`${tape.url}/`, { method: "HEAD" })).status).toBe(200);
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(["claude-x"]);
    expect(tape.report()).toMatchObject({ defaults: 4, exact: 0, divergence: undefined });
  });

  test("secrets that were masked on the tape are no difference", async () => {
    const made = record(await provider([{ text: "one" }]));
    const key = `sk-ant-api03-${"Q7x".repeat(30)}`;
    const answer = await made.call(ask([user(`use ${key} for it`)]));
    const tape = await serve(made);
    expect((await post(`${tape.url}/v1/messages`, ask([user(`use ${key} for it`)]))).text).toBe(answer);
    expect(tape.report()).toMatchObject({ exact: 1 });
  });

  test("an edited tool call comes edited again", async () => {
    const made = record(
      await provider([{ tools: [{ id: "toolu_1", name: "bash", input: { command: "rm -rf /" } }] }]),
    );
    await made.call(ask([user("a")]));
    made.log.append("tool_call_start", {
      toolId: "toolu_1",
      name: "bash",
      input: '{"command":"rm -rf /"}',
      agent: "main",
      req: 1,
      source: "proxy",
    });
    made.log.append("tool_call_edit", {
      toolId: "toolu_1",
      before: '{"command":"rm -rf /"}',
      after: '{"command":"ls"}',
    });
    const tape = await serve(made);
    const client = new Anthropic({ baseURL: tape.url, apiKey: "k" });
    const message = await client.messages.stream(ask([user("a")])).finalMessage();
    expect(message.content).toMatchObject([{ type: "tool_use", id: "toolu_1", input: { command: "ls" } }]);
  });

  test("answers take their time if asked, and a close does not wait for them", async () => {
    const made = record(await provider([{ text: "one" }]));
    const answer = await made.call(ask([user("a")]));
    const tape = await serve(made, { timed: true });
    const start = performance.now();
    expect((await post(`${tape.url}/v1/messages`, ask([user("a")]))).text).toBe(answer);
    expect(performance.now() - start).toBeGreaterThanOrEqual(58);
    const begun = deferred<unknown>();
    const slow = await serveTape({
      folder: made.folder,
      cwd: "/work/now",
      timed: true,
      speed: 0.0001,
      onServed: begun.resolve,
    });
    const pending = post(`${slow.url}/v1/messages`, ask([user("a")])).catch((error: unknown) => error);
    await begun.promise;
    await slow.close();
    expect(await pending).toBeInstanceOf(Error);
    expect(await slow.divergence).toBeUndefined();
  });

  test("nobody without the token, or from a web page, gets an answer", async () => {
    const made = record(await provider([{ text: "one" }]));
    await made.call(ask([user("a")]));
    const tape = await serve(made);
    const { origin, pathname, port } = new URL(tape.url);
    expect((await post(`${origin}/v1/messages`, ask([user("a")]))).status).toBe(403);
    expect((await post(`${origin}/wrong/v1/messages`, ask([user("a")]))).status).toBe(403);
    const status = await new Promise((resolve, reject) => {
      const asked = request({
        port,
        host: "127.0.0.1",
        path: `${pathname}/v1/messages`,
        method: "POST",
        headers: { host: "evil.example" },
      });
      asked.on("response", (response) => resolve(response.resume().statusCode)).on("error", reject);
      asked.end("{}");
    });
    expect(status).toBe(403);
  });

  test("both OpenAI wires", async () => {
    const made = record(await provider([{ text: "chat" }, { text: "resp" }]));
    const chat = { model: "gpt-5", stream: true, messages: [user("hi")] };
    const responses = {
      model: "gpt-5",
      stream: true,
      input: [{ role: "user", content: [{ type: "input_text", text: "hi" }] }],
      prompt_cache_key: "a",
    };
    const texts = [
      await made.call(chat, {}, "/v1/chat/completions"),
      await made.call(responses, {}, "/v1/responses"),
    ];
    const tape = await serve(made);
    expect((await post(`${tape.url}/v1/chat/completions`, chat)).text).toBe(texts[0]);
    expect((await post(`${tape.url}/v1/responses`, { ...responses, prompt_cache_key: "b" })).text).toBe(
      texts[1],
    );
    expect((await post(`${tape.url}/v1/responses`, { ...responses, input: "no" })).text).toContain(
      '"error":{"message":"sonde: ',
    );
  });
});
