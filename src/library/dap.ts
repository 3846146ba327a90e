/** The Debug Adapter Protocol without sessions: a client, and ways to reach an adapter. */
import { AdapterProcess, type Command } from "../dap/process.ts";
import { stdioTransport } from "../dap/stdio.ts";
import type { Transport } from "../dap/transport.ts";

/** An adapter that was started for its standard streams. Ending the process is the caller's. */
export interface StartedAdapter {
  transport: Transport;
  process: AdapterProcess;
}

/** Starts a debug adapter that speaks the protocol on its standard streams. */
export async function startAdapter(command: Command): Promise<StartedAdapter> {
  const process = await AdapterProcess.spawn(command);
  return { transport: stdioTransport(process), process };
}

export type { DebugProtocol } from "@vscode/debugprotocol";
export { type ClientOptions, DapClient, DapRequestError, type RequestOptions } from "../dap/client.ts";
export { AdapterProcess, type Command } from "../dap/process.ts";
export type { Events, Requests, ReverseRequests } from "../dap/protocol.ts";
export {
  type Address,
  type ConnectOptions,
  connectSocket,
  type Listener,
  listenForAdapter,
  type SocketOptions,
} from "../dap/socket.ts";
export { type StreamOptions, StreamTransport } from "../dap/stream.ts";
export type { CloseReason, Message, Transport } from "../dap/transport.ts";
