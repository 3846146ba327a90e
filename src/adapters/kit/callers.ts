/**
 * Debuggers inside programs call us on a Unix socket, once for each process: the program first, then whatever it starts or forks.
 * The socket lies in a folder that only its user can enter: there is no secret to keep, and nobody else to check.
 */
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { basename, join } from "node:path";
import { StreamTransport } from "../../dap/stream.ts";
import type { Transport } from "../../dap/transport.ts";
import { SondeError } from "../../errors.ts";
import { temporaryFolder } from "../../util/left-folders.ts";
import { deferred, wait } from "../../util/wait.ts";
import type { Host } from "../adapter.ts";

export interface Caller {
  id: string;
  pid: number;
  label: string;
  transport: Transport;
}

export interface Callers {
  path: string;
  /** `failed` rejects when no call can come any more, and says why. */
  first(host: Pick<Host, "timeoutMs" | "signal">, failed: Promise<never>): Promise<Caller>;
  /** All after the first, also those that have called already. */
  onCaller(listener: (caller: Caller) => void): void;
  close(): void;
}

let calls = 0;

/** `language` is for messages, and names the folder. */
export async function listenForCallers(language: string): Promise<Callers> {
  const folder = temporaryFolder(language.toLowerCase());
  const path = join(folder, "socket");
  const server = createServer();
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove); // a daemon may end before the program's end has been told
  const first = deferred<Caller>();
  const early: Caller[] = [];
  let seen = false;
  let over = false;
  let listener: ((caller: Caller) => void) | undefined;
  server.on("connection", async (socket) => {
    socket.on("error", () => {}); // until a transport listens
    const caller = await introduced(socket, language);
    if (caller === undefined || over) socket.destroy();
    else if (!seen) {
      seen = true;
      first.resolve(caller);
    } else if (listener) listener(caller);
    else early.push(caller);
  });
  server.listen(path);
  await once(server, "listening");
  return {
    path,
    async first({ timeoutMs, signal }, failed) {
      failed.catch(() => {});
      const result = await wait(Promise.race([first.promise, failed]), { timeoutMs, signal });
      if (result.done) return result.value;
      if (result.why === "aborted")
        throw new SondeError("CANCELLED", `cancelled while ${language} was starting`);
      throw new SondeError("TIMEOUT", `no ${language} program came up within ${timeoutMs / 1000} s`);
    },
    onCaller(added) {
      listener = added;
      for (const caller of early.splice(0)) added(caller);
    },
    close() {
      over = true;
      server.close();
      for (const caller of early.splice(0)) caller.transport.close();
      process.off("exit", remove);
      remove();
    },
  };
}

/** It says who it is in one line; what may follow is left for the transport. */
async function introduced(socket: Socket, language: string): Promise<Caller | undefined> {
  try {
    const text = await firstLine(socket);
    const { pid, name } = JSON.parse(text) as { pid: number; name: string };
    return {
      id: `${pid}-${++calls}`,
      pid,
      label: `${basename(name)} (${pid})`,
      transport: new StreamTransport(socket, socket, { peer: `the ${language} program` }),
    };
  } catch {
    return undefined;
  }
}

const LONGEST_LINE = 10_000;

async function firstLine(socket: Socket): Promise<string> {
  let seen: Buffer = Buffer.alloc(0);
  for (;;) {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) {
      if (socket.readableEnded || socket.destroyed || seen.length > LONGEST_LINE)
        throw new Error("no introduction");
      await Promise.race([once(socket, "readable"), once(socket, "close")]);
      continue;
    }
    seen = Buffer.concat([seen, chunk]);
    const end = seen.indexOf("\n");
    if (end < 0) continue;
    if (end + 1 < seen.length) socket.unshift(seen.subarray(end + 1));
    return seen.subarray(0, end).toString();
  }
}
