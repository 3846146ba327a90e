/** Starting an adapter's process, owned from its first moment, and reaching it by whichever transport it has. */
import { AdapterProcess, type Command } from "../../dap/process.ts";
import { connectSocket, listenForAdapter } from "../../dap/socket.ts";
import { stdioTransport } from "../../dap/stdio.ts";
import type { Transport } from "../../dap/transport.ts";
import type { Host, Role } from "../adapter.ts";

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

/** It calls us: no port to guess or to read from its output. */
export async function overCallback(
  host: Host,
  command: (address: string) => Command,
  what: string,
): Promise<Started> {
  const listener = await listenForAdapter();
  try {
    const process = await startOwned(host, command(`${listener.host}:${listener.port}`), what);
    const transport = await listener.accept({
      timeoutMs: host.timeoutMs,
      process,
      ...(host.signal === undefined ? {} : { signal: host.signal }),
    });
    return { process, transport };
  } finally {
    listener.close();
  }
}

export function dial(
  host: Host,
  address: { host: string; port: number } | { path: string },
): Promise<Transport> {
  return connectSocket(address, {
    timeoutMs: host.timeoutMs,
    ...(host.signal === undefined ? {} : { signal: host.signal }),
  });
}
