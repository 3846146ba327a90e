/** One connected client: runs its calls against the daemon and remembers the folder it works in. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { CallResult, Client } from "../client/client.ts";
import { callerCwd } from "../client/environment.ts";
import { asSondeError, SondeError } from "../errors.ts";
import { type Arguments, checked } from "./arguments.ts";
import { chosen } from "./choose.ts";
import type { Call, Tool } from "./tool.ts";

const SECONDS = { least: 5, most: 300, usual: 30 };

export interface Asked {
  tool: Tool;
  args: Record<string, unknown>;
  signal: AbortSignal;
  /** Told what the command says on the way; absent when nobody listens. */
  onChunk?: (text: string) => void;
  /** Told of each command that is run for it. */
  onCommand(command: string): void;
}

export class Caller {
  readonly #client: Client;
  readonly #tools: readonly Tool[];
  /** The folder the client's project is in, where it tells. */
  readonly #root: () => Promise<string | undefined>;
  #cwd: string | undefined;

  constructor(client: Client, tools: readonly Tool[], root: () => Promise<string | undefined>) {
    this.#client = client;
    this.#tools = tools;
    this.#root = root;
  }

  async run({ tool, args: given, signal, onChunk, onCommand }: Asked): Promise<CallResult> {
    // Half of the tools say `action`: whoever means the same here is understood.
    const by = tool.by === "mode" && given.mode === undefined ? "action" : tool.by;
    const { [by]: which, ...rest } = given;
    const action = chosen(tool, which, this.#tools);
    const args = checked(action.name, action, rest);
    const seconds = clamped(args.timeout);
    const cwd = await this.#folder(args);
    const deadline = action.waits ? undefined : AbortSignal.timeout(seconds * 1000);
    const call: Call = {
      cwd,
      seconds,
      asked: args.timeout === undefined ? undefined : seconds,
      watched: onChunk !== undefined,
      ask: (command, more) => {
        onCommand(command);
        return this.#client.call(
          command,
          { ...more, ...(args.session === undefined ? {} : { session: args.session }) },
          {
            cwd,
            signal: deadline ? AbortSignal.any([signal, deadline]) : signal,
            ...(onChunk ? { onChunk } : {}),
          },
        );
      },
    };
    try {
      return await action.run(call, args);
    } catch (thrown) {
      if (!deadline?.aborted || signal.aborted) throw args.cwd === undefined ? this.#kept(thrown) : thrown;
      throw new SondeError("TIMEOUT", `${action.name}: no answer within ${seconds} s`, {
        hint: "`timeout` gives it longer, up to 300 s",
      });
    }
  }

  /** Given once it holds for what follows: a session is found by the folder it was started from. */
  async #folder({ cwd }: Arguments): Promise<string> {
    const root = (await this.#root()) ?? callerCwd();
    const base = this.#cwd ?? root;
    if (cwd === undefined) return base;
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
    const error = asSondeError(thrown);
    if (this.#cwd === undefined || !error.message.endsWith(` in ${this.#cwd}`)) return thrown;
    const { code, message, hint, details } = error;
    const kept = "that folder is the `cwd` of an earlier call; `cwd` with another one changes it";
    return new SondeError(code, message, {
      hint: hint === undefined ? kept : `${kept}; ${hint}`,
      ...(details === undefined ? {} : { details }),
      cause: thrown,
    });
  }
}

function clamped(seconds: number | undefined): number {
  if (seconds === undefined) return SECONDS.usual;
  return Math.min(SECONDS.most, Math.max(SECONDS.least, seconds));
}
