/** A program under the debugger. Every method answers what its command answers with `--json`. */

import type { CommandArguments } from "../advice/commands.generated.ts";
import { withProgramInput } from "../client/program-input.ts";
import { SondeError } from "../errors.ts";
import type { Backend } from "./backend.ts";
import type { CommandResults, MoveResult } from "./commands.generated.ts";
import { checkEvent, noEvents, type SessionEvents, subscribe } from "./events.ts";
import type { AttachOptions, CallOptions, LaunchOptions, Options } from "./options.ts";
import type { SessionBreakpoints, SessionCatches, SessionMemory, SessionWatches } from "./session-parts.ts";

export type { SessionBreakpoints, SessionCatches, SessionMemory, SessionWatches } from "./session-parts.ts";

type Commands = keyof CommandArguments;

/** What a session needs to reach its program. */
export interface Reach {
  backend: Backend;
  cwd: string;
  env: Record<string, string>;
}

const GIVEN_UP: ReadonlySet<string> = new Set(["CANCELLED", "TIMEOUT"]);

/** A program under the debugger: started by `launch`, reached by `attach`, or found by its name. `await using` ends it. */
export class Session implements AsyncDisposable {
  readonly name: string;
  /** What `launch` or `attach` came to: the first stop, that it still runs, or that it has ended. Not there for one found by name. */
  readonly opened: MoveResult | undefined;
  readonly breakpoints: SessionBreakpoints;
  readonly catches: SessionCatches;
  readonly watches: SessionWatches;
  readonly memory: SessionMemory;
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
    this.#reach = reach;
    this.name = name;
    this.opened = opened;
    this.#afterwards = afterwards;
    this.breakpoints = this.#breakpoints();
    this.catches = {
      add: (filter, options) => this.#ask("catch", { filter, ...options }),
      list: (options) => this.#ask("catch list", { ...options }),
      remove: (id, options) => this.#ask("catch remove", { id, ...options }),
    };
    this.watches = {
      add: (expression, options) => this.#ask("watch", { expression, ...options }),
      info: (expression, options) => this.#ask("watch info", { expression, ...options }),
      list: (options) => this.#ask("watch list", { ...options }),
      remove: (which, options) => this.#ask("watch remove", { ...chosen(which), ...options }),
    };
    this.memory = {
      read: (address, options) => this.#ask("memory read", { address, ...options }),
      write: (address, bytes, options) => this.#ask("memory write", { address, bytes, ...options }),
    };
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

  /** Runs on to the next stop, the end, or `timeout`. */
  continue(options?: Options<"continue">): Promise<CommandResults["continue"]> {
    return this.#ask("continue", { ...options });
  }

  /** To the next line of this function. */
  next(options?: Options<"next">): Promise<CommandResults["next"]> {
    return this.#ask("next", { ...options });
  }

  /** Into the call on this line. */
  step(options?: Options<"step">): Promise<CommandResults["step"]> {
    return this.#ask("step", { ...options });
  }

  /** Out of this function. */
  finish(options?: Options<"finish">): Promise<CommandResults["finish"]> {
    return this.#ask("finish", { ...options });
  }

  /** To a line, once. */
  until(location: string, options?: Options<"until", "location">): Promise<CommandResults["until"]> {
    return this.#ask("until", { location, ...options });
  }

  /** Stops it now. */
  pause(options?: Options<"pause">): Promise<CommandResults["pause"]> {
    return this.#ask("pause", { ...options });
  }

  /** For the next stop, or the end, of a program that runs. */
  wait(options?: Options<"await">): Promise<CommandResults["await"]> {
    return this.#ask("await", { ...options });
  }

  /** The program again from the start, with the same breakpoints. */
  restart(options?: Options<"restart">): Promise<CommandResults["restart"]> {
    return this.#ask("restart", { ...options });
  }

  /** A frame again from its first line, where the debugger can. */
  restartFrame(options?: Options<"restart-frame">): Promise<CommandResults["restart-frame"]> {
    return this.#ask("restart-frame", { ...options });
  }

  /** Where it stands: source, values, stack, new output. */
  context(options?: Options<"context">): Promise<CommandResults["context"]> {
    return this.#ask("context", { ...options });
  }

  source(options?: Options<"source">): Promise<CommandResults["source"]> {
    return this.#ask("source", { ...options });
  }

  backtrace(options?: Options<"backtrace">): Promise<CommandResults["backtrace"]> {
    return this.#ask("backtrace", { ...options });
  }

  /** Looks at another frame; 0 is the innermost. */
  frame(number?: number, options?: CallOptions): Promise<CommandResults["frame"]> {
    return this.#ask("frame", { number, ...options });
  }

