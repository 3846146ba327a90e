/**
 * The built-in Node adapter: DAP on one side, CDP on the other. This file decides which part answers a request;
 * `process/` finds, starts and ends programs, `debug/` answers everything about one V8.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Message } from "../../dap/transport.ts";
import { deferred, wait } from "../../util/wait.ts";
import type { ProcessRegistry } from "../adapter.ts";
import { DapEndpoint } from "../kit/dap-endpoint.ts";
import { DEBUG_CAPABILITIES } from "./debug/debugger.ts";
import {
  AttachArguments,
  DisconnectArguments,
  LaunchArguments,
  parseArguments,
  StdinArguments,
} from "./process/arguments.ts";
import { AttachedProgram } from "./process/attached-program.ts";
import { Children } from "./process/children.ts";
import type { Debuggee, DebuggeeHost } from "./process/debuggee.ts";
import { LaunchedProgram } from "./process/launched-program.ts";

export interface NodeAdapterOptions {
  registry: ProcessRegistry;
  /** The client opens its child sessions in this very process, so that it can reach workers too. */
  sharesProcess: boolean;
  log?: (message: string) => void;
}

type Handler = (args: unknown) => Promise<object | undefined>;

/** From a program's death, when its inspector's connection breaks, until its exit is known: it will be, or it may be. */
const END_KNOWN_MS = { surely: 10_000, maybe: 500 };

export class NodeAdapter {
  readonly #dap: DapEndpoint;
  readonly #host: DebuggeeHost;
  readonly #options: NodeAdapterOptions;
  #debuggee: Debuggee | undefined;
  /** The client has left, or is leaving. */
  #leaving: Promise<void> | undefined;
  /** The client has been told that the program ended. */
  readonly #endTold = deferred<void>();

  constructor(send: (message: Message) => void, options: NodeAdapterOptions) {
    this.#options = options;
    this.#dap = new DapEndpoint(send, (command, args) => this.#handle(command, args));
    const log = options.log ?? (() => {});
    this.#host = {
      emit: (event, body) => {
        this.#dap.emit(event, body);
        if (event === "terminated") this.#endTold.resolve();
      },
      log,
      registry: options.registry,
      children: new Children({ request: (command, args) => this.#dap.request(command, args), log }),
    };
  }

  receive(message: Message): void {
    this.#dap.receive(message);
  }

  /** The client is gone without a word: the same as `disconnect`. */
  async dispose(): Promise<void> {
    this.#dap.close();
    await this.#disconnect(undefined).catch((error) => this.#host.log(`while leaving: ${String(error)}`));
  }

  /** Breakpoints being set. */
  readonly #configuring = new Set<Promise<unknown>>();

  readonly #own: Record<string, Handler> = {
    initialize: async (args) => this.#initialize(args as DebugProtocol.InitializeRequestArguments),
    launch: async (args) => {
      const program = new LaunchedProgram(this.#host);
      await this.#begin(program, () => program.start(parseArguments(LaunchArguments, "launch", args)));
      return undefined;
    },
    attach: async (args) => {
      const program = new AttachedProgram(this.#host);
      await this.#begin(program, () => program.start(parseArguments(AttachArguments, "attach", args)));
      return undefined;
    },
    configurationDone: async () => {
      // A client may send all of its configuration at once; the program starts when the last of it is in place.
      await Promise.allSettled(this.#configuring);
      await this.#session("configurationDone").run();
      return undefined;
    },
    terminate: async () => {
      await this.#started("terminate").terminate();
      return undefined;
    },
    disconnect: async (args) => {
      await this.#disconnect(parseArguments(DisconnectArguments, "disconnect", args).terminateDebuggee);
      return undefined;
    },
    "sonde/stdin": async (args) => {
      const { data, eof } = parseArguments(StdinArguments, "sonde/stdin", args);
      const debuggee = this.#started("sonde/stdin");
      if (data !== undefined) await debuggee.write(Buffer.from(data, "base64"));
      if (eof === true) debuggee.endInput();
      return undefined;
    },
  };

  #configure(answer: Promise<unknown>): void {
    this.#configuring.add(answer);
    const done = () => void this.#configuring.delete(answer);
    answer.then(done, done);
  }

  async #handle(command: string, args: unknown): Promise<object | undefined> {
    const own = Object.hasOwn(this.#own, command) ? this.#own[command] : undefined;
    if (own !== undefined) return own(args);
    // Between the end of its program and the end of the command a session has no thread, and that is no failure.
    const debuggee = this.#started(command);
    if (command === "threads" && debuggee.session === undefined) return { threads: [] };
    if (debuggee.session === undefined) await this.#untilEndTold();
    const session = this.#session(command);
    const { requests } = session.debugger;
    const handler = Object.hasOwn(requests, command) ? requests[command] : undefined;
    if (handler !== undefined) {
      const answer = this.#unlessGone(session, handler(args));
      if (/^set.*Breakpoints$/.test(command)) this.#configure(answer);
      return answer;
    }
    if (command === "threads") return { threads: [{ id: 1, name: session.target.title }] };
    throw new Error(`the Node adapter does not support the request "${command}"`);
  }

  /** A request that fails because the program died is answered after the program's end, which explains it. */
  async #unlessGone<T>({ ended }: { ended: Promise<unknown> }, answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      const gone = await wait(ended, { timeoutMs: 0 });
      if (gone.done) await this.#untilEndTold();
      throw error;
    }
  }

  async #untilEndTold(): Promise<void> {
    const timeoutMs = this.#debuggee?.endsWithTarget ? END_KNOWN_MS.surely : END_KNOWN_MS.maybe;
    await wait(this.#endTold.promise, { timeoutMs });
  }

  #initialize(args: DebugProtocol.InitializeRequestArguments | undefined): object {
    const takesChildren = args?.supportsStartDebuggingRequest === true;
    this.#host.children.accept({
      processes: takesChildren,
      workers: takesChildren && this.#options.sharesProcess,
      sharesProcess: this.#options.sharesProcess,
    });
    return {
      ...DEBUG_CAPABILITIES,
      supportsConfigurationDoneRequest: true,
      supportsTerminateRequest: true,
      supportTerminateDebuggee: true,
    };
  }

  async #begin(debuggee: Debuggee, start: () => Promise<void>): Promise<void> {
    if (this.#debuggee !== undefined) throw new Error("this session already has a program");
    this.#debuggee = debuggee;
    await start();
    this.#dap.emit("initialized", {});
  }

  #disconnect(terminate: boolean | undefined): Promise<void> {
    this.#leaving ??= this.#debuggee?.disconnect(terminate) ?? Promise.resolve();
    return this.#leaving;
  }

  #started(command: string): Debuggee {
    if (this.#debuggee === undefined) throw new Error(`"${command}" needs a program: launch or attach first`);
    return this.#debuggee;
  }

  #session(command: string) {
    const { session } = this.#started(command);
    if (session === undefined) throw new Error(`"${command}": there is no running Node process to debug`);
    return session;
  }
}
