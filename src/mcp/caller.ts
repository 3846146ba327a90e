/** One connected client: passes its calls on to the daemon and remembers the folder it works in. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { CallResult, Client } from "../client/client.ts";
import { callerCwd } from "../client/environment.ts";
import { asSondeError, SondeError } from "../errors.ts";

export interface Asked {
  tool: string;
  args: Record<string, unknown>;
  signal: AbortSignal;
  /** Told what the command says on the way; absent when nobody listens. */
  onChunk?: (text: string) => void;
}

export class Caller {
  readonly #client: Client;
  /** Names of the tools it has been offered. */
  readonly #offered: readonly string[];
  /** The folder the client's project is in, where it tells. */
  readonly #root: () => Promise<string | undefined>;
  #cwd: string | undefined;

  constructor(client: Client, offered: readonly string[], root: () => Promise<string | undefined>) {
    this.#client = client;
    this.#offered = offered;
    this.#root = root;
  }

  async run({ tool, args: { cwd, ...args }, signal, onChunk }: Asked): Promise<CallResult> {
    const folder = await this.#folder(cwd);
    try {
      return await this.#client.call(tool, args, {
        cwd: folder,
        signal,
        surface: { as: "tool", offered: this.#offered, watched: onChunk !== undefined },
        ...(onChunk ? { onChunk } : {}),
      });
    } catch (thrown) {
      throw cwd === undefined ? this.#kept(thrown) : thrown;
    }
  }

  /** Given once it holds for what follows: a session is found by the folder it was started from. */
  async #folder(cwd: unknown): Promise<string> {
    const root = (await this.#root()) ?? callerCwd();
    const base = this.#cwd ?? root;
    if (cwd === undefined || cwd === null) return base;
    if (typeof cwd !== "string") throw new SondeError("BAD_ARGUMENT", "`cwd`: must be a string");
    // The same words mean the same folder, however often they are said.
    const folders = [resolve(root, cwd), resolve(base, cwd)];
    const folder = folders.find((one) => statSync(one, { throwIfNoEntry: false })?.isDirectory());
    if (folder === undefined)
      throw new SondeError("BAD_ARGUMENT", `cwd: there is no folder ${[...new Set(folders)].join(" or ")}`);
    this.#cwd = folder;
    return folder;
  }

  /** A folder that was given some calls ago is not what the caller thinks of when a file is not there. */
  #kept(thrown: unknown): unknown {
    const { code, message, hint, details, folder } = asSondeError(thrown);
    if (folder === undefined || folder !== this.#cwd) return thrown;
    const kept = "that folder is the `cwd` of an earlier call; pass `cwd` to change it";
    return new SondeError(code, message, {
      hint: hint === undefined ? kept : `${kept}; ${hint}`,
      details,
      cause: thrown,
    });
  }
}
