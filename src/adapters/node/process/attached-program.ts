/** A program that was running before us, or a child that a session of ours found. Never ended because we leave. */
import type { AttachArguments } from "./arguments.ts";
import type { Arrival } from "./arrival.ts";
import { type Attached, attachTarget } from "./attach.ts";
import type { Debuggee, DebuggeeHost } from "./debuggee.ts";
import { identify, type ProcessIdentity, signalProcess, whenGone } from "./pids.ts";
import { type TargetEnd, TargetSession } from "./target-session.ts";

const GONE_MS = 5000;

export class AttachedProgram implements Debuggee {
  readonly #host: DebuggeeHost;
  #attached: Attached | undefined;
  readonly endsWithTarget = true;
  #session: TargetSession | undefined;
  #left = false;

  constructor(host: DebuggeeHost) {
    this.#host = host;
  }

  get session(): TargetSession | undefined {
    return this.#session;
  }

  async start(args: AttachArguments): Promise<void> {
    const attached = await attachTarget(args, this.#host.log);
    this.#attached = attached;
    const { target, program } = attached;
    const identity = identify(target.pid);
    const host = {
      emit: this.#host.emit,
      log: this.#host.log,
      onWorker: (worker: Arrival) => void this.#host.children.offer(worker),
    };
    const session = await TargetSession.start(attached, host, {
      stopOnEntry: args.stopOnEntry,
      ...(program === undefined ? {} : { program }),
      ...(args.justMyCode === undefined ? {} : { justMyCode: args.justMyCode }),
    });
    this.#session = session;
    if (this.#left) await session.leave();
    void session.ended.then((end) => this.#finish(end, identity));
    this.#host.emit("process", {
      name: program ?? target.title,
      systemProcessId: target.pid,
      isLocalProcess: true,
      startMethod: "attach",
    });
  }

  async terminate(): Promise<void> {
    const { kind, pid } = this.#endable();
    if (kind === "worker") throw new Error("a worker ends with its process; terminate that session instead");
    signalProcess(pid, "SIGTERM");
    await this.#session?.letGo();
  }

  async disconnect(terminate: boolean | undefined): Promise<void> {
    this.#left = true;
    const { target, child } = this.#attached ?? {};
    if (terminate === true && child === true && target?.kind === "process")
      signalProcess(target.pid, "SIGTERM");
    await this.#host.children.releaseAll();
    await this.#session?.leave();
  }

  async write(): Promise<void> {
    throw new Error("sonde did not start this program, so its standard input is not available");
  }

  endInput(): void {
    throw new Error("sonde did not start this program, so its standard input is not available");
  }

  #endable() {
    if (this.#attached?.child !== true) {
      throw new Error("sonde did not start this program and will not end it; detach instead");
    }
    return this.#attached.target;
  }

  async #finish(end: TargetEnd, identity: ProcessIdentity): Promise<void> {
    this.#session = undefined;
    void this.#host.children.releaseAll();
    if (!this.#left) {
      if (end.exitCode !== undefined) this.#host.emit("exited", { exitCode: end.exitCode });
      this.#host.emit("terminated", {});
    }
    if (this.#attached?.child !== true || this.#attached.target.kind === "worker") return;
    if (await whenGone(identity, GONE_MS)) this.#host.registry.release(identity.pid);
  }
}