  /** To the caller's frame. */
  up(options?: CallOptions): Promise<CommandResults["up"]> {
    return this.#ask("up", { ...options });
  }

  /** To the callee's frame. */
  down(options?: CallOptions): Promise<CommandResults["down"]> {
    return this.#ask("down", { ...options });
  }

  locals(options?: CallOptions): Promise<CommandResults["locals"]> {
    return this.#ask("locals", { ...options });
  }

  /** The arguments of this frame's function. */
  args(options?: CallOptions): Promise<CommandResults["args"]> {
    return this.#ask("args", { ...options });
  }

  scopes(options?: CallOptions): Promise<CommandResults["scopes"]> {
    return this.#ask("scopes", { ...options });
  }

  /** What is inside a value, by its handle (`@v7`). */
  variables(handle: string, options?: Options<"variables", "handle">): Promise<CommandResults["variables"]> {
    return this.#ask("variables", { handle, ...options });
  }

  /** The value of an expression here. */
  print(expression: string, options?: Options<"print", "expression">): Promise<CommandResults["print"]> {
    return this.#ask("print", { expression, ...options });
  }

  /** Runs an expression, which may have effects. */
  evaluate(expression: string, options?: CallOptions): Promise<CommandResults["eval"]> {
    return this.#ask("eval", { expression, ...options });
  }

  /** Gives a variable another value. */
  set(target: string, value: string, options?: CallOptions): Promise<CommandResults["set"]> {
    return this.#ask("set", { target, value, ...options });
  }

  threads(options?: CallOptions): Promise<CommandResults["threads"]> {
    return this.#ask("threads", { ...options });
  }

  /** Looks at another thread. */
  thread(number?: number, options?: CallOptions): Promise<CommandResults["thread"]> {
    return this.#ask("thread", { number, ...options });
  }

  registers(options?: Options<"registers">): Promise<CommandResults["registers"]> {
    return this.#ask("registers", { ...options });
  }

  disassemble(options?: Options<"disassemble">): Promise<CommandResults["disassemble"]> {
    return this.#ask("disassemble", { ...options });
  }

  /** What the program printed. */
  output(options?: Options<"output">): Promise<CommandResults["output"]> {
    return this.#ask("output", { ...options });
  }

  /** A line for the program's standard input; or `{ eof: true }` to close it. */
  input(
    text: string | Options<"input">,
    options?: Options<"input", "text">,
  ): Promise<CommandResults["input"]> {
    return this.#ask("input", typeof text === "string" ? { text, ...options } : { ...text, ...options });
  }

  /** What the debugger can do. */
  capabilities(options?: CallOptions): Promise<CommandResults["capabilities"]> {
    return this.#ask("capabilities", { ...options });
  }

  /** A request of the Debug Adapter Protocol, as it is. */
  request(
    command: string,
    args?: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<CommandResults["request"]> {
    return this.#ask("request", { command, ...(args === undefined ? {} : { arguments: args }), ...options });
  }

  /** Ends the session and leaves the program running. */
  async detach(options?: CallOptions): Promise<CommandResults["detach"]> {
    const answer = await this.#ask("detach", { ...options });
    await this.#leave("detached");
    return answer;
  }

  /** Ends the session and everything that was started for it; what was attached to runs on. A second time does nothing. */
  stop(options?: CallOptions): Promise<CommandResults["stop"]> {
    this.#stopping ??= this.#stop(options).catch((thrown: unknown) => {
      this.#stopping = undefined;
      throw thrown;
    });
    return this.#stopping;
  }

  async #stop(options?: CallOptions): Promise<CommandResults["stop"]> {
    if (this.#over !== undefined) return { ended: [] };
    const answer = await this.#ask("stop", { ...options });
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

  #breakpoints(): SessionBreakpoints {
    return {
      add: (where, options) =>
        this.#ask("breakpoint add", {
          ...(typeof where === "string" ? { location: where } : where),
          ...options,
        }),
      list: (options) => this.#ask("breakpoint list", { ...options }),
      remove: (which, options) => this.#ask("breakpoint remove", { ...chosen(which), ...options }),
      enable: (which, options) => this.#ask("breakpoint enable", { ...chosen(which), ...options }),
      disable: (which, options) => this.#ask("breakpoint disable", { ...chosen(which), ...options }),
    };
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

function chosen(which: number | readonly number[] | "all" | object): Record<string, unknown> {
  if (which === "all") return { all: true };
  if (typeof which === "number") return { ids: [which] };
  return Array.isArray(which) ? { ids: which } : { ...which };
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
