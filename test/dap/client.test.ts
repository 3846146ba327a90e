import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DapRequestError } from "../../src/dap/client.ts";
import { connectedPeer } from "./peer.ts";

describe("requests", () => {
  test("carry seq, type, command, and arguments only if there are any", async () => {
    const { client, received, respond, settled } = connectedPeer();
    const threads = client.request("threads", undefined);
    const next = client.request("next", { threadId: 7 });
    await settled();
    expect(received).toEqual([
      { seq: 1, type: "request", command: "threads" },
      { seq: 2, type: "request", command: "next", arguments: { threadId: 7 } },
    ]);
    respond(2, "next");
    respond(1, "threads", { body: { threads: [] } });
    expect(await threads).toEqual({ threads: [] });
    expect(await next).toEqual({});
  });

  test("get their own answer whatever the order, with duplicates, late and unknown ones in between", async () => {
    const noise = fc.constantFrom(
      "twice",
      "wrong seq",
      "wrong command",
      "unknown event",
      "odd type",
      "no fields",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }).chain((count) =>
          fc.tuple(
            fc.shuffledSubarray(
              [...Array(count).keys()].map((i) => i + 1),
              { minLength: count },
            ),
            fc.array(noise, { minLength: count, maxLength: count }),
          ),
        ),
        async ([order, noises]) => {
          const { client, respond, event, send } = connectedPeer();
          const answers = order.map((_, i) => client.requestRaw(`c${i + 1}`, {}));
          for (const [i, seq] of order.entries()) {
            if (noises[i] === "wrong command") respond(seq, "other", { body: "lie" });
            respond(seq, `c${seq}`, { body: { for: seq } });
            if (noises[i] === "twice") respond(seq, `c${seq}`, { success: false, message: "second" });
            if (noises[i] === "wrong seq") respond(1000 + seq, `c${seq}`, { body: "lie" });
            if (noises[i] === "unknown event") event("nobodyKnows", { a: 1 });
            if (noises[i] === "odd type") send({ type: "gossip" });
            if (noises[i] === "no fields") send({ type: "response" });
          }
          expect(await Promise.all(answers)).toEqual(order.map((_, i) => ({ for: i + 1 })));
        },
      ),
      { numRuns: 50 },
    );
  });

  test("time out naming the command and the seconds; a late answer is logged", async () => {
    const { client, respond, logged, settled } = connectedPeer();
    const answer = client.request("threads", undefined, { timeoutMs: 20 });
    await expect(answer).rejects.toMatchObject({
      code: "TIMEOUT",
      message: 'the debug adapter did not answer "threads" within 0.02 s',
    });
    respond(1, "threads");
    await settled();
    expect(logged).toEqual(["ignored a late or duplicate response: threads, request_seq 1"]);
  });

  test("fail by an error that names no command: dlv's own failures are answered so", async () => {
    const { client, send } = connectedPeer();
    const answer = client.request("launch", {});
    send({
      seq: 1,
      type: "response",
      request_seq: 1,
      command: "",
      success: false,
      message: "Internal Error",
    });
    await expect(answer).rejects.toThrow("the debug adapter failed inside (Internal Error)");
  });

  test("can wait for ever", async () => {
    const { client, respond } = connectedPeer({ requestTimeoutMs: 1 });
    const answers = [Number.POSITIVE_INFINITY, 2 ** 40].map((timeoutMs) =>
      client.requestRaw("launch", {}, { timeoutMs }),
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    respond(1, "launch");
    respond(2, "launch");
    expect(await Promise.all(answers)).toEqual([{}, {}]);
  });

  test("can be cancelled, before and after they are sent", async () => {
    const { client, received, settled } = connectedPeer();
    const abort = new AbortController();
    const answer = client.request("threads", undefined, { signal: abort.signal });
    abort.abort();
    await expect(answer).rejects.toMatchObject({ code: "CANCELLED" });
    await expect(client.request("threads", undefined, { signal: abort.signal })).rejects.toMatchObject({
      code: "CANCELLED",
    });
    await settled();
    expect(received).toHaveLength(1);
  });

  test("that cannot be sent fail alone", async () => {
    const { client, respond } = connectedPeer({
      onMessage: (_, message) => void JSON.stringify(message),
    });
    await expect(client.requestRaw("odd", { big: 1n })).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
    const answer = client.request("threads", undefined);
    respond(2, "threads");
    expect(await answer).toEqual({ threads: [] });
  });

  test("fail with the caller's stack", async () => {
    const { client, respond } = connectedPeer();
    async function someCommand() {
      await client.request("threads", undefined);
    }
    const failure = someCommand().catch((error: Error) => error.stack);
    respond(1, "threads", { success: false, message: "no" });
    const stack = await failure;
    expect(stack).toMatch(
      /^SondeError: the debug adapter refused "threads": no\n {4}at (async )?someCommand/,
    );
  });

  test("not awaited yet do not count as unhandled", async () => {
    const { client, respond } = connectedPeer();
    const launch = client.request("launch", {});
    respond(1, "launch", { success: false, message: "no such file" });
    await new Promise((resolve) => setTimeout(resolve, 10));
    await expect(launch).rejects.toBeInstanceOf(DapRequestError);
  });
});

