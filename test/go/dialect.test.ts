/** What dlv does only now and then, played to its dialect byte by byte as it was seen. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { expect, test } from "vitest";
import { delveDialect } from "../../src/adapters/delve/dialect.ts";
import { speaking } from "../../src/adapters/kit/dialect.ts";
import { DapClient } from "../../src/dap/client.ts";
import { transportPair } from "../../src/dap/in-process.ts";
import type { Message } from "../../src/dap/transport.ts";

const ASLEEP = '"all goroutines are asleep - deadlock!"';

function dlv() {
  const [ours, theirs] = transportPair();
  const heard: string[] = [];
  let seq = 1;
  theirs.start(
    (message) => {
      const { command, seq: request_seq } = message as DebugProtocol.Request;
      heard.push(command);
      theirs.send({ seq: seq++, type: "response", request_seq, command, success: true, body: {} } as Message);
    },
    () => {},
  );
  const client = new DapClient(speaking(ours, delveDialect({ entries: [], connected: () => {} })), {
    requestTimeoutMs: 5000,
  });
  const told: (string | undefined)[] = [];
  client.on("stopped", ({ text }) => told.push(text));
  const stop = (text: string, threadId: number) => {
    const body = { reason: "exception", description: "fatal error", text, threadId, allThreadsStopped: true };
    theirs.send({ seq: seq++, type: "event", event: "stopped", body } as Message);
  };
  return { client, heard, told, stop };
}

test("a deadlock that a second thread of the runtime finds too is told once", async () => {
  const { client, heard, told, stop } = dlv();
  stop(ASLEEP, 0);
  await expect.poll(() => told.length).toBe(1);
  await client.request("continue", { threadId: 1 });
  stop(ASLEEP, 0);
  await expect.poll(() => heard).toEqual(["continue", "continue"]);
  // Something else that goes wrong on its way out is news.
  stop('"bad lock"', 0);
  await expect.poll(() => told).toEqual([expect.stringMatching(/^all goroutines are asleep/), "bad lock"]);
  client.close();
});

test("a fatal error of two goroutines is told of each", async () => {
  const { client, heard, told, stop } = dlv();
  stop('"concurrent map writes"', 6);
  stop('"concurrent map writes"', 7);
  await expect.poll(() => told).toEqual(["concurrent map writes", "concurrent map writes"]);
  expect(heard).toEqual([]);
  client.close();
});
