/**
 * One DAP connection and the program (or worker, or child process) behind it. Turns the adapter's events into state and
 * tells its session. Owns no breakpoints, output or focus: those belong to the session, which may hold several debuggees.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { StdinRoute, Task } from "../adapters/adapter.ts";
import type { DapClient } from "../dap/client.ts";
import type {
  About,
  WithAbout,
  WithBytes,
  WithFailedConditions,
  WithRan,
  WithTakenFrames,
} from "../dap/refused-part.ts";
import { Listeners } from "../util/listeners.ts";
import { isEnding } from "../util/process-facts.ts";
import { wait } from "../util/wait.ts";
import type { Output } from "./output/output.ts";
import { Pulse } from "./processes/died.ts";
import type { Processes } from "./processes/processes.ts";
import { advance, type Ending, type State, type Stop } from "./state.ts";

export type DebuggeeEvent =
  | { kind: "stopped"; stop: Stop }
  /** Another thread has reached a stop of its own while the program is already stopped. */
  | { kind: "joined"; threadId: number; reason: string; hitBreakpointIds: number[] }
  | { kind: "resumed" }
  | { kind: "ended"; ending: Ending }
  | { kind: "output"; category: string; text: string | Buffer; about?: About | undefined }
  | { kind: "thread"; threadId: number }
  | { kind: "breakpoint"; body: DebugProtocol.BreakpointEvent["body"] };

/** Output categories that are the adapter talking about itself. */
const NOT_PROGRAM_OUTPUT = new Set(["telemetry"]);

/** Events that we know but do not use: they are not logged as unknown. */
const NOT_NEEDED = ["module", "loadedSource", "progressStart", "progressUpdate", "progressEnd"] as const;

/** How long to wait for the end of the streams: a process that the program left behind may hold them open. */
const DRAIN_MS = 500;

export class Debuggee {
  readonly id: number;
  readonly client: DapClient;
  readonly parent: Debuggee | undefined;
  readonly events = new Listeners<DebuggeeEvent>();
  label: string;
  pid: number | undefined;
  /** What it runs, as the adapter names it: mostly a path. */
  program: string | undefined;
  stdin: StdinRoute | undefined;
  capabilities: DebugProtocol.Capabilities = {};
  /** As last heard, by the adapter's ids. */
  threadNames = new Map<number, string>();
  /** The program's own streams, where they are ours to read: the program's end is reported only when both have been read to their end. */
  streams: Promise<void> | undefined;
  #state: State = { name: "initializing" };
  #epoch = 0;
  #exit: { exitCode?: number; signal?: string } | undefined;
  #pausing = false;
  /** The breakpoints at which each thread was reported to be, at this stop of the program and at the one before. */
  #standing = new Map<number, string>();
  #stood = new Map<number, string>();
  #pulse: Pulse | undefined;
  /** From the pid that a process reports to the one it has here: in a container they differ. */
  #pidOf: (said: number) => number | undefined = (said) => said;

  constructor(id: number, label: string, client: DapClient, parent?: Debuggee) {
    this.id = id;
    this.label = label;
    this.client = client;
    this.parent = parent;
    this.#subscribe();
  }

  isOf(task: Task, processes: Processes): void {
    // Not every debugger says which process it was told to attach to.
    if (task.request === "attach") this.pid = task.plan.pid;
    this.#pidOf = (said) => (task.request === "attach" && task.plan.pid) || processes.here(said);
  }

  get state(): State {
    return this.#state;
  }

  get stop(): Stop | undefined {
    return this.#state.name === "stopped" ? this.#state.stop : undefined;
  }

  get ended(): Ending | undefined {
    return this.#state.name === "terminated" ? this.#state.ending : undefined;
  }