describe("a refused request", () => {
  test.each([
    ["message only", "no such file", undefined, "no such file"],
    ["format only", "", { error: { id: 1, format: "unknown goroutine 1" } }, "unknown goroutine 1"],
    [
      "both",
      "Failed to launch",
      { error: { id: 1, format: "could not build" } },
      "Failed to launch: could not build",
    ],
    [
      "one within the other",
      "x is not defined",
      { error: { format: "Error: x is not defined" } },
      "Error: x is not defined",
    ],
    [
      "variables",
      undefined,
      { error: { format: "{a} of {b} {c}", variables: { a: "1", b: "{a}" } } },
      "1 of {a} {c}",
    ],
    ["nothing", undefined, null, "no reason given"],
    ["nonsense", 7, { error: 5 }, "no reason given"],
  ])("says why: %s", (_name, message, body, text) => {
    const error = new DapRequestError("launch", message, body);
    expect(error).toMatchObject({ command: "launch", text, code: "REQUEST_FAILED" });
    expect(error.message).toBe(`the debug adapter refused "launch": ${text}`);
  });
});

describe("events", () => {
  test("reach every listener in order; one that throws is logged and stops nobody", async () => {
    const { client, event, logged, settled } = connectedPeer();
    const seen: unknown[] = [];
    client.on("stopped", ({ reason }) => seen.push(`first ${reason}`));
    client.on("stopped", () => {
      throw new Error("clumsy");
    });
    const off = client.on("stopped", ({ reason }) => seen.push(`third ${reason}`));
    client.onAny((name, body) => seen.push([name, body]));
    event("stopped", { reason: "step" });
    event("debugpySockets", { a: 1 });
    await settled();
    off();
    event("stopped", { reason: "pause" });
    await settled();
    expect(seen).toEqual([
      "first step",
      "third step",
      ["stopped", { reason: "step" }],
      ["debugpySockets", { a: 1 }],
      "first pause",
      ["stopped", { reason: "pause" }],
    ]);
    expect(logged[0]).toContain("a listener of event stopped failed: Error: clumsy");
  });

  test("unsubscribing while an event is delivered takes effect at once", async () => {
    const { client, event, settled } = connectedPeer();
    const seen: string[] = [];
    client.on("stopped", () => offSecond());
    const offSecond = client.on("stopped", () => seen.push("second"));
    event("stopped", { reason: "step" });
    await settled();
    expect(seen).toEqual([]);
  });

  test("that nobody knows are logged", async () => {
    const { event, logged, settled } = connectedPeer();
    event("custom");
    await settled();
    expect(logged).toEqual(["no listener for event custom"]);
  });

  test("may overtake the response that was sent before them", async () => {
    const { client, event, respond } = connectedPeer();
    const order: string[] = [];
    client.on("stopped", () => order.push("stopped"));
    const answer = client.request("continue", { threadId: 1 }).then(() => order.push("continued"));
    respond(1, "continue");
    event("stopped", { reason: "breakpoint" });
    await answer;
    expect(order).toEqual(["stopped", "continued"]);
  });
});

describe("requests of the adapter", () => {
  test("are answered while messages go on being read", async () => {
    const { client, send, event, received, settled } = connectedPeer();
    let release = (_: object) => {};
    const seen: string[] = [];
    client.handle(
      "runInTerminal",
      () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    );
    client.on("output", ({ output }) => seen.push(output));
    send({ seq: 9, type: "request", command: "runInTerminal", arguments: { args: ["a"], cwd: "/" } });
    event("output", { output: "read meanwhile" });
    await settled();
    expect(seen).toEqual(["read meanwhile"]);
    expect(received).toEqual([]);
    release({ processId: 4 });
    await settled();
    expect(received).toEqual([
      {
        seq: 1,
        type: "response",
        request_seq: 9,
        command: "runInTerminal",
        success: true,
        body: { processId: 4 },
      },
    ]);
  });

  test("are refused without a handler, or when the handler fails", async () => {
    const { client, send, received, settled } = connectedPeer();
    client.handle("startDebugging", async () => {
      throw new Error("no {more} sessions");
    });
    send({ seq: 1, type: "request", command: "startDebugging", arguments: {} });
    send({ seq: 2, type: "request", command: "makeCoffee" });
    send({ seq: 3, type: "request" });
    await settled();
    received.sort((a, b) => Number(Reflect.get(a, "request_seq")) - Number(Reflect.get(b, "request_seq")));
    expect(received).toMatchObject([
      { request_seq: 1, success: false, message: "no {more} sessions", body: { error: { id: 1 } } },
      { request_seq: 2, success: false, message: 'sonde does not handle the request "makeCoffee"' },
      { request_seq: 3, success: false },
    ]);
  });
});

describe("the end", () => {
  test("of the connection rejects all that is pending and all that follows", async () => {
    const { client, close } = connectedPeer();
    const pending = [client.request("threads", undefined), client.request("next", { threadId: 1 })];
    close();
    expect(await client.closed).toEqual({ why: "the other side closed the connection" });
    expect(client.isClosed).toBe(true);
    for (const answer of [...pending, client.request("threads", undefined)]) {
      await expect(answer).rejects.toMatchObject({
        code: "ADAPTER_FAILED",
        message: expect.stringContaining("other side closed"),
      });
    }
  });

  test("by our own close is the same, at once", async () => {
    const { client } = connectedPeer();
    const pending = client.request("threads", undefined);
    client.close();
    client.close();
    expect(client.isClosed).toBe(true);
    await expect(pending).rejects.toMatchObject({ code: "ADAPTER_FAILED" });
    expect(await client.closed).toEqual({ why: "sonde closed the connection to the debug adapter" });
  });
});

test("the transcript sees every message in both directions", async () => {
  const seen: string[] = [];
  const { client, respond } = connectedPeer({
    onMessage: (direction, message) => seen.push(`${direction} ${message.type}`),
  });
  const answer = client.request("threads", undefined);
  respond(1, "threads");
  await answer;
  expect(seen).toEqual(["out request", "in response"]);
});
