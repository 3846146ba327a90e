/**
 * Languages whose debugger is inside the program and calls us (PHP, Perl): we start the program with an environment that makes
 * every process of it call, serve the first call as the session, and announce each later one as a child.
 */

import type { Socket } from "node:net";
import { basename } from "node:path";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { advice, blank, call } from "../../advice/advice.ts";
import { inProcess } from "../../dap/in-process.ts";
import type { Message, Transport } from "../../dap/transport.ts";
import { SondeError } from "../../errors.ts";
import type { Adapter, Connection, Host, LaunchPlan } from "../adapter.ts";
import { endingCalls } from "./callers.ts";
import { type Calls, listenForCalls } from "./calls.ts";
import { speaking } from "./dialect.ts";
import { startProgram, withProgram } from "./program.ts";

export interface Calling<Call> {
  /** For messages: "PHP", "Xdebug". */
  language: string;
  debugger: string;
  connect(socket: Socket): Call;
  /** The DAP adapter of one process. */
  serve(send: (message: Message) => void, call: Call): { receive(message: Message): void; dispose(): void };
  /** Read in every process of the program, whoever starts it. */
  environment(env: Record<string, string>, port: number): Record<string, string>;
  /** Which process has called, and the file it runs. */
  introduce(call: Call): Promise<{ id: string; file: string }>;
}

/** Opens launches and their children. */
export function calling<Call>(how: Calling<Call>) {
  /** Processes that have called and whose session is being opened. */
  const waiting = new Map<string, { call: Call; calls: Calls<Call> }>();

  const serve = (call: Call): Transport =>
    inProcess((end) => {
      const adapter = how.serve((message) => end.send(message), call);
      end.start(
        (message) => adapter.receive(message),
        () => adapter.dispose(),
      );
    });

  async function announce(
    call: Call,
    calls: Calls<Call>,
    askClient: (command: string, args: unknown) => void,
  ): Promise<void> {
    const { id, file } = await how.introduce(call);
    waiting.set(id, { call, calls });
    const configuration = { name: `${basename(file)} (${id})`, call: id };
    askClient("startDebugging", { request: "attach", configuration });
  }

  return {
    child(configuration: Record<string, unknown>): Connection {
      const id = String(configuration.call);
      const found = waiting.get(id);
      waiting.delete(id);
      if (!found) throw new Error("that process is no longer running");
      found.calls.taken(found.call);
      return { transport: serve(found.call), request: "attach", args: {} };
    },

    async launch(plan: LaunchPlan, host: Host): Promise<Connection> {
      const calls = await listenForCalls(how, (socket) => how.connect(socket));
      try {
        const { command, program = "", args, cwd, stopOnEntry, extra } = plan;
        const [first = "", ...rest] = command ?? [host.found.path, program, ...args];
        const env = how.environment(plan.env, calls.port);
        const started = await startProgram(host, { command: first, args: rest, cwd, env }, "the program");
        void started.ended.then(() => calls.close());
        const caller = serve(await calls.first(host, started));
        const transport = endingCalls(withProgram(caller, started), calls);
        const announcing = speaking(transport, {
          requests: {
            configurationDone(_args, wire) {
              // A process that ends before it has said who it is has nothing to be debugged.
              calls.onCall((call) => void announce(call, calls, wire.askClient.bind(wire)).catch(() => {}));
              return undefined;
            },
          },
        });
        return {
          transport: announcing,
          request: "launch",
          args: { stopOnEntry, ...extra },
          stdin: () => started.stdin,
        };
      } catch (error) {
        calls.close();
        throw error;
      }
    },
  };
}

/** What both adapters of this kind can do; `catcher` is the language's word for what catches an exception. */
export function callingCapabilities(catcher: string): DebugProtocol.Capabilities {
  return {
    supportsConfigurationDoneRequest: true,
    supportsFunctionBreakpoints: true,
    supportsConditionalBreakpoints: true,
    supportsHitConditionalBreakpoints: true,
    supportsLogPoints: true,
    supportsEvaluateForHovers: true,
    supportsSetVariable: true,
    supportsSetExpression: true,
    supportsExceptionInfoRequest: true,
    supportsDelayedStackTraceLoading: true,
    supportTerminateDebuggee: true,
    exceptionBreakpointFilters: [
      { filter: "uncaught", label: `Exceptions that no ${catcher} catches`, default: true },
      { filter: "all", label: "All exceptions, when they are thrown" },
    ],
  };
}

/** `open` for a debugger that is there from a program's start or not at all. */
export function fromTheStart(
  { language, type, why }: { language: string; type: string; why: string },
  how: {
    child(configuration: Record<string, unknown>): Connection;
    launch(plan: LaunchPlan, host: Host): Promise<Connection>;
  },
): Adapter["open"] {
  return async (task, host) => {
    if (task.request === "child") return how.child(task.configuration);
    if (task.request === "launch") return how.launch(task.plan, host);
    throw new SondeError("UNSUPPORTED", `a running ${language} program cannot be attached to: ${why}`, {
      hint: advice`start it under sonde: ${call("start", { program: blank(`file${type}`) })}, or ${call("start", { args: [blank("command")] })}`,
    });
  };
}
