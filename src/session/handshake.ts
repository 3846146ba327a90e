/**
 * The opening of a DAP session, in the one order that every adapter accepts: `launch` is sent but not awaited, breakpoints go
 * out once `initialized` has come, and `configurationDone` lets both the program and the launch response go.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { closedError, type DapClient } from "../dap/client.ts";
import { DapRequestError } from "../dap/request-error.ts";
import { SondeError } from "../errors.ts";
import { deferred, wait } from "../util/wait.ts";

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
  const { request, signal } = options;
  try {
    // Requests still in flight after a cancel fail when the session closes the connection.
    const opened = await wait(open(client, options), { signal });
    if (!opened.done) throw new SondeError("CANCELLED", `cancelled during ${request}`);
  } catch (error) {
    throw asLaunchError(error, request);
  }
}

async function open(client: DapClient, options: HandshakeOptions): Promise<void> {
  const initialized = whenInitialized(client);
  try {
    const capabilities = await client.request("initialize", initializeArguments(options.adapterId), {
      timeoutMs: options.initializeMs,
    });
    options.onCapabilities(capabilities ?? {});
    const started = client.requestRaw(options.request, options.args, { timeoutMs: options.launchMs });
    // A failed launch ends the wait for `initialized`; a successful one does not: some adapters answer first.
    const ready = Promise.race([initialized.promise, started.then(() => initialized.promise)]);
    if (!(await wait(ready, { timeoutMs: options.launchMs })).done) throw notInitialized(options.launchMs);
    options.onInitialized();
    await options.configure();
    const done = capabilities?.supportsConfigurationDoneRequest
      ? client.request("configurationDone", {})
      : undefined;
    const [launchResult, doneResult] = await Promise.allSettled([started, done]);
    // When the program cannot be started lldb-dap fails both; only the launch response holds the real reason.
    if (launchResult.status === "rejected") throw launchResult.reason;
    if (doneResult.status === "rejected") throw doneResult.reason;
  } finally {
    initialized.off();
  }
}

/**
 * Also settles when the event can no longer come: nothing else would end a wait for it once the launch was answered. After
 * `terminated` the session closes the connection; until then the launch may still fail with a better reason.
 */
function whenInitialized(client: DapClient): { promise: Promise<void>; off(): void } {
  const { promise, resolve, reject } = deferred<void>();
  promise.catch(() => {}); // the launch's own failure may have been thrown first
  let over = false;
  const offs = [
    client.on("initialized", () => resolve()),
    client.on("terminated", () => {
      over = true;
    }),
  ];
  void client.closed.then((reason) => reject(over ? endedEarly() : closedError("initialized", reason)));
  return {
    promise,
    off: () => {
      for (const off of offs) off();
    },
  };
}

function endedEarly(): SondeError {
  return new SondeError("LAUNCH_FAILED", "the program ended before it could be debugged");
}

function notInitialized(timeoutMs: number): SondeError {
  return new SondeError(
    "TIMEOUT",
    `the debug adapter did not send "initialized" within ${timeoutMs / 1000} s`,
    { details: { event: "initialized", timeoutMs } },
  );
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
    supportsStartDebuggingRequest: true,
    supportsRunInTerminalRequest: true,
    supportsInvalidatedEvent: true,
  };
}

function asLaunchError(error: unknown, request: "launch" | "attach"): unknown {
  if (!(error instanceof DapRequestError)) return error;
  return new SondeError(request === "launch" ? "LAUNCH_FAILED" : "ATTACH_FAILED", error.text, {
    cause: error,
  });
}
