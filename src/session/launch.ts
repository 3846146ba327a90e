/**
 * A launch: what is run (or attached to) under a name, its processes, and what it prints. It knows no debugger's protocol: a recorded
 * run needs none. The conversation with a debugger about it, if there is one, is its session (session.ts).
 */
import { randomBytes } from "node:crypto";
import type { Adapter, FoundAdapter, Host, Opening, Where } from "../adapters/adapter.ts";
import { Listeners } from "../util/listeners.ts";
import { type NoteKind, Notes } from "./output/notes.ts";
import { Output, type OutputLimits } from "./output/output.ts";
import { AsFound } from "./processes/as-found.ts";
import type { Guard } from "./processes/guard.ts";
import { startOf } from "./processes/process-start.ts";
import { Processes } from "./processes/processes.ts";
import type { Ending } from "./state.ts";

export interface Timeouts {
  initializeMs: number;
  launchMs: number;
  requestMs: number;
  /** How long a program gets to end by itself before it is killed. */
  endMs: number;
}

export interface LaunchOptions {
  name: string;
  /** The caller chose the name: then it is this name or none. */
  isNamed?: boolean;
  adapter: Adapter;
  /** Which of the adapters on this machine, and where it looks for what it needs. */
  found: FoundAdapter;
  where: Where;
  opening: Opening;
  guard: Guard;
  timeouts: Timeouts;
  output: OutputLimits;
  log(message: string): void;
  preparation?: Preparation;
}

/** What must be made before each run (a compiled program), and is removed when the run has ended. */
export interface Preparation {
  begin(say: (note: string) => void, signal?: AbortSignal): Promise<void>;
  finish(): void;
}

/** A debugger's conversation about a launch, as far as the launch needs to know: session.ts has it. */
export interface Conversation {
  readonly stateName: StateName;
  readonly ended: Ending | undefined;
  readonly pid: number | undefined;
  /** Resolves when a restart that is under way has finished. */
  whenRestarted(): Promise<unknown>;
  /** Lets go of the program, or has the debugger end it. */
  leave(detach: boolean): Promise<void>;
}

export type StateName = "initializing" | "configuring" | "running" | "stopped" | "terminated";

export class Launch {
  /** Unique, also among other daemons; a name may be used again. */
  readonly id = randomBytes(6).toString("hex");
  /** Settled when it is put on the engine's table. */
  name: string;
  readonly isNamed: boolean;
  readonly adapter: Adapter;
  readonly found: FoundAdapter;
  readonly where: Where;
  readonly opening: Opening;
  readonly timeouts: Timeouts;
  readonly output: Output;
  readonly notes = new Notes();
  /** Values that killed its debugger when they were read in an earlier run (values/lost-reading.ts): no longer read. */
  readonly unread = new Set<string>();
  readonly asFound = new AsFound();
  /** None while it runs without a debugger. */
  conversation: Conversation | undefined;
  /** Of this run only: a restart gets new ones. */
  processes: Processes;
  /** Source files that were changed after this are not what runs. */
  startedAt = Date.now();
  readonly onEnded = new Listeners<Ending>();
  readonly #options: LaunchOptions;
  /** The end of the present run. */
  #ending: Promise<void> | undefined;
  /** Somebody has ended it: nothing is run any more. */
  #closed = false;
  #prepared: Promise<void> | undefined;

  constructor(options: LaunchOptions) {
    this.#options = options;
    this.name = options.name;
    this.isNamed = options.isNamed ?? false;
    this.adapter = options.adapter;
    this.found = options.found;
    this.where = options.where;
    this.opening = options.opening;
    this.timeouts = options.timeouts;
    this.output = new Output(options.output);
    this.processes = new Processes(options.guard);
  }

  get cwd(): string {
    return this.opening.plan.cwd;
  }

  /** The run of the agent that asked for it, if one did (`sonde agent run` marks what it starts). */
  get agentRun(): string | undefined {
    const run = this.opening.plan.env.SONDE_AGENT_RUN;
    return run !== undefined && /^\w{1,80}$/.test(run) ? run : undefined;
  }

  /** What a dead program left, when that is what is looked at: nothing in it runs. */
  get core(): string | undefined {
    return this.opening.request === "attach" ? this.opening.plan.core : undefined;
  }

  get ended(): Ending | undefined {
    return this.conversation?.ended;
  }

  get stateName(): StateName {
    return this.conversation?.stateName ?? (this.pid === undefined ? "initializing" : "running");
  }

  /** The program's own process. */
  get pid(): number | undefined {
    if (this.conversation) return this.conversation.pid;
    if (this.opening.request === "attach") return this.opening.plan.pid;
    return this.processes.list().find(({ role }) => role === "program")?.pid;
  }

  /** No longer wanted, or at its end: what comes late is turned away. */
  get isEnding(): boolean {
    return this.#closed || this.#ending !== undefined;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  log(message: string): void {
    this.#options.log(message);
  }

  /** What came on a stream. What a debugger calls `important` it says to the reader: the program has not printed it. */
  append(category: string, text: string | Buffer, from?: string, about?: NoteKind): void {
    if (category === "important") this.notes.add(String(text), about);
    else this.output.append(category, text, from);
  }

  /** For what is launched: with the mark by which it is known. */
  env(): Record<string, string> {
    const { request, plan } = this.opening;
    return request === "launch" ? this.processes.marked(plan.env) : plan.env;
  }

  /** What an adapter's own functions may reach. */
  host(signal?: AbortSignal): Host {
    const { found, where, processes, timeouts } = this;
    return {
      found,
      where,
      processes,
      timeoutMs: timeouts.launchMs,
      signal,
      log: (message) => this.log(message),
      say: (text) => this.output.append("console", text),
    };
  }

  /** What must be done before the program can run: it may have to be built. Once a run. */
  async prepare(signal?: AbortSignal): Promise<void> {
    this.#prepared ??= this.#options.preparation?.begin((note) => this.notes.add(note), signal);
    await this.#prepared;
  }

  /** It is about to run. */
  begin(): void {
    this.startedAt = startOf(this.opening) ?? Date.now();
    this.asFound.note(this.opening);
  }

  /** Ends what was launched, leaves what was attached to. Safe to call at any time, any number of times. */
  async end(options: { detach?: boolean } = {}): Promise<void> {
    this.#closed = true;
    // A restart that is under way gives up as soon as it sees that it is no longer wanted.
    await this.conversation?.whenRestarted();
    await this.finish(options);
  }

  /** The end of this run; another may follow. */
  finish(options: { detach?: boolean } = {}): Promise<void> {
    this.#ending ??= this.#end(options.detach ?? this.opening.request === "attach");
    return this.#ending;
  }

  /** Ready to run once more. */
  renew(): void {
    this.processes = new Processes(this.#options.guard);
    this.#ending = undefined;
  }

  async #end(detach: boolean): Promise<void> {
    if (!detach) this.processes.note();
    await this.conversation?.leave(detach);
    const { endMs } = this.timeouts;
    await (detach ? this.processes.leaveAll(endMs) : this.processes.endAll(endMs));
    if (detach) this.asFound.restore();
    this.#options.preparation?.finish();
    this.#prepared = undefined;
  }
}
