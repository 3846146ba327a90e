/**
 * A session: a debugger's conversation about a launch. It holds the program and every worker and child process its adapter reports
 * (its debuggees), and what belongs to all of them: breakpoints, handles, focus. What runs, its processes and its output are the
 * launch's (launch.ts). Moving the program is in running/, looking at it in stack/snapshot.ts.
 */
import type { Adapter, Opening, Task } from "../adapters/adapter.ts";
import { DapClient } from "../dap/client.ts";
import { mapped } from "../dap/mapped.ts";
import { SondeError } from "../errors.ts";
import { Listeners } from "../util/listeners.ts";
import { own } from "../util/own.ts";
import type { BreakpointSpec } from "./breakpoints/breakpoint.ts";
import { Breakpoints } from "./breakpoints/breakpoints.ts";
import { Debuggee, type DebuggeeEvent } from "./debuggee.ts";
import { handshake } from "./handshake.ts";
import type { Conversation, Launch, StateName } from "./launch.ts";
import type { Output } from "./output/output.ts";
import { runInTerminal } from "./processes/terminal.ts";
import { Stops } from "./running/stops.ts";
import { Focus } from "./stack/focus.ts";
import { Frames } from "./stack/frames.ts";
import type { Ending, Stop } from "./state.ts";
import { Transcript } from "./transcript.ts";
import type { Shown } from "./values/activation.ts";
import { Reads } from "./values/reads.ts";
import { Values } from "./values/values.ts";

/** Where to stop, from the program's first moment on. */
export interface Declaration {
  breakpoints: readonly BreakpointSpec[];
  /** Exceptions, each with the adapter's filters for it; the adapter's usual ones if nothing is said. */
  catches?: readonly { name: string; filters: string[] }[];
}

/** Stops that are remembered, to say which came before. */
const MOST_STOPS = 50;

/** What an observer, such as the page, is told of. */
export type SessionChange = "stopped" | "running" | "ended" | "breakpoints";

export class Session implements Conversation {
  readonly launch: Launch;
  readonly breakpoints: Breakpoints;
  readonly values = new Values();
  readonly reads: Reads;
  readonly frames = new Frames((debuggee, stack) => this.reads.ahead(debuggee, stack));
  readonly focus: Focus;
  readonly stops: Stops;
  readonly transcript = new Transcript();
  /** Why a program that was attached to cannot be left running when the session ends; undefined if it can. */
  endsWithIt: () => Promise<string | undefined> = async () => undefined;
  readonly seen = new Map<string, Shown>(); // for the "changed" marks: activation.ts
  readonly peeked = new Map<string, Shown>(); // the same, for an observer
  /** Every stop of any of its debuggees, as it happens. */
  readonly onStopped = new Listeners<Stop>();
  readonly onChange = new Listeners<SessionChange>();
  /** How often it has stopped, and when it last did. */
  stopped = { count: 0, at: 0 };
  /** The last of them. */
  earlierStops: { number: number; at: number; stop: Stop }[] = [];
  /** What is done with each debuggee once it can be spoken to and before it runs. */
  readonly beforeRun = new Set<(debuggee: Debuggee) => Promise<void>>();
  debuggees: Debuggee[] = [];
  #nextId = 1;
  #opened: Promise<unknown> = Promise.resolve();
  #restarting: Promise<void> | undefined;

  constructor(launch: Launch, { breakpoints, catches }: Declaration = { breakpoints: [] }) {
    this.launch = launch;
    launch.conversation = this;
    const { adapter } = launch;
    this.reads = new Reads(adapter.name, launch.unread);
    this.breakpoints = new Breakpoints(
      () => this.debuggees,
      () => this.onChange.emit("breakpoints"),
    );
    this.focus = new Focus(this);
    this.stops = new Stops(this);
    for (const spec of breakpoints) this.breakpoints.declare(spec);
    const usual = adapter.defaultCatches.map((name) => ({
      name,
      filters: own(adapter.catches, name) ?? [name],
    }));
    for (const { name, filters } of catches ?? usual) this.breakpoints.declareCatch(name, filters);
  }

