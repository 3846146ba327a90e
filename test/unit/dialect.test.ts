/** A dialect between a client and an adapter: what it corrects, and what it does when it cannot. */
import { expect, test } from "vitest";
import { type Dialect, speaking } from "../../src/adapters/kit/dialect.ts";
import { DapClient } from "../../src/dap/client.ts";
import { transportPair } from "../../src/dap/in-process.ts";
import type { Message } from "../../src/dap/transport.ts";

function between(dialect: Dialect, answer: (request: { command: string; seq: number }) => object) {
  const [ours, theirs] = transportPair();
  const heard: { command: string; arguments?: unknown }[] = [];
  let seq = 1;
  theirs.start(
    (message) => {
      const request = message as Message & { command: string; arguments?: unknown };
      if (request.type !== "request") return;
      heard.push(request);
      theirs.send({
        ...{
          seq: seq++,
          type: "response",
          request_seq: request.seq,
          command: request.command,
          success: true,
        },
        ...answer(request),
      } as Message);
    },
    () => {},
  );
  const client = new DapClient(speaking(ours, dialect), { requestTimeoutMs: 5000 });
  const event = (name: string, body: unknown) =>
    theirs.send({ seq: seq++, type: "event", event: name, body } as Message);
  return { client, heard, event };
}

test("answers, arguments and events are corrected; the rest passes", async () => {
  const { client, heard, event } = between(
    {
      responses: { threads: ({ threads }) => ({ threads: threads.slice(1) }) },
      requests: {
        next: (args) => ({ args: { ...args, granularity: "line" } }),
        modules: () => ({ answer: Promise.resolve({ modules: [] }) }),
        pause: () => ({ answer: Promise.reject(new Error("cannot")) }),
      },
      events: { output: ({ output }) => (output === "noise" ? undefined : { output: output.trim() }) },
    },
    () => ({ body: { threads: [{ id: 1 }, { id: 2, name: "two" }] } }),
  );
  const printed: string[] = [];
  client.on("output", ({ output }) => printed.push(output));
  expect(await client.request("threads", undefined)).toEqual({ threads: [{ id: 2, name: "two" }] });
  await client.request("next", { threadId: 1 });
  expect(heard.at(-1)).toMatchObject({ command: "next", arguments: { threadId: 1, granularity: "line" } });
  expect(await client.request("modules", {})).toEqual({ modules: [] });
  await expect(client.request("pause", { threadId: 1 })).rejects.toThrow("cannot");
  expect(heard.map(({ command }) => command)).toEqual(["threads", "next"]);
  event("output", { output: "noise" });
  event("output", { output: " told " });
  await expect.poll(() => printed).toEqual(["told"]);
  client.close();
});

test("a correction that stumbles loses neither the message nor those after it", async () => {
  const boom = () => {
    throw new Error("boom");
  };
  const { client, event } = between(
    { responses: { initialize: boom }, requests: { next: boom }, events: { output: boom } },
    () => ({ body: { threads: [] } }),
  );
  const printed: string[] = [];
  client.on("output", ({ output }) => printed.push(output));
  await expect(client.request("initialize", { adapterID: "x" })).rejects.toThrow(/invalid reply: boom/);
  await expect(client.request("next", { threadId: 1 })).rejects.toThrow("boom");
  expect(await client.request("threads", undefined)).toEqual({ threads: [] });
  event("output", { output: "as it came" });
  await expect.poll(() => printed).toEqual(["as it came"]);
  client.close();
});
