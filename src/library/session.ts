/**
 * A program under the debugger, for callers: the name is part of the public API. The engine's own (`session/session.ts`) is imported
 * as `EngineSession` here. Methods that only ask their command are generated from the declarations.
 */

import type { CommandArguments } from "../advice/commands.generated.ts";
import { withProgramInput } from "../client/program-input.ts";
import { SondeError } from "../errors.ts";
import type { Backend } from "./backend.ts";
import type { CommandResults, MoveResult } from "./commands.generated.ts";
import { checkEvent, noEvents, type SessionEvents, subscribe } from "./events.ts";
import type { AttachOptions, CallOptions, LaunchOptions } from "./options.ts";
import { SessionMethods } from "./session-methods.generated.ts";

export type {
  SessionBreakpoints,
  SessionCatches,
  SessionMemory,
  SessionWatches,
} from "./session-methods.generated.ts";

type Commands = keyof CommandArguments;

/** What a session needs to reach its program. */
export interface Reach {
  backend: Backend;
  cwd: string;
  env: Record<string, string>;
}

const GIVEN_UP: ReadonlySet<string> = new Set(["CANCELLED", "TIMEOUT"]);

/** A program under the debugger: started by `launch`, reached by `attach`, or found by its name. `await using` ends it. */
export class Session extends SessionMethods implements AsyncDisposable {
  readonly name: string;
  /** What `launch` or `attach` came to: the first stop, that it still runs, or that it has ended. Not there for one found by name. */
  readonly opened: MoveResult | undefined;
  readonly #reach: Reach;
  readonly #afterwards: () => Promise<void>;
  #over: "stopped" | "detached" | undefined;
  #stopping: Promise<CommandResults["stop"]> | undefined;

  private constructor(
    reach: Reach,
    name: string,
    opened: MoveResult | undefined,
    afterwards: () => Promise<void>,
  ) {
    super((command, args) => this.#ask(command, args));
    this.#reach = reach;
    this.name = name;
    this.opened = opened;
    this.#afterwards = afterwards;
  }

  /** @internal One that is there already; it is not ours to end. */
  static found(reach: Reach, name: string): Session {
    return new Session(reach, name, undefined, async () => {});
  }

  /** @internal `name` must be nobody's: a launch that is given up halfway is ended by it. */
  static async launch(
    reach: Reach,
    name: string,
    options: LaunchOptions,
    afterwards: () => Promise<void>,
  ): Promise<Session> {
    return withProgramInput(options.stdin, (stdin) =>
      Session.#open(reach, name, "start", { ...ownOptions(options), stdin }, options, afterwards),
    );
  }

  /** @internal */
  static async attach(
    reach: Reach,
    name: string,
    options: AttachOptions,
    afterwards: () => Promise<void>,
  ): Promise<Session> {
    return Session.#open(reach, name, "attach", ownOptions(options), options, afterwards);
  }

  static async #open(
    reach: Reach,
    name: string,
    command: "start" | "attach",
    args: Record<string, unknown>,
    options: CallOptions,
    afterwards: () => Promise<void>,
  ): Promise<Session> {
    try {
      const opened = await ask(reach, command, { ...args, name }, options);
      const known = opened.state === "stopped" ? opened.snapshot.session : opened.session;
      return new Session(reach, known, opened, afterwards);
    } catch (thrown) {
      // Given up on its way, it may have come as far as a program; what was refused was never ours to stop.
      if (thrown instanceof SondeError && GIVEN_UP.has(thrown.code))
        await ask(reach, "stop", { session: name }, {}).catch(() => {});
      throw thrown;
    }
  }

  /** Any command, with its arguments by name. */
  call<C extends Commands>(
    command: C,
    args: CommandArguments[C],
    options: CallOptions = {},
  ): Promise<CommandResults[C]> {
    return this.#ask(command, { ...args, ...options });
  }

  /** Tells of every event until the returned function is called. Through the daemon there are none: UNSUPPORTED. */
  on<E extends keyof SessionEvents>(event: E, listener: (event: SessionEvents[E]) => void): () => void {
    this.#checkOpen();
    checkEvent(event);
    const { backend } = this.#reach;
    if (!backend.isHere) throw noEvents(event);
    const session = backend.session(this.name);
    if (!session)
      throw new SondeError("NO_SESSION", `on("${event}"): there is no session ${this.name}`, {
        hint: "it has been stopped, or was never opened here; `sonde.sessions()` lists the open ones",
      });
    return subscribe(session, event, listener);
  }

  /** Ends the session and leaves the program running. */
  override async detach(options?: CallOptions): Promise<CommandResults["detach"]> {
    const answer = await super.detach(options);
    await this.#leave("detached");
    return answer;
  }

  /** Ends the session and everything that was started for it; what was attached to runs on. A second time does nothing. */
  override stop(options?: CallOptions): Promise<CommandResults["stop"]> {
    this.#stopping ??= this.#stop(options).catch((thrown: unknown) => {
      this.#stopping = undefined;
      throw thrown;
    });
    return this.#stopping;
  }

  async #stop(options?: CallOptions): Promise<CommandResults["stop"]> {
    if (this.#over !== undefined) return { ended: [] };
    const answer = await super.stop(options);
    await this.#leave("stopped");
    return answer;
  }

  /** Ends it, if `launch` or `attach` opened it and it has not been ended before. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#over || this.opened === undefined) return;
    await this.stop().catch((error: SondeError) => {
      if (error.code !== "NO_SESSION") throw error; // ended by someone else
      return this.#leave("stopped");
    });
  }

  async #leave(how: "stopped" | "detached"): Promise<void> {
    this.#over = how;
    await this.#afterwards();
  }

  /** The same whether the debugger went with it or not. */
  #checkOpen(): void {
    if (this.#over === undefined) return;
    throw new SondeError("NO_SESSION", `session ${this.name} has been ${this.#over}`, {
      hint: "`launch` or `attach` opens another one; `session.restart()` works only before it is stopped",
    });
  }

  async #ask<C extends Commands>(
    command: C,
    { signal, onText, ...args }: Record<string, unknown> & CallOptions,
  ): Promise<CommandResults[C]> {
    if (args.session !== undefined)
      throw new SondeError("BAD_ARGUMENT", `${command}: this object is the session ${this.name}`, {
        hint: `\`sonde.session(${JSON.stringify(args.session)})\` returns the other one`,
      });
    this.#checkOpen();
    return ask(this.#reach, command, { ...args, session: this.name }, { signal, onText });
  }
}

/** What goes to the command: all but what the call itself is about. */
export function ownOptions(options: object): Record<string, unknown> {
  const { cwd: _, signal: __, onText: ___, ...own } = options as Record<string, unknown>;
  return own;
}

/** Where bytes become types: what a command answers is checked against its schema where the answer is made. */
export async function ask<C extends Commands>(
  { backend, cwd, env }: Reach,
  command: C,
  args: Record<string, unknown>,
  { signal, onText }: CallOptions,
): Promise<CommandResults[C]> {
  return (await backend.call(command, args, { cwd, env, signal, onText })) as CommandResults[C];
}
