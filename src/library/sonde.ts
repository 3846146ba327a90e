/** The debugger as an object: opens sessions, answers questions about whole runs, ends what it began. */
import { basename, extname, resolve } from "node:path";
import type { CommandArguments } from "../advice/commands.generated.ts";
import { callerCwd, callerEnv } from "../client/environment.ts";
import { withProgramInput } from "../client/program-input.ts";
import { SondeError } from "../errors.ts";
import { closest } from "../util/closest.ts";
import type { Backend } from "./backend.ts";
import type { CommandResults, RuntimeFeedback } from "./commands.generated.ts";
import { feedbackOf, planOf, type RuntimeFeedbackOptions } from "./feedback.ts";
import { inProcess } from "./in-process.ts";
import { cancelled } from "./interruptible.ts";
import { isOptions, onlyKnown } from "./known.ts";
import type {
  AttachOptions,
  CallOptions,
  CrashOptions,
  DiffOptions,
  HangOptions,
  LaunchOptions,
  ProbeOptions,
  RunOptions,
  TestOptions,
  TraceOptions,
} from "./options.ts";
import { ask, ownOptions, type Reach, Session } from "./session.ts";
import { throughDaemon } from "./through-daemon.ts";

export interface SondeOptions {
  /**
   * `"process"` (default): a debugger of its own in this process; it ends with it.
   * `"daemon"`: through the daemon of the command line, which is started if need be; sessions are shared with it.
   */
  mode?: "process" | "daemon" | undefined;
  /** Instead of this process's folder. */
  cwd?: string | undefined;
  /** Instead of this process's environment. */
  env?: Readonly<Record<string, string>> | undefined;
  /** What the engine notes about itself; in mode `"process"`, where there is no log file. */
  log?: ((level: "debug" | "info" | "warn" | "error", message: string) => void) | undefined;
}

const MODES: readonly string[] = ["process", "daemon"];
const FEEDBACK = "cmd stdin watchpoints monitorLocations cwd env adapter build timeouts maxHits".split(" ");

type Shot = "probe" | "trace" | "diff" | "crash" | "hang" | "test";

/** Sessions and questions. `await using` ends what it began. */
export class Sonde implements AsyncDisposable {
  readonly mode: "process" | "daemon";
  readonly #backend: Backend;
  readonly #options: SondeOptions;
  readonly #sessions = new Set<Session>();
  /** There is one session, and nobody else to close the debugger after it. */
  readonly #endWithSession: boolean;
  readonly #openings = new Set<Promise<Session>>();
  #opened = 0;
  #closing = false;

  private constructor(options: SondeOptions, endWithSession: boolean) {
    this.#endWithSession = endWithSession;
    this.mode = options.mode ?? "process";
    this.#options = options;
    this.#backend = this.mode === "daemon" ? throughDaemon() : inProcess(options.log);
  }

  /** @internal */
  static create(options: SondeOptions, { endWithSession = false } = {}): Sonde {
    return new Sonde(options, endWithSession);
  }

  /** Any command, with its arguments by name; what it answers with `--json`. `session` names the one that is meant. */
  async call<C extends keyof CommandArguments>(
    command: C,
    args: CommandArguments[C],
    options: CallOptions & { session?: string | undefined } = {},
  ): Promise<CommandResults[C]> {
    const given: Record<string, unknown> = { ...args };
    if (given.session !== undefined)
      throw new SondeError("BAD_ARGUMENT", "call: `session` belongs in the options, after the arguments", {
        hint: `call(${JSON.stringify(command)}, { … }, { session: ${JSON.stringify(given.session)} })`,
      });
    onlyKnown("call", options, ["session"]);
    return ask(this.#reach(undefined), command, { ...args, session: options.session }, options);
  }

  /** Starts a program, breakpoints in place, and waits for the first stop. */
  async launch(options: LaunchOptions): Promise<Session> {
    isOptions("launch", options);
    if (options.command !== undefined && (options.program ?? options.args) !== undefined)
      throw new SondeError("BAD_ARGUMENT", "launch takes `program` with `args`, or `command`, not both", {
        hint: "`command` is the whole command line, word by word; `program` is a file",
      });
    const reach = this.#reach(options);
    return this.#opening(options.name, options.program ?? options.command?.[0], (name, gone) =>
      Session.launch(reach, name, options, gone),
    );
  }

