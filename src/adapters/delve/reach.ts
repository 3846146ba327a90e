/** A dlv that somebody started (`dlv exec --headless`), by its port: it holds the program already. */
import { connect } from "node:net";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Connection, Host } from "../adapter.ts";
import { type Dialect, speaking } from "../kit/dialect.ts";
import { dial } from "../kit/process.ts";
import { delveDialect } from "./dialect.ts";

export interface Listening {
  host: string;
  port: number;
}

const ONE_CLIENT =
  "this dlv ends the program when its client disconnects; started with --accept-multiclient, it would not";

export async function reach(at: Listening, args: Record<string, unknown>, host: Host): Promise<Connection> {
  const transport = await dial(host, at);
  const plain = speaking(transport, delveDialect({ entries: [], connected: () => {} }));
  return {
    transport: speaking(plain, leaving(at)),
    request: "attach",
    args,
    endsWithIt: async () => ((await answers(at)) ? undefined : ONE_CLIENT),
  };
}

/** One that takes a single client listens no more once it has it, which is some time after it was called. */
function answers({ host, port }: Listening): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}

/** It leaves a program as it stands, with the breakpoints in it: they are taken out, and it is let go on. */
function leaving(at: Listening): Dialect {
  const sources = new Map<string, DebugProtocol.Source>();
  let still = false;
  return {
    events: {
      stopped: (body) => {
        still = true;
        return body;
      },
      continued: (body) => {
        still = false;
        return body;
      },
    },
    requests: {
      setBreakpoints: ({ source, breakpoints = [] }: DebugProtocol.SetBreakpointsArguments) => {
        if (breakpoints.length > 0) sources.set(source.path ?? "", source);
        return undefined;
      },
      ...Object.fromEntries(["continue", "next", "stepIn", "stepOut"].map((one) => [one, () => moves()])),
      disconnect: (args: DebugProtocol.DisconnectArguments, wire) => {
        if (args.terminateDebuggee !== false) return undefined;
        const left = async () => {
          if (!(await answers(at))) return (await wire.ask("disconnect", args)).body ?? {};
          for (const source of sources.values())
            await wire.ask("setBreakpoints", { source, breakpoints: [] });
          await wire.ask("setFunctionBreakpoints", { breakpoints: [] });
          if (still) await wire.ask("continue", { threadId: 1 });
          return (await wire.ask("disconnect", args)).body ?? {};
        };
        return { answer: left() };
      },
    },
  };

  function moves(): undefined {
    still = false;
    return undefined;
  }
}
