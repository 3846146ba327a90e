/** The same adapter on a stream, for `sonde dap node`: editors and other clients start it as they would any debug adapter. */
import type { Readable, Writable } from "node:stream";
import { Decoder, encode } from "../../dap/framing.ts";
import type { Message } from "../../dap/transport.ts";
import type { ProcessRegistry } from "../adapter.ts";
import { NodeAdapter } from "./adapter.ts";

/** Resolves when the client has gone and what it launched has ended. Rejects on bytes that are not DAP. */
export async function serveNodeAdapter(
  input: Readable,
  output: Writable,
  registry: ProcessRegistry = { own: (pid) => pid, release: () => {} },
): Promise<void> {
  const adapter = new NodeAdapter((message: Message) => void output.write(encode(message)), {
    registry,
    sharesProcess: false,
  });
  const decoder = new Decoder();
  // A client that vanished breaks this pipe; the end of the input says the same.
  output.on("error", () => {});
  try {
    for await (const chunk of input) {
      for (const message of decoder.push(chunk as Buffer)) adapter.receive(message);
    }
  } finally {
    await adapter.dispose();
  }
}