  /** Attaches to a running process or to a debug server. */
  async attach(options: AttachOptions): Promise<Session> {
    isOptions("attach", options);
    const reach = this.#reach(options);
    return this.#opening(options.name, String(options.pid ?? options.port ?? ""), (name, gone) =>
      Session.attach(reach, name, options, gone),
    );
  }

  /** One that is there already: of the command line, or of another program. It is not ended with this object. */
  session(name: string): Session {
    return Session.found(this.#reach(undefined), name);
  }

  sessions(options: CallOptions = {}): Promise<CommandResults["sessions"]> {
    return this.call("sessions", {}, options);
  }

  /** Runs to a place, looks, ends the program. */
  probe(options: ProbeOptions): Promise<CommandResults["probe"]> {
    return this.#shot("probe", options);
  }

  /** Runs a program to its end and records values at every hit of a line, or whole calls of a function. */
  trace(options: TraceOptions): Promise<CommandResults["trace"]> {
    return this.#shot("trace", options);
  }

  /** Two runs, and where they first part. */
  async diff(options: DiffOptions): Promise<CommandResults["diff"]> {
    isOptions("diff", options);
    return withProgramInput(options.stdinA, (stdinA) =>
      withProgramInput(options.stdinB, (stdinB) =>
        ask(this.#reach(options), "diff", { ...ownOptions(options), stdinA, stdinB }, options),
      ),
    );
  }

  /** Runs a program until it dies, or reads its core file: what of, every frame with its values, all threads. */
  crash(options: CrashOptions): Promise<CommandResults["crash"]> {
    return this.#shot("crash", options);
  }

  /** Why a program does not go on. */
  hang(options: HangOptions): Promise<CommandResults["hang"]> {
    return this.#shot("hang", options);
  }

  /** The failing test of a test run alone under the debugger. */
  test(options: TestOptions): Promise<CommandResults["test"]> {
    return this.#shot("test", options);
  }

  /** Values and backtraces at every hit of some lines of one run, by place as the caller wrote it. */
  async getRuntimeFeedback(options: RuntimeFeedbackOptions): Promise<RuntimeFeedback> {
    onlyKnown("getRuntimeFeedback", options, FEEDBACK);
    return feedbackOf(await this.trace(planOf(options)), options);
  }

  /** Ends every session it opened, and gives up what is under way. The daemon, if that is what it uses, goes on. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#backend.interrupt();
    await Promise.allSettled(this.#openings);
    const open = this.mode === "daemon" ? [...this.#sessions] : []; // an engine ends its own
    const ended = await Promise.allSettled(open.map((session) => session[Symbol.asyncDispose]()));
    await this.#backend.close();
    const failed = ended.find((one) => one.status === "rejected");
    if (failed) throw failed.reason;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #shot<C extends Shot>(command: C, options: RunOptions): Promise<CommandResults[C]> {
    isOptions(command, options);
    return withProgramInput(options.stdin, (stdin) =>
      ask(this.#reach(options), command, { ...ownOptions(options), stdin }, options),
    );
  }

  #reach(call: { cwd?: string | undefined } | undefined): Reach {
    const { cwd = callerCwd(), env = callerEnv() } = this.#options;
    return {
      backend: this.#backend,
      cwd: call?.cwd === undefined ? cwd : resolve(cwd, call.cwd),
      env: { ...env },
    };
  }

  async #opening(
    wanted: string | undefined,
    what: string | undefined,
    open: (name: string, gone: () => Promise<void>) => Promise<Session>,
  ): Promise<Session> {
    const name = wanted === undefined ? this.#ownName(what ?? "session") : await this.#freeName(wanted);
    if (this.#closing) throw cancelled("launch", "this sonde has been closed");
    const opening = open(name, async () => {
      this.#sessions.delete(session);
      if (this.#endWithSession) await this.#backend.close();
    });
    this.#openings.add(opening);
    const session = await opening.finally(() => this.#openings.delete(opening));
    this.#sessions.add(session);
    return session;
  }

  /** Nobody else's, so that a launch that is given up can be ended by it. */
  #ownName(what: string): string {
    const base = basename(what, extname(what)).replace(/[^\p{L}\p{N}._-]+/gu, "-") || "session";
    const count = ++this.#opened;
    const ours = this.mode === "daemon" ? `${base}-${process.pid}` : base;
    return count === 1 ? ours : `${ours}-${count}`;
  }

  async #freeName(wanted: string): Promise<string> {
    const { sessions } = await this.sessions();
    if (sessions.some(({ name, state }) => name === wanted && state !== "terminated"))
      throw new SondeError("BAD_ARGUMENT", `there is already a session called ${wanted}`, {
        hint: "choose another name, or omit it",
      });
    return wanted;
  }
}

/** Does nothing yet: the debugger, or the daemon, is started by the first call that needs it. */
export function createSonde(options: SondeOptions = {}): Sonde {
  onlyKnown("createSonde", options, ["mode", "cwd", "env", "log"]);
  const { mode } = options;
  if (mode !== undefined && !MODES.includes(mode)) {
    const near = closest(String(mode), MODES);
    throw new SondeError("BAD_ARGUMENT", `createSonde has no mode ${JSON.stringify(mode)}`, {
      hint: near === undefined ? 'mode: "process" or "daemon"' : `did you mean "${near}"?`,
    });
  }
  return Sonde.create(options);
}
