/**
 * LLDB's server, started by a script of ours in its place. It holds one end of a FIFO open, so that we hear of its death: LLDB
 * itself notices late, and of a program that stands still not at all. For processes that were attached to, relay.entry.cjs is between.
 */
import { execFile } from "node:child_process";
import { chmodSync, closeSync, constants, openSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "../../util/left-folders.ts";
import { ownFile } from "../../util/own-file.ts";
import { shellWord } from "../../util/shell-words.ts";
import { isExecutable } from "../kit/find.ts";

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

export interface Server {
  /** Makes LLDB start the script. */
  env: Record<string, string>;
  /** Calls back when it has begun and died since. */
  watch(onDeath: () => void): void;
  /** It has begun, and no other one will. */
  begun(): void;
  /** It is of no interest any more. */
  close(): void;
}

const NONE: Server = { env: {}, watch: () => {}, begun: () => {}, close: () => {} };

/** Only Linux's debuggers work by a server that writes into the program's code. */
export async function serverOf(lldbDap: string, { relayed }: { relayed: boolean }): Promise<Server> {
  const server = join(dirname(realpathSync(lldbDap)), "lldb-server");
  if (process.platform !== "linux" || !isExecutable(server)) return NONE;
  const folder = temporaryFolder("server");
  try {
    const fifo = join(folder, "life");
    await promisify(execFile)("mkfifo", ["-m", "600", fifo]);
    const relay = relayed ? [process.execPath, ownFile("adapters/lldb/relay.entry.cjs")] : [];
    const script = join(folder, "lldb-server");
    writeFileSync(script, scriptFor(fifo, [...relay, server]));
    chmodSync(script, 0o700);
    return watched(folder, fifo, script);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** On a descriptor that is not the one that LLDB names to its server. The empty line says that it is open. */
function scriptFor(fifo: string, words: string[]): string {
  const [life, ...command] = [fifo, ...words].map(shellWord);
  return `#!/bin/sh
case " $* " in
*"=9 "*|*" 9 "*) exec 8>${life}; echo >&8 ;;
*) exec 9>${life}; echo >&9 ;;
esac
exec ${command.join(" ")} "$@"
`;
}

function watched(folder: string, fifo: string, script: string): Server {
  const reader = new Socket({ fd: openSync(fifo, O_RDONLY | O_NONBLOCK), writable: false });
  reader.on("error", () => {});
  reader.unref();
  /** Without a writer of our own it would end before the server has opened it. */
  let held: number | undefined = openSync(fifo, O_WRONLY | O_NONBLOCK);
  const letGo = () => {
    if (held !== undefined) closeSync(held);
    held = undefined;
  };
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return {
    env: { LLDB_DEBUGSERVER_PATH: script },
    watch(onDeath) {
      reader.once("end", onDeath).on("data", letGo);
    },
    begun: remove,
    close() {
      letGo();
      remove();
      reader.destroy();
    },
  };
}
