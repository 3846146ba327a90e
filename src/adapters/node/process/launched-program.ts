/** A command we started: the first Node process in it is the session, each later one a child, and all of it is ours to end. */
import { lastWords } from "../../../util/last-words.ts";
import { isAlive } from "../../../util/process-facts.ts";
import { deferred, wait } from "../../../util/wait.ts";
import type { LaunchArguments } from "./arguments.ts";
import { type Arrival, processArrival } from "./arrival.ts";
import { bootEnvironment, findBootFile } from "./boot-file.ts";
import type { Bridge } from "./bridge.ts";
import { BridgeServer } from "./bridge-server.ts";
import { type Command, type Exit, startCommand } from "./command.ts";
import { type PreparedCommand, prepareCommand } from "./command-line.ts";
import type { Debuggee, DebuggeeHost } from "./debuggee.ts";
import { identify, lives, type ProcessIdentity, signalProcess, whenGone } from "./pids.ts";
import { TargetSession } from "./target-session.ts";

/** Between asking and killing. */
const GRACE_MS = 500;
const GONE_MS = 5000;

export class LaunchedProgram implements Debuggee {
  readonly #host: DebuggeeHost;
  readonly #first = deferred<Bridge>();
  /** Node processes of the command other than its first process; they may have left its group. */
  readonly #others = new Map<number, ProcessIdentity>();
  #bridges: BridgeServer | undefined;
  #command: Command | undefined;
  #session: TargetSession | undefined;
  #targetPid: number | undefined;
  /** Why a process of it could not be debugged. */
  #refusal: string | undefined;
  #firstSeen = false;
  #finished = false;
  #ending = false;

  constructor(host: DebuggeeHost) {
    this.#host = host;
  }

  get endsWithTarget(): boolean {
    return this.#targetPid === this.#command?.pid;
  }

  get session(): TargetSession | undefined {
    return this.#session;
  }