  /** Whoever reads the output reads all that there is by then. */
  gatherInto(output: Output, gather: ((pid: number) => void) | undefined): void {
    if (gather === undefined) return;
    const leave = output.beforeRead(() => {
      if (this.pid !== undefined && this.#state.name !== "terminated") gather(this.pid);
    });
    void this.client.closed.then(leave);
  }

  initialized(): void {
    this.#state = advance(this.#state, { on: "initialized" });
  }

  configured(): void {
    this.#state = advance(this.#state, { on: "configured" });
  }

  /** The last move was a step over: it can end in the same frame or in a caller of it, never deeper. */
  steppedOver = false;

  /**
   * Called before the resuming request is sent, so that a stop which overtakes the response is seen as a new one. `step`: of one
   * thread; the others may stand where they stood.
   */
  resumed(how: { over?: boolean; step?: boolean } = {}): void {
    if (this.#state.name !== "stopped") return;
    this.steppedOver = how.over === true;
    this.#stood = how.step ? this.#standing : new Map();
    this.#standing = new Map();
    this.#state = advance(this.#state, { on: "resumed" });
    this.events.emit({ kind: "resumed" });
  }

  /** The resuming request failed: the program is where it was. */
  resumeFailed(stop: Stop): void {
    if (this.#state.name === "running") this.#state = { name: "stopped", stop };
  }

  /** Some adapters report a requested pause as a signal or an exception. */
  pauseRequested(): void {
    this.#pausing = true;
  }

  /** Its process is no more, whatever its debugger knows. */
  hasDied(): boolean {
    if (this.pid === undefined) return false;
    if (this.#pulse?.pid !== this.pid) {
      this.#pulse?.close();
      this.#pulse = new Pulse(this.pid);
    }
    return this.#pulse.hasDied();
  }

  end(ending: Ending): void {
    if (this.#state.name === "terminated") return;
    this.#pulse?.close();
    this.#state = advance(this.#state, { on: "ended", ending });
    this.events.emit({ kind: "ended", ending });
  }

  #subscribe(): void {
    const { client } = this;
    client.on("stopped", (body) => this.#stopped(body));
    client.on("continued", () => this.resumed());
    client.on("exited", (body) => {
      const { exitCode, signal } = body as { exitCode?: unknown; signal?: unknown };
      this.#exit = {
        ...(typeof exitCode === "number" ? { exitCode } : {}),
        ...(typeof signal === "string" ? { signal } : {}),
      };
      const ending = this.ended;
      if (ending && ending.exitCode === undefined) Object.assign(ending, this.#exit);
    });
    client.on("terminated", () => void this.#terminated());
    client.on("process", (body) => {
      const { systemProcessId: said } = body;
      if (said !== undefined) this.pid = this.#pidOf(said);
      this.program = body.name;
    });
    client.on("capabilities", (body) => Object.assign(this.capabilities, body.capabilities));
    client.on("thread", (body) => {
      this.threadNames.delete(body.threadId);
      if (body.reason === "started") this.events.emit({ kind: "thread", threadId: body.threadId });
    });
    for (const event of NOT_NEEDED) client.on(event, () => {});
    client.on("breakpoint", (body) => this.events.emit({ kind: "breakpoint", body }));
    client.on("output", (body) => {
      const category = body.category ?? "console";
      if (NOT_PROGRAM_OUTPUT.has(category)) return;
      const { bytes, about } = body as WithBytes & WithAbout;
      this.events.emit({ kind: "output", category, text: bytes ?? body.output, about });
    });
    void client.closed.then((reason) => {
      const why = reason.stderr ? `${reason.why}\n${reason.stderr}` : reason.why;
      this.end(this.#exit ? { how: "exited", ...this.#exit } : { how: "failed", why });
    });
  }

  async #terminated(): Promise<void> {
    if (this.streams) await wait(this.streams, { timeoutMs: DRAIN_MS });
    if (this.#exit) this.end({ how: "exited", ...this.#exit });
    // Of a process that was attached to nobody learns more: how it ended is for its parent to know.
    else this.end({ how: "terminated", ...this.#gone() });
  }

  #gone(): Pick<Ending, "why"> {
    const { pid } = this;
    return pid !== undefined && isEnding(pid) ? { why: `process ${pid} has ended` } : {};
  }

  #stopped(body: DebugProtocol.StoppedEvent["body"]): void {
    if (this.#state.name === "terminated") return;
    const { threadId, hitBreakpointIds = [] } = body;
    const { failedConditions, framesTaken } = body as WithFailedConditions & WithTakenFrames;
    if (threadId !== undefined) this.#standing.set(threadId, String(hitBreakpointIds));
    if (this.#state.name === "stopped" && body.preserveFocusHint && threadId !== undefined) {
      // One that a step of another thread left where it was is reported again by some adapters.
      if ((body as WithRan).ran || this.#stood.get(threadId) !== String(hitBreakpointIds))
        this.events.emit({ kind: "joined", threadId, reason: body.reason, hitBreakpointIds });
      return;
    }
    const asked = this.#pausing && !["breakpoint", "step", "entry"].includes(body.reason);
    this.#pausing = false;
    const stop: Stop = {
      epoch: ++this.#epoch,
      reason: asked ? "pause" : body.reason,
      allThreadsStopped: body.allThreadsStopped ?? false,
      hitBreakpointIds,
      hits: [],
      ...(body.description === undefined ? {} : { description: body.description }),
      ...(body.text === undefined ? {} : { text: body.text }),
      ...(failedConditions === undefined ? {} : { failedConditions }),
      ...(framesTaken ? { framesTaken } : {}),
      ...(threadId === undefined ? {} : { threadId }),
    };
    this.#state = advance(this.#state, { on: "stopped", stop });
    this.events.emit({ kind: "stopped", stop });
  }
}
