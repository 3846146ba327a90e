/** The daemon that the command line uses too: sessions are shared with it, and with MCP. */
import { type Client, connect } from "../client/client.ts";
import type { Backend } from "./backend.ts";
import { Interruptible } from "./interruptible.ts";

export function throughDaemon(): Backend {
  const calls = new Interruptible();
  let client: Promise<Client> | undefined;
  return {
    async call(command, args, { cwd, env, signal: caller, onText }) {
      const signal = calls.signalFor(command, caller);
      client ??= connect();
      const options = {
        cwd,
        env,
        signal,
        surface: { as: "method" as const },
        ...(onText ? { onChunk: onText } : {}),
      };
      return (await (await client).call(command, args, options)).data;
    },
    isHere: false,
    session: () => undefined,
    interrupt: () => calls.interrupt(),
    async close() {
      calls.close();
      (await client)?.close();
    },
  };
}
