/** Starting an adapter's process, owned from its first moment, and reaching it by whichever transport it has. */
import { rmSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { AdapterProcess, type Command } from "../../dap/process.ts";
import { connectSocket, listenAt, listenForAdapter } from "../../dap/socket.ts";
import { stdioTransport } from "../../dap/stdio.ts";
import type { Transport } from "../../dap/transport.ts";
import { temporaryFolder } from "../../util/left-folders.ts";
import type { Host, ProcessRegistry, Role } from "../adapter.ts";

export interface Started {
  process: AdapterProcess;
  transport: Transport;
}

export async function startOwned(
  host: Host,
  command: Command,
  what: string,
  role: Role = "adapter",
): Promise<AdapterProcess> {
  const process = await AdapterProcess.spawn(command, what);
  const { pid } = process;
  if (pid !== undefined) {
    host.processes.own(pid, what, role);
    void process.ended.then(() => host.processes.release(pid));
  }
  return process;
}

/** It speaks DAP on its stdin and stdout. */
export async function overStdio(host: Host, command: Command, what: string): Promise<Started> {
  const process = await startOwned(host, command, what);
  return { process, transport: stdioTransport(process) };
}

/** Told of its process and its connection as soon as it has called. */
export type OnCall = (process: AdapterProcess, socket: Socket) => void;

/** It calls us: no port to guess or to read from its output. */
export async function overCallback(
  host: Host,
  command: (address: string) => Command,
  what: string,
  onCall?: OnCall,
): Promise<Started> {
  const listener = await listenForAdapter();
  return called(host, listener, command(`${listener.host}:${listener.port}`), what, onCall);
}

/** The same for one that can call a Unix socket, `unix:<path>`. */
export async function overPathCallback(
  host: Host,
  command: (address: string) => Command,
  what: string,
  onCall?: OnCall,
): Promise<Started> {
  const folder = temporaryFolder("dap");
  try {
    const path = join(folder, "socket");
    if (Buffer.byteLength(path) > LONGEST_SOCKET_PATH) return await overCallback(host, command, what, onCall);
    return await called(host, await listenAt(path), command(`unix:${path}`), what, onCall);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The system's limits are 104 to 108 bytes, and what is longer is cut without a word. */
const LONGEST_SOCKET_PATH = 100;

async function called(
  host: Host,
  listener: Awaited<ReturnType<typeof listenAt>>,
  command: Command,
  what: string,
  onCall?: OnCall,
): Promise<Started> {
  try {
    const process = await startOwned(host, command, what);
    const transport = await listener.accept({
      timeoutMs: host.timeoutMs,
      process,
      ...(onCall === undefined ? {} : { connected: (socket) => onCall(process, socket) }),
      ...(host.signal === undefined ? {} : { signal: host.signal }),
    });
    return { process, transport };
  } finally {
    listener.close();
  }
}

/** Ports that adapters of a session listen on: a child session is another connection to the same server. */
const servers = new WeakMap<ProcessRegistry, number>();

/** It listens on a port that we choose. */
export async function overItsPort(
  host: Host,
  isChild: boolean,
  command: (port: number) => Command,
  what: string,
): Promise<Transport> {
  const address = "127.0.0.1";
  const server = servers.get(host.processes);
  if (isChild && server !== undefined) return dial(host, { host: address, port: server });
  const listener = await listenForAdapter(); // only to be given a free port
  listener.close();
  const { port } = listener;
  const process = await startOwned(host, command(port), what);
  servers.set(host.processes, port);
  return dial(host, { host: address, port }, { retry: true, process });
}

export function dial(
  host: Host,
  address: { host: string; port: number } | { path: string },
  starting: { retry?: boolean; process?: AdapterProcess } = {},
): Promise<Transport> {
  return connectSocket(address, {
    ...starting,
    timeoutMs: host.timeoutMs,
    ...(host.signal === undefined ? {} : { signal: host.signal }),
  });
}
