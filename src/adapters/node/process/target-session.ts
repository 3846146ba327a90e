/** One target while it is debugged: its debugger, the workers it starts, and how it comes to its end. */
import { wait } from "../../../util/wait.ts";
import { type DebuggerHost, type DebuggerOptions, TargetDebugger } from "../debug/debugger.ts";
import { type Arrival, type OpenTarget, type WorkerAttached, workerArrival } from "./arrival.ts";
import { letRun, run } from "./run.ts";

const LAST_QUESTION_MS = 200;
const LET_GO_MS = 300;
/** A number that no request of a worker's own session has; nobody waits for the answer. */
const LAST_REQUEST = 1_000_000_000;

export interface TargetHost extends DebuggerHost {
  /** A worker turned up inside this target. */
  onWorker(arrival: Arrival): void;
}

export interface TargetEnd {
  /** Known only when the program said so itself, by process.exit() or an uncaught exception. */
  exitCode?: number;
}

export class TargetSession {
  readonly debugger: TargetDebugger;
  /** The target is gone, or we have left it. */
  readonly ended: Promise<TargetEnd>;
  readonly #opened: OpenTarget;
  readonly #host: TargetHost;
  readonly #workers = new Set<string>();
  #ran = false;
  #exitCode: number | undefined;

  static async start(opened: OpenTarget, host: TargetHost, options: DebuggerOptions): Promise<TargetSession> {
    const session = new TargetSession(opened, host, options);
    try {
      await session.#enable();
    } catch (error) {
      await session.leave();
      throw error;
    }
    return session;
  }

  private constructor(opened: OpenTarget, host: TargetHost, options: DebuggerOptions) {
    this.#opened = opened;
    this.#host = host;
    this.debugger = new TargetDebugger(opened.target, host, options);
    this.ended = opened.target.cdp.closed.then(() =>
      this.#exitCode === undefined ? {} : { exitCode: this.#exitCode },
    );
  }

  get target() {
    return this.#opened.target;
  }

  async run(): Promise<void> {
    this.#ran = true;
    this.#host.emit("thread", { reason: "started", threadId: 1 });
    await this.debugger.run();
    // Attached to `node --inspect-wait`, nothing says that it waits; the order does no harm otherwise.
    if (!this.target.waiting) await run(this.target);
  }

  /** Leaves the target, running. */
  async leave(): Promise<void> {
    const { target, close } = this.#opened;
    const disposed = await wait(
      this.debugger.dispose().catch(() => {}),
      { timeoutMs: LET_GO_MS },
    );
    for (const sessionId of this.#workers) this.#runWorker(sessionId);
    if (target.waiting && !this.#ran) await letRun(target);
    close(!disposed.done);
  }

  /** It is about to be ended: no breakpoint may keep it from hearing the signal and cleaning up. */
  async letGo(): Promise<void> {
    const { cdp } = this.target;
    const steps = [
      cdp.send("Debugger.setSkipAllPauses", { skip: true }),
      cdp.send("Debugger.resume", {}),
      cdp.send("Runtime.runIfWaitingForDebugger"),
    ];
    await wait(Promise.allSettled(steps), { timeoutMs: LET_GO_MS });
  }

  close(): void {
    this.#opened.close();
  }

  async #enable(): Promise<void> {
    const { cdp, kind } = this.target;
    if (kind === "worker") {
      // It ends by being detached, and workers it starts are reported by its process. Asked to announce that it waits for
      // our leave, as a process is, it would never end.
      return this.debugger.enable();
    }
    this.#watchEnd();
    cdp.onRaw("NodeWorker.attachedToWorker", (params) => {
      this.#workers.add((params as WorkerAttached).sessionId);
      this.#host.onWorker(workerArrival(this.target, params as WorkerAttached, this.#host.log));
    });
    await this.debugger.enable();
    await Promise.all([
      this.#opened.holdsExit === true
        ? cdp.sendRaw("NodeRuntime.notifyWhenWaitingForDisconnect", { enabled: true })
        : undefined,
      cdp.sendRaw("NodeWorker.enable", { waitForDebuggerOnStart: true }),
    ]).catch((error) => this.#host.log(`${this.target.title}: ${String(error)}`));
  }

  /** One that was offered to the client may still wait for a debugger, which now cannot reach it any more. */
  #runWorker(sessionId: string): void {
    const message = JSON.stringify({ id: LAST_REQUEST, method: "Runtime.runIfWaitingForDebugger" });
    this.target.cdp.sendRaw("NodeWorker.sendMessageToWorker", { sessionId, message }).catch(() => {});
  }

  #watchEnd(): void {
    const { cdp } = this.target;
    cdp.onRaw("Sonde.exiting", (params) => {
      this.#exitCode = (params as { exitCode?: number }).exitCode;
    });
    let main: number | undefined;
    cdp.on("Runtime.executionContextCreated", ({ context }) => {
      main ??= context.id;
    });
    cdp.on("Runtime.executionContextDestroyed", ({ executionContextId }) => {
      if (executionContextId === main) this.close();
    });
    cdp.onRaw("NodeRuntime.waitingForDisconnect", () => void this.#askExitCode().finally(() => this.close()));
  }

  async #askExitCode(): Promise<void> {
    const asked = this.target.cdp.send("Runtime.evaluate", {
      expression: "process.exitCode",
      returnByValue: true,
      silent: true,
    });
    const answer = await wait(
      asked.catch(() => undefined),
      { timeoutMs: LAST_QUESTION_MS },
    );
    const code: unknown = answer.done ? answer.value?.result.value : undefined;
    if (typeof code === "number") this.#exitCode = code;
  }
}
