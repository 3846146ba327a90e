/** DAP over a child's stdin and stdout. */
import type { AdapterProcess } from "./process.ts";
import { StreamTransport } from "./stream.ts";
import type { Transport } from "./transport.ts";

/** Its process must have been spawned with all three streams piped. */
export function stdioTransport(process: AdapterProcess): Transport {
  const { stdin, stdout } = process.child;
  if (stdin === null || stdout === null)
    throw new TypeError("an adapter on stdio needs piped stdin and stdout");
  return new StreamTransport(stdout, stdin, { process });
}
