/** Ruby processes call us (boot/boot.rb): the program first, then whatever it starts or forks. */

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
import { describe, type Program } from "../kit/program.ts";

export interface Caller {
  id: string;
  label: string;
  transport: Transport;
}

export interface Callers {
  /** The socket's. Nobody else can reach it: it lies in a folder of ours alone. */
  path: string;
  first(host: Host, program: Program): Promise<Caller>;
  /** All after the first, also those that have called already. */
  onCaller(listener: (caller: Caller) => void): void;
  close(): void;
}

let calls = 0;

export async function listenForCallers(): Promise<Callers> {
  const folder = temporaryFolder("ruby");
  const path = join(folder, "socket");
  const server = createServer();
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove); // a daemon may end before the program's end has been told
  const first = deferred<Caller>();
  const early: Caller[] = [];
  let seen = false;
  let listener: ((caller: Caller) => void) | undefined;
  server.on("connection", async (socket) => {
    socket.on("error", () => {}); // until a transport listens
    const caller = await introduced(socket);
    if (caller === undefined) socket.destroy();
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
    async first(host, program) {
      const ended = program.ended.then((end) => {
        throw new SondeError("LAUNCH_FAILED", `the program ${describe(end)} before its debugger was ready`, {
          hint: "only Ruby programs can be debugged this way; run the command without sonde to see what it says",
        });
      });
      ended.catch(() => {});
      const { timeoutMs, signal } = host;
      const result = await wait(Promise.race([first.promise, ended]), { timeoutMs, signal });
      if (result.done) return result.value;
      if (result.why === "aborted") throw new SondeError("CANCELLED", "cancelled while Ruby was starting");
      throw new SondeError("TIMEOUT", `no Ruby program came up within ${timeoutMs / 1000} s`);
    },
    onCaller(added) {
      listener = added;
      for (const caller of early.splice(0)) added(caller);
    },
    close() {
      server.close();
      process.off("exit", remove);
      remove();
    },
  };
}

/** It says who it is in one line, then waits for our first request. */
async function introduced(socket: Socket): Promise<Caller | undefined> {
  let text = "";
  try {
    for (;;) {
      const [chunk] = (await once(socket, "data")) as [Buffer];
      text += chunk.toString();
      if (text.endsWith("\n")) break;
    }
    const { pid, name } = JSON.parse(text) as { pid: number; name: string };
    return {
      id: `${pid}-${++calls}`,
      label: `${basename(name)} (${pid})`,
      transport: new StreamTransport(socket, socket, { peer: "the Ruby program" }),
    };
  } catch {
    return undefined;
  }
}
