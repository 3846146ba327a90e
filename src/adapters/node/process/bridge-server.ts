/** The private folder with the socket that each Node process of a debugged command calls. */
import { chmodSync, lchownSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { socketFolder } from "../../../util/left-folders.ts";
import { type Bridge, meet } from "./bridge.ts";

const NAME = "s";

export class BridgeServer {
  /** Of the socket. */
  readonly path: string;
  readonly #folder: string;
  readonly #server: Server;
  readonly #log: (message: string) => void;
  #handedOver = 0;

  /** Calls are taken from the start. */
  static async open(
    onBridge: (bridge: Bridge) => void,
    log: (message: string) => void,
  ): Promise<BridgeServer> {
    const bridges = new BridgeServer(onBridge, log);
    await bridges.#listen();
    return bridges;
  }

  private constructor(onBridge: (bridge: Bridge) => void, log: (message: string) => void) {
    this.#log = log;
    this.#folder = socketFolder("node");
    this.path = join(this.#folder, NAME);
    this.#server = createServer((socket) => {
      meet(socket, log).then(onBridge, (error) => log(String(error)));
    });
  }

  /** For a process of another user: only the administrator debugs such, and may open the folder all the same. */
  giveTo(uid: number): void {
    // The folder last: who owns it could put a link in the socket's place.
    for (const path of [this.path, this.#folder]) lchownSync(path, uid, -1);
  }

  /** A place for a socket beside ours. */
  newPath(): string {
    return join(this.#folder, `c${++this.#handedOver}`);
  }

  /** What a process said that could not be debugged. */
  refusals(): string[] {
    try {
      const names = readdirSync(this.#folder).filter((name) => name.startsWith(`${NAME}-refused-`));
      return names.map((name) => readFileSync(join(this.#folder, name), "utf8"));
    } catch {
      return []; // closed
    }
  }

  /** From now on a Node process of the command runs undebugged. */
  close(): void {
    this.#server.close();
    try {
      rmSync(this.#folder, { recursive: true, force: true });
    } catch (error) {
      this.#log(`${this.#folder} stays behind: ${String(error)}`);
    }
  }

  async #listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.path, resolve);
    });
    // The folder is closed to others; this is for those who copy it elsewhere.
    chmodSync(this.path, 0o600);
  }
}
