/** The adapter's end of an in-process connection, played by the test message by message. */
import type { DebugProtocol as DAP } from "@vscode/debugprotocol";
import { type ClientOptions, DapClient } from "../../src/dap/client.ts";
import { transportPair } from "../../src/dap/in-process.ts";
import type { Message } from "../../src/dap/transport.ts";

export function connectedPeer(options: Partial<ClientOptions> = {}) {
  const [ours, theirs] = transportPair();
  const received: Message[] = [];
  const logged: string[] = [];
  theirs.start(
    (message) => void received.push(message),
    () => {},
  );
  const client = new DapClient(ours, {
    requestTimeoutMs: 5000,
    log: (text) => logged.push(text),
    ...options,
  });
  return {
    client,
    received,
    logged,
    close: () => theirs.close(),
    send: (message: object) => theirs.send({ seq: 0, ...message } as Message),
    respond: (seq: number, command: string, rest: Partial<DAP.Response> = {}) =>
      theirs.send({ seq: 0, type: "response", request_seq: seq, command, success: true, ...rest } as Message),
    event: (event: string, body?: unknown) => theirs.send({ seq: 0, type: "event", event, body } as Message),
    /** After everything sent so far has been handled. */
    settled: () => new Promise((resolve) => setImmediate(resolve)),
  };
}
