/**
 * Debuggers inside programs call us on a Unix socket, once for each process: the program first, then whatever it starts or forks.
 * The socket lies in a folder that only its user can enter: there is no secret to keep, and nobody else to check.
 */
import { once } from "node:events";
import { chmodSync, lchownSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { basename, join } from "node:path";
import { StreamTransport } from "../../dap/stream.ts";
import type { Transport } from "../../dap/transport.ts";
import { SondeError } from "../../errors.ts";
import { socketFolder } from "../../util/left-folders.ts";
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
  /** All after the first, also those that have called already. Each waits until it is taken or we are closed. */
  onCaller(listener: (caller: Caller) => void): void;
  /** For a process of another user: only the administrator debugs such, and may open the folder all the same. */
  giveTo(uid: number): void;
  /** Those that nobody has taken run on without us. */
  close(): void;
}

let calls = 0;

/** Have called, and their sessions are being opened. */
const waiting = new Map<string, Caller>();

/** Nothing if it no longer waits. */
export function takeCaller(id: string): Caller | undefined {
  const caller = waiting.get(id);
  waiting.delete(id);
  return caller;
}

/** `language` is for messages, and names the folder. */
export async function listenForCallers(language: string): Promise<Callers> {
  const folder = socketFolder(language.toLowerCase());
  const path = join(folder, "socket");
  const server = createServer();
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove); // a daemon may end before the program's end has been told
  const first = deferred<Caller>();
  const early: Caller[] = [];
  const own = new Set<string>();
  const listen = (caller: Caller) => {
    waiting.set(caller.id, caller);
    own.add(caller.id);
    listener?.(caller);
  };
  let seen: Caller | undefined;
  let taken = false;
  let over = false;
  let listener: ((caller: Caller) => void) | undefined;
  server.on("connection", async (socket) => {
    socket.on("error", () => {}); // until a transport listens
    const caller = await introduced(socket, language);
    if (caller === undefined || over) socket.destroy();
    else if (!seen) {
      seen = caller;
      first.resolve(caller);
    } else if (listener) listen(caller);
    else early.push(caller);
  });
  server.listen(path);
  await once(server, "listening");
  chmodSync(path, 0o600); // the folder is closed to others; this is for those who copy it elsewhere
  return {
    path,
    async first({ timeoutMs, signal }, failed) {
      failed.catch(() => {});
      const result = await wait(Promise.race([first.promise, failed]), { timeoutMs, signal });
      taken = result.done;
      if (result.done) return result.value;
      if (result.why === "aborted")
        throw new SondeError("CANCELLED", `cancelled while ${language} was starting`);
      throw new SondeError("TIMEOUT", `no ${language} program started within ${timeoutMs / 1000} s`);
    },
    onCaller(added) {
      listener = added;
      for (const caller of early.splice(0)) listen(caller);
    },
    giveTo(uid) {
      // The folder last: who owns it could put a link in the socket's place.
      for (const one of [path, folder]) lchownSync(one, uid, -1);
    },
    close() {
      over = true;
      server.close();
      const untaken = [...early.splice(0), ...[...own].map(takeCaller), taken ? undefined : seen];
      for (const caller of untaken) caller?.transport.close();
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

/** Once we have left, nobody is to call: what the program starts from then on runs by itself. */
export function endingCalls(transport: Transport, calls: { close(): void }): Transport {
  return {
    send: (message) => transport.send(message),
    start: (onMessage, onClose) => transport.start(onMessage, onClose),
    close() {
      calls.close();
      transport.close();
    },
  };
}
