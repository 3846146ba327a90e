/**
 * A session: what `sonde start` or `sonde attach` opened, under a name. It holds the program and every worker and child process
 * its adapter reports (its debuggees), and what belongs to all of them: breakpoints, output, handles, processes, focus.
 * Moving the program is in running.ts, looking at it in snapshot.ts.
 */
import type { Adapter, FoundAdapter, Host, Opening, Task, Where } from "../adapters/adapter.ts";
import { DapClient } from "../dap/client.ts";
import { mapped } from "../dap/mapped.ts";
import { SondeError } from "../errors.ts";
import { Listeners } from "../util/listeners.ts";
import { Breakpoints } from "./breakpoints/breakpoints.ts";
import { Debuggee, type DebuggeeEvent } from "./debuggee.ts";
import { handshake } from "./handshake.ts";
import { Output, type OutputLimits } from "./output/output.ts";
import { AsFound } from "./processes/as-found.ts";
import type { Guard } from "./processes/guard.ts";
import { startOf } from "./processes/process-start.ts";
import { Processes } from "./processes/processes.ts";
import { runInTerminal } from "./processes/terminal.ts";
import { Stops } from "./running/stops.ts";
import { Focus } from "./stack/focus.ts";
import { Frames } from "./stack/frames.ts";
import type { Ending, Stop } from "./state.ts";
import { Transcript } from "./transcript.ts";
import type { Shown } from "./values/activation.ts";
import { Reads } from "./values/reads.ts";
import { Values } from "./values/values.ts";

export interface Timeouts {
  initializeMs: number;
  launchMs: number;
  requestMs: number;
  /** How long a program gets to end by itself before it is killed. */
  endMs: number;
}

export interface SessionOptions {
  name: string;
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

/** What must be made before each launch (a program that is compiled), and goes when that has ended. */
export interface Preparation {
  begin(say: (note: string) => void, signal?: AbortSignal): Promise<void>;
  finish(): void;
}

export type SessionStateName = "initializing" | "configuring" | "running" | "stopped" | "terminated";

export class Session {
  /** Settled when it is put on the engine's table. */
  name: string;
  readonly adapter: Adapter;
  readonly opening: Opening;
  /** Of this launch: source that changed since is not what runs. */
  startedAt = Date.now();
  readonly breakpoints: Breakpoints;
  readonly output: Output;
  readonly values = new Values();
  readonly reads: Reads;
  readonly frames = new Frames((debuggee, stack) => this.reads.ahead(debuggee, stack));
  readonly focus: Focus;
  readonly stops: Stops;
  /** Of this launch. */
  processes: Processes;
  readonly transcript = new Transcript();
  readonly asFound = new AsFound();
  /** Of a program that was attached to, and cannot be left running: why. */
  endsWithIt: () => Promise<string | undefined> = async () => undefined;
  readonly seen = new Map<string, Shown>(); // for the "changed" marks: activation.ts
  /** Every stop of any of its debuggees, as it happens. */
  readonly onStopped = new Listeners<Stop>();
  readonly onEnded = new Listeners<Ending>();
  debuggees: Debuggee[] = [];
  #options: SessionOptions;
  #nextId = 1;
  /** The end of the present launch. */
  #ending: Promise<void> | undefined;
  /** Somebody has ended the session: nothing is launched in it any more. */
  #closed = false;
  #opened: Promise<unknown> = Promise.resolve();
  #restarting: Promise<void> | undefined;
  /** Once a launch. */
  #prepared: Promise<void> | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.name = options.name;
    this.adapter = options.adapter;
    this.opening = options.opening;
    this.reads = new Reads(options.adapter.name);
    this.output = new Output(options.output);
    this.processes = new Processes(options.guard);
    this.breakpoints = new Breakpoints(() => this.debuggees);
    this.focus = new Focus(this);
    this.stops = new Stops(this);
  }

  get cwd(): string {
    return this.opening.plan.cwd;
  }

  /** The debugger, and where it was looked for: for those who run the program another way. */
  get found(): FoundAdapter {
    return this.#options.found;
  }

  get where(): Where {
    return this.#options.where;
  }

  /** What a dead program left, when that is what is looked at: nothing in it runs. */
  get core(): string | undefined {
    return this.opening.request === "attach" ? this.opening.plan.core : undefined;
  }

  get main(): Debuggee | undefined {
    return this.debuggees[0];
  }

  get ended(): Ending | undefined {
    return this.main?.ended;
  }

  get live(): Debuggee[] {
    return this.debuggees.filter((debuggee) => !debuggee.ended);
  }

  get stateName(): SessionStateName {
    const main = this.main;
    if (!main) return "initializing";
    if (main.ended) return "terminated";
    if (this.debuggees.some((debuggee) => debuggee.stop)) return "stopped";
    return main.state.name;
  }