  /** Resolves when breakpoints can be set; the program has not run a line yet. */
  async start(args: LaunchArguments): Promise<void> {
    const env = args.replaceEnv ? args.env : { ...definedEnvironment(), ...args.env };
    const prepared = await prepareCommand(args, env);
    const command = await this.#spawn(prepared, args.cwd, env);
    // The client may have left while it was being started.
    if (this.#ending) await this.#end();
    const bridge = await Promise.race([this.#first.promise, command.drained.then(() => undefined)]);
    if (bridge === undefined) throw new Error(await this.#noNode(prepared, command, env));
    try {
      await this.#debug(bridge, prepared, args);
    } catch (error) {
      await this.#end();
      throw error;
    }
  }

  async terminate(): Promise<void> {
    if (this.#command === undefined || this.#finished) return;
    this.#command.signal("SIGTERM");
    // A program stopped at a breakpoint cannot run the handler in which it cleans up.
    await this.#session?.letGo();
  }

  async disconnect(terminate: boolean | undefined): Promise<void> {
    if (terminate === false) await this.#leave();
    else await this.#end();
  }

  async write(bytes: Buffer): Promise<void> {
    if (this.#command === undefined) throw new Error("the program has not been started yet");
    await this.#command.write(bytes);
  }

  endInput(): void {
    this.#command?.endInput();
  }

  async #spawn(prepared: PreparedCommand, cwd: string, env: Record<string, string>): Promise<Command> {
    const boot = findBootFile();
    const bridges = await BridgeServer.open((bridge) => this.#onBridge(bridge), this.#host.log);
    this.#bridges = bridges;
    const line = {
      file: prepared.file,
      args: prepared.args,
      cwd,
      env: bootEnvironment(env, boot, bridges.path),
    };
    try {
      const command = await startCommand(line, (category, output) =>
        this.#host.emit("output", { category, output }),
      );
      this.#command = command;
      this.#host.registry.own(command.pid, prepared.title);
      void command.exit.then(() => this.#releaseGroup(command));
      void command.drained.then((exit) => this.#finish(exit));
      return command;
    } catch (error) {
      bridges.close();
      throw error;
    }
  }

  async #noNode({ title, args }: PreparedCommand, command: Command, env: Record<string, string>) {
    const words = [...args, ...(env.NODE_OPTIONS ?? "").split(/\s+/)];
    const refused = words.some((word) => /^--(experimental-)?permission$/.test(word))
      ? "Node's permission model keeps the debugger out (it needs --allow-worker, and --allow-inspector where Node has it)"
      : this.#refusal;
    return describeNoNode(title, await command.exit, command.lastWords, refused);
  }

  async #debug(bridge: Bridge, prepared: PreparedCommand, args: LaunchArguments): Promise<void> {
    const arrival = processArrival(bridge, true);
    const program = prepared.program ?? arrival.program;
    const host = {
      emit: this.#host.emit,
      log: this.#host.log,
      onWorker: (worker: Arrival) => void this.#host.children.offer(worker),
    };
    const session = await TargetSession.start(await arrival.open(), host, {
      stopOnEntry: args.stopOnEntry,
      ...(program === undefined ? {} : { program }),
      ...(args.justMyCode === undefined ? {} : { justMyCode: args.justMyCode }),
    });
    this.#session = session;
    this.#targetPid = bridge.pid;
    void session.ended.then(() => this.#onTargetGone(bridge.pid));
    this.#host.emit("process", {
      name: program ?? prepared.title,
      systemProcessId: bridge.pid,
      isLocalProcess: true,
      startMethod: "launch",
    });
  }

  #onBridge(bridge: Bridge): void {
    if (bridge.pid !== this.#command?.pid) {
      const pid = this.#host.registry.own(bridge.pid, `node ${bridge.script}`.trim());
      if (pid !== undefined) this.#others.set(pid, identify(pid));
      bridge.pid = pid ?? bridge.pid;
    }
    if (this.#firstSeen) void this.#host.children.offer(processArrival(bridge, true), this.#bridges);
    else {
      this.#firstSeen = true;
      this.#first.resolve(bridge);
    }
  }

  /** The command may go on without it: `npm run` has more to do, a shell starts the next program. */
  async #onTargetGone(pid: number): Promise<void> {
    this.#session = undefined;
    if (!this.#finished) this.#host.emit("thread", { reason: "exited", threadId: 1 });
    const identity = this.#others.get(pid);
    if (identity !== undefined && (await whenGone(identity, GONE_MS))) this.#forget(pid);
  }

  #finish(exit: Exit): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#refusal = this.#bridges?.refusals()[0];
    this.#bridges?.close();
    void this.#host.children.releaseAll();
    for (const identity of this.#others.values()) if (!lives(identity)) this.#forget(identity.pid);
    this.#host.emit("exited", {
      exitCode: exit.code,
      ...(exit.signal === undefined ? {} : { signal: exit.signal }),
    });
    this.#host.emit("terminated", {});
  }

  /** What the command left running in its group is still ours. */
  #releaseGroup({ pid }: Command): void {
    if (!isAlive(-pid)) this.#host.registry.release(pid);
  }

  async #end(): Promise<void> {
    this.#ending = true;
    this.#bridges?.close();
    const command = this.#command;
    if (command === undefined) return;
    const others = [...this.#others.values()].filter(lives);
    for (const { pid } of others) signalProcess(pid, "SIGTERM");
    // Not resumed first: code behind the breakpoint the program is stopped at must not run because we leave.
    if (!command.ended || isAlive(-command.pid)) await command.end(GRACE_MS);
    for (const identity of others) if (lives(identity)) signalProcess(identity.pid, "SIGKILL");
    this.#session?.close();
    await this.#host.children.releaseAll();
    await wait(command.drained, { timeoutMs: GRACE_MS });
    this.#forgetAll();
  }

  /** The program goes on, undebugged and no longer ours. */
  async #leave(): Promise<void> {
    this.#bridges?.close();
    await this.#host.children.releaseAll();
    await this.#session?.leave();
    this.#command?.forget();
    this.#forgetAll();
  }

  #forgetAll(): void {
    if (this.#command !== undefined) this.#host.registry.release(this.#command.pid);
    for (const pid of [...this.#others.keys()]) this.#forget(pid);
  }

  #forget(pid: number): void {
    this.#others.delete(pid);
    this.#host.registry.release(pid);
  }
}

function definedEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}

function describeNoNode(title: string, exit: Exit, stderr: string, refused: string | undefined): string {
  const how = exit.signal === undefined ? `with exit code ${exit.code}` : `by ${exit.signal}`;
  const words = lastWords(stderr, "");
  if (refused !== undefined)
    return `\`${title}\` ran without a debugger and ended ${how}: ${refused}${words}`;
  return `\`${title}\` ended ${how} without starting a Node program${words}`;
}