  get name(): string {
    return this.launch.name;
  }

  get adapter(): Adapter {
    return this.launch.adapter;
  }

  get opening(): Opening {
    return this.launch.opening;
  }

  get output(): Output {
    return this.launch.output;
  }

  get core(): string | undefined {
    return this.launch.core;
  }

  get main(): Debuggee | undefined {
    return this.debuggees[0];
  }

  get pid(): number | undefined {
    return this.main?.pid;
  }

  get ended(): Ending | undefined {
    return this.main?.ended;
  }

  get live(): Debuggee[] {
    return this.debuggees.filter((debuggee) => !debuggee.ended);
  }

  get stateName(): StateName {
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
    const { launch } = this;
    const { opening } = launch;
    const task: Task =
      opening.request === "launch" ? { ...opening, plan: { ...opening.plan, env: launch.env() } } : opening;
    try {
      await launch.prepare(signal);
      launch.begin();
      await this.#openDebuggee({ task, label: "main", signal });
    } catch (error) {
      await launch.finish();
      throw error;
    }
  }

  /** The same program again, with the same breakpoints. Asked for twice at once it is done once. */
  restart(signal?: AbortSignal): Promise<void> {
    this.#restarting ??= this.#restart(signal).finally(() => {
      this.#restarting = undefined;
    });
    return this.#restarting;
  }

  async #restart(signal?: AbortSignal): Promise<void> {
    await this.launch.finish();
    if (this.launch.isClosed) throw endedMeanwhile();
    this.launch.renew();
    this.debuggees = [];
    this.focus.reset();
    this.seen.clear();
    this.earlierStops = [];
    this.peeked.clear();
    this.breakpoints.reset();
    this.output.restarted();
    this.launch.notes.renew();
    await this.open(signal);
  }

  async whenRestarted(): Promise<void> {
    await this.#restarting?.catch(() => {}); // told to the one who restarts it
  }

  /** What was read at a stop means nothing once the program has moved or something in it was changed. */
  forget(debuggee: Debuggee): void {
    this.values.drop(debuggee);
    this.frames.drop(debuggee);
    this.reads.drop(debuggee);
  }

  /** Children first: a parent that waits for its child must not see it hang. */
  async leave(detach: boolean): Promise<void> {
    const [main, ...children] = this.debuggees;
    await Promise.all(children.map((child) => this.#leave(child, detach)));
    if (main) await this.#leave(main, detach);
  }

  /** Also after the program's own end: only `disconnect` tells an adapter that it is no longer needed. */
  async #leave(debuggee: Debuggee, detach: boolean): Promise<void> {
    const { client, ended } = debuggee;
    // A place that is still watched would kill the process that we leave: its traps are nobody's.
    if (detach && !ended && !client.isClosed) await this.breakpoints.unwatch(debuggee).catch(() => {});
    if (!client.isClosed) {
      await client
        .request("disconnect", ended ? {} : { terminateDebuggee: !detach }, {
          timeoutMs: this.launch.timeouts.endMs,
        })
        .catch((error: unknown) => this.launch.log(`disconnect: ${String(error)}`));
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
    const { launch, adapter, opening } = this;
    const { timeouts, processes, output } = launch;
    const connection = await adapter.open(how.task, launch.host(how.signal));
    if (launch.isEnding) {
      connection.transport.close();
      throw endedMeanwhile();
    }
    const moved = adapter.mapsPaths ? [] : (opening.plan.pathMap ?? []);
    const client = new DapClient(mapped(connection.transport, moved), {
      requestTimeoutMs: timeouts.requestMs,
      onMessage: (direction, message) => this.transcript.add(direction, message),
      log: (message) => launch.log(message),
    });
    const debuggee = new Debuggee(this.#nextId++, how.label, client, how.parent);
    debuggee.isOf(how.task, processes);
    // No deadline: a program reads its input when it likes.
    const unhurried = { timeoutMs: Number.POSITIVE_INFINITY };
    debuggee.stdin = connection.stdin?.((command, args) => client.requestRaw(command, args, unhurried));
    debuggee.events.add((event) => this.#onEvent(debuggee, event));
    debuggee.gatherInto(output, connection.gather);
    if (connection.endsWithIt) this.endsWithIt = connection.endsWithIt;
    this.debuggees.push(debuggee);
    this.focus.reserve(debuggee);
    client.handle("startDebugging", (args) => this.#openChild(debuggee, args));
    client.handle("runInTerminal", async (args) => {
      refuseOfServer(opening, "run a command");
      return runInTerminal(args, { env: launch.env(), debuggee, processes, output });
    });
    await handshake(client, {
      request: connection.request,
      args: connection.args,
      adapterId: adapter.name,
      initializeMs: timeouts.initializeMs,
      launchMs: connection.launchMs ?? timeouts.launchMs,
      signal: how.signal,
      onCapabilities: (capabilities) => Object.assign(debuggee.capabilities, capabilities),
      onInitialized: () => debuggee.initialized(),
      configure: async () => {
        await this.breakpoints.configure(debuggee);
        for (const ready of this.beforeRun) await ready(debuggee);
      },
    });
    debuggee.configured();
    if (!debuggee.stop) this.onChange.emit("running");
    return debuggee;
  }

  /** Answered before the child is open: the adapter may wait for the answer to go on. */
  async #openChild(
    parent: Debuggee,
    args: { request: "launch" | "attach"; configuration: { [key: string]: unknown } },
  ): Promise<Record<string, never>> {
    if (this.launch.isEnding) throw new SondeError("SESSION_ENDED", "the session is ending");
    if (args.request === "launch") refuseOfServer(this.opening, "start a program");
    const { name } = args.configuration;
    const label = typeof name === "string" && name !== "" ? name : `child ${this.#nextId}`;
    const { request: start, configuration } = args;
    const task: Task = { request: "child", start, configuration, parent: this.opening };
    void this.#openDebuggee({ task, label, parent }).catch((error: unknown) => {
      this.launch.log(`child session ${label}: ${String(error)}`);
      this.launch.notes.add(
        `${label} runs without a debugger: ${error instanceof Error ? error.message : String(error)}`,
        "undebugged",
      );
    });
    return {};
  }

  #onEvent(debuggee: Debuggee, event: DebuggeeEvent): void {
    switch (event.kind) {
      case "output":
        this.launch.append(
          event.category,
          event.text,
          debuggee === this.main ? undefined : debuggee.label,
          event.about,
        );
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
        this.launch.asFound.moved();
        this.forget(debuggee);
        this.onChange.emit("running");
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
    this.stopped = { count: this.stopped.count + 1, at: Date.now() };
    const { count: number, at } = this.stopped;
    this.earlierStops = [...this.earlierStops.slice(1 - MOST_STOPS), { number, at, stop }];
    this.onStopped.emit(stop);
    this.onChange.emit("stopped");
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
      if (!this.launch.isEnding) void this.#leave(debuggee, true);
      this.onChange.emit("running");
      return;
    }
    this.stops.ended(ending);
    this.launch.onEnded.emit(ending);
    this.onChange.emit("ended");
    // Nothing that was started for it outlives the program.
    void this.launch.finish();
  }
}

/** The session about it, if there is one. */
export function sessionOf({ conversation }: Launch): Session | undefined {
  return conversation instanceof Session ? conversation : undefined;
}

function endedMeanwhile(): SondeError {
  return new SondeError("SESSION_ENDED", "the session was ended while it was being opened");
}

/** Who listens at a port that we were sent to is somebody else's, perhaps another machine's: nothing is started here because it says so. */
function refuseOfServer({ request, plan }: Opening, what: string): void {
  if (request === "attach" && plan.port !== undefined)
    throw new SondeError("PERMISSION", `the server at port ${plan.port} may not ${what} on this machine`);
}
