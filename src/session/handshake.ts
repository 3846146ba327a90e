/**
 * The opening of a DAP session, in the one order that every adapter accepts: `launch` is sent but not awaited, breakpoints go
 * out once `initialized` has come, and `configurationDone` lets both the program and the launch response go.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { DapClient } from "../dap/client.ts";
import { DapRequestError } from "../dap/request-error.ts";
import { SondeError } from "../errors.ts";
import { deferred } from "../util/wait.ts";

export interface HandshakeOptions {
  request: "launch" | "attach";
  args: Record<string, unknown>;
  adapterId: string;
  initializeMs: number;
  launchMs: number;
  signal?: AbortSignal | undefined;
  onCapabilities(capabilities: DebugProtocol.Capabilities): void;
  onInitialized(): void;
  /** Breakpoints and exception filters go here. */
  configure(): Promise<void>;
}

export async function handshake(client: DapClient, options: HandshakeOptions): Promise<void> {
  const initialized = deferred<void>();
  const off = client.on("initialized", () => initialized.resolve());
  try {
    const capabilities = await client.request("initialize", initializeArguments(options.adapterId), {
      timeoutMs: options.initializeMs,
      ...(options.signal ? { signal: options.signal } : {}),
    });
    options.onCapabilities(capabilities ?? {});
    const started = client.requestRaw(options.request, options.args, {
      timeoutMs: options.launchMs,
      ...(options.signal ? { signal: options.signal } : {}),
    });
    // A failed launch ends the wait for `initialized`; a successful one does not: some adapters answer first.
    await Promise.race([initialized.promise, started.then(() => initialized.promise)]);
    options.onInitialized();
    await options.configure();
    const done = client.request("configurationDone", {});
    const [launchResult, doneResult] = await Promise.allSettled([started, done]);
    // When the program cannot be started lldb-dap fails both; only the launch response holds the real reason.
    if (launchResult.status === "rejected") throw launchResult.reason;
    if (doneResult.status === "rejected") throw doneResult.reason;
  } catch (error) {
    throw asLaunchError(error, options.request);
  } finally {
    off();
  }
}

function initializeArguments(adapterID: string): DebugProtocol.InitializeRequestArguments {
  return {
    clientID: "sonde",
    clientName: "Sonde",
    adapterID,
    pathFormat: "path",
    linesStartAt1: true,
    columnsStartAt1: true,
    supportsVariableType: true,
    supportsVariablePaging: true,
    supportsMemoryReferences: true,
    supportsRunInTerminalRequest: true,
    supportsStartDebuggingRequest: true,
    supportsInvalidatedEvent: true,
  };
}

function asLaunchError(error: unknown, request: "launch" | "attach"): unknown {
  if (!(error instanceof DapRequestError)) return error;
  return new SondeError(request === "launch" ? "LAUNCH_FAILED" : "ATTACH_FAILED", error.text, {
    cause: error,
  });
}
