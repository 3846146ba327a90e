/** Debuggers inside programs call us on a port of ours, once for each process: the program first, then those it starts. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { SondeError } from "../../errors.ts";
import { isSameUser } from "../../util/same-user.ts";
import { deferred, wait } from "../../util/wait.ts";
import type { Host } from "../adapter.ts";
import { describe, type Program } from "./program.ts";

export interface Calls<Connection> {
  port: number;
  first(host: Host, program: Program): Promise<Connection>;
  /** All after the first. Each is held until it is taken. */
  onCall(listener: (connection: Connection) => void): void;
  taken(connection: Connection): void;
  /** Those that nobody has taken run on without us. */
  close(): void;
}

/** `language` and `debugger` are for messages: "PHP", "Xdebug". */
export async function listenForCalls<Connection>(
  who: { language: string; debugger: string },
  connect: (socket: Socket) => Connection,
): Promise<Calls<Connection>> {
  const server = createServer();
  const first = deferred<Connection>();
  const early: Connection[] = [];
  const untaken = new Map<Connection, Socket>();
  let seen = false;
  let listener: ((connection: Connection) => void) | undefined;
  server.on("connection", (socket) => {
    socket.on("error", () => {});
    if (!isSameUser(socket)) {
      socket.destroy();
      return;
    }
    const connection = connect(socket);
    untaken.set(connection, socket);
    if (!seen) {
      seen = true;
      first.resolve(connection);
    } else if (listener) listener(connection);
    else early.push(connection);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server without a port");
  return {
    port: address.port,
    async first({ timeoutMs, signal }, program) {
      const ended = program.ended.then((end) => {
        throw new SondeError(
          "LAUNCH_FAILED",
          `the program ${describe(end)} before ${who.debugger} connected`,
          {
            hint: `only ${who.language} programs can be debugged this way; run the command without sonde to see its output`,
          },
        );
      });
      ended.catch(() => {});
      const result = await wait(Promise.race([first.promise, ended]), { timeoutMs, signal });
      if (result.done) {
        untaken.delete(result.value);
        return result.value;
      }
      if (result.why === "aborted")
        throw new SondeError("CANCELLED", `cancelled while ${who.language} was starting`);
      throw new SondeError("TIMEOUT", `${who.debugger} did not connect within ${timeoutMs / 1000} s`);
    },
    onCall(added) {
      listener = added;
      for (const connection of early.splice(0)) added(connection);
    },
    taken: (connection) => void untaken.delete(connection),
    close() {
      server.close();
      for (const socket of untaken.values()) socket.destroy();
      untaken.clear();
    },
  };
}