  /** Starts or attaches, up to the point where the program runs. Breakpoints declared before are in place by then. */
  open(signal?: AbortSignal): Promise<void> {
    const opened = this.#open(signal);
    this.#opened = opened.catch(() => {}); // told to the one who opens it
    return opened;
  }

  /** Its program is there, or will not be. */
  whenOpen(): Promise<unknown> {
    return this.#restarting?.catch(() => {}) ?? this.#opened;
  }

  async #open(signal?: AbortSignal): Promise<void> {
    const { opening } = this;
    const task: Task =
      opening.request === "launch" ? { ...opening, plan: { ...opening.plan, env: this.#env() } } : opening;
    try {
      await this.prepare(signal);
      this.startedAt = startOf(opening) ?? Date.now();
      this.asFound.note(this.opening);
      await this.#openDebuggee({ task, label: "main", signal });
    } catch (error) {
      await this.#finish();
      throw error;
    }
  }

  /** What must be done before the program can run: it may have to be built. Part of `open`. */
  async prepare(signal?: AbortSignal): Promise<void> {
    this.#prepared ??= this.#options.preparation?.begin(
      (note) => this.output.append("important", `${note}\n`),
      signal,
    );
    await this.#prepared;
  }

  /** The same program again, with the same breakpoints. Asked for twice at once it is done once. */
  restart(signal?: AbortSignal): Promise<void> {
    this.#restarting ??= this.#restart(signal).finally(() => {
      this.#restarting = undefined;
    });
    return this.#restarting;
  }

  async #restart(signal?: AbortSignal): Promise<void> {
    await this.#finish();
    if (this.#closed) throw endedMeanwhile();
    this.debuggees = [];
    this.processes = new Processes(this.#options.guard);
    this.focus.reset();
    this.#ending = undefined;
    this.seen.clear();
    this.breakpoints.reset();
    this.output.markShown();
    await this.open(signal);
  }

  /** What was read at a stop means nothing once the program has moved or something in it was changed. */
  forget(debuggee: Debuggee): void {
    this.values.drop(debuggee);
    this.frames.drop(debuggee);
    this.reads.drop(debuggee);
  }

  /** Ends what was launched, leaves what was attached to. Safe to call at any time, any number of times. */
  async end(options: { detach?: boolean } = {}): Promise<void> {
    this.#closed = true;
    // A restart that is under way gives up as soon as it sees that it is no longer wanted.
    await this.#restarting?.catch(() => {});
    await this.#finish(options);
  }

  /** The end of this launch; a restart may follow. */
  #finish(options: { detach?: boolean } = {}): Promise<void> {
    this.#ending ??= this.#end(options.detach ?? this.opening.request === "attach");
    return this.#ending;
  }

  async #end(detach: boolean): Promise<void> {
    if (!detach) this.processes.note();
    // Children first: a parent that waits for its child must not see it hang.
    const [main, ...children] = this.debuggees;
    await Promise.all(children.map((child) => this.#leave(child, detach)));
    if (main) await this.#leave(main, detach);
    const { endMs } = this.#options.timeouts;
    await (detach ? this.processes.leaveAll(endMs) : this.processes.endAll(endMs));
    if (detach) this.asFound.restore();
    this.#options.preparation?.finish();
    this.#prepared = undefined;
  }

  /** Also after the program's own end: only `disconnect` tells an adapter that it is no longer needed. */
  async #leave(debuggee: Debuggee, detach: boolean): Promise<void> {
    const { client, ended } = debuggee;
    // A place that is still watched would kill the process that we leave: its traps are nobody's.
    if (detach && !ended && !client.isClosed) await this.breakpoints.unwatch(debuggee).catch(() => {});
    if (!client.isClosed) {
      await client
        .request("disconnect", ended ? {} : { terminateDebuggee: !detach }, {
          timeoutMs: this.#options.timeouts.endMs,
        })
        .catch((error: unknown) => this.#options.log(`disconnect: ${String(error)}`));
    }
    debuggee.end(detach ? { how: "detached" } : { how: "terminated", why: "ended by sonde" });
    client.close();
  }

  async #openDebuggee(how: {
    task: Task;
    label: string;
    parent?: Debuggee;
    signal?: AbortSignal | undefined;
  }): Promise<Debuggee> {
    const { timeouts } = this.#options;
    const connection = await this.adapter.open(how.task, this.#host(how.signal));
    if (this.#ending || this.#closed) {
      connection.transport.close();
      throw endedMeanwhile();
    }
    const moved = this.adapter.mapsPaths ? [] : (this.opening.plan.pathMap ?? []);
    const client = new DapClient(mapped(connection.transport, moved), {
      requestTimeoutMs: timeouts.requestMs,
      onMessage: (direction, message) => this.transcript.add(direction, message),
      log: this.#options.log,
    });
    const debuggee = new Debuggee(this.#nextId++, how.label, client, how.parent);
    debuggee.isOf(how.task, this.processes);
    // No deadline: a program reads its input when it likes.
    const unhurried = { timeoutMs: Number.POSITIVE_INFINITY };
    debuggee.stdin = connection.stdin?.((command, args) => client.requestRaw(command, args, unhurried));
    debuggee.events.add((event) => this.#onEvent(debuggee, event));
    debuggee.gatherInto(this.output, connection.gather);
    if (connection.endsWithIt) this.endsWithIt = connection.endsWithIt;
    this.debuggees.push(debuggee);
    this.focus.reserve(debuggee);
    client.handle("startDebugging", (args) => this.#openChild(debuggee, args));
    client.handle("runInTerminal", (args) =>
      runInTerminal(args, { env: this.#env(), debuggee, processes: this.processes, output: this.output }),
    );
    await handshake(client, {
      request: connection.request,
      args: connection.args,
      adapterId: this.adapter.name,
      initializeMs: timeouts.initializeMs,
      launchMs: timeouts.launchMs,
      signal: how.signal,
      onCapabilities: (capabilities) => Object.assign(debuggee.capabilities, capabilities),
      onInitialized: () => debuggee.initialized(),
      configure: () => this.breakpoints.configure(debuggee),
    });
    debuggee.configured();
    return debuggee;
  }

  /** For what is launched: with the mark by which it is known. */
  #env(): Record<string, string> {
    const { request, plan } = this.opening;
    return request === "launch" ? this.processes.marked(plan.env) : plan.env;
  }

  #host(signal: AbortSignal | undefined): Host {
    const { found, where, timeouts, log } = this.#options;
    return {
      found,
      where,
      processes: this.processes,
      timeoutMs: timeouts.launchMs,
      signal,
      log,
      say: (text) => this.output.append("console", text),
    };
  }

  /** Answered before the child is open: the adapter may wait for the answer to go on. */
  async #openChild(
    parent: Debuggee,
    args: { request: "launch" | "attach"; configuration: { [key: string]: unknown } },
  ): Promise<Record<string, never>> {
    if (this.#ending) throw new SondeError("SESSION_ENDED", "the session is ending");
    const { name } = args.configuration;
    const label = typeof name === "string" && name !== "" ? name : `child ${this.#nextId}`;
    const { request: start, configuration } = args;
    const task: Task = { request: "child", start, configuration, parent: this.opening };
    void this.#openDebuggee({ task, label, parent }).catch((error: unknown) => {
      this.#options.log(`child session ${label}: ${String(error)}`);
      this.output.append(
        "important",
        `sonde: ${label} runs undebugged: ${error instanceof Error ? error.message : String(error)}\n`,
      );
    });
    return {};
  }

  #onEvent(debuggee: Debuggee, event: DebuggeeEvent): void {
    switch (event.kind) {
      case "output":
        this.output.append(event.category, event.text, debuggee === this.main ? undefined : debuggee.label);
        break;
      case "thread":
        // Numbered as they come, so that the program's first thread is 1 whoever stops first.
        this.focus.threadNumber(debuggee, event.threadId);
        break;
      case "breakpoint":
        this.breakpoints.changed(debuggee, event.body);
        break;
      case "stopped":
        this.#stopped(debuggee, event.stop);
        break;
      case "joined":
        this.#joined(debuggee, event);
        break;
      case "resumed":
        this.asFound.moved();
        this.forget(debuggee);
        break;
      case "ended":
        this.#debuggeeEnded(debuggee, event.ending);
        break;
    }
  }

  #stopped(debuggee: Debuggee, stop: Stop): void {
    this.forget(debuggee);
    this.breakpoints.countAt(stop, this.breakpoints.hit(debuggee, stop.hitBreakpointIds, stop.reason));
    this.stops.arrived(debuggee, stop);
    this.onStopped.emit(stop);
  }

  #joined(
    debuggee: Debuggee,
    { threadId, reason, hitBreakpointIds }: { threadId: number; reason: string; hitBreakpointIds: number[] },
  ): void {
    const hits = this.breakpoints.hit(debuggee, hitBreakpointIds, reason).filter(({ id }) => id > 0);
    const number = this.focus.threadNumber(debuggee, threadId);
    const what = hits.map(({ id, hit }) => `breakpoint ${id} (hit ${hit})`).join(", ") || reason;
    this.breakpoints.tellOther(number, what);
  }

  #debuggeeEnded(debuggee: Debuggee, ending: Ending): void {
    this.forget(debuggee);
    this.focus.forget(debuggee);
    if (debuggee !== this.main) {
      if (!this.#ending) void this.#leave(debuggee, true);
      return;
    }
    this.stops.ended(ending);
    this.onEnded.emit(ending);
    // Nothing that was started for it outlives the program.
    void this.#finish({ detach: this.opening.request === "attach" });
  }
}

function endedMeanwhile(): SondeError {
  return new SondeError("SESSION_ENDED", "the session was ended while it was being opened");
}
