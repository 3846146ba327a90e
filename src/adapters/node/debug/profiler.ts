/**
 * Profiles of one V8, for `sonde/profile`: started and stopped by request, and told as an event `sonde/profile` if the program ends before it
 * is stopped (the bridge asks V8 at that moment). What the event or the answer holds is V8's own profile, and where the maps of its scripts are.
 */
import { randomBytes } from "node:crypto";
import type { Target } from "../target.ts";
import type { DebuggerHost } from "./host.ts";
import { DapError } from "./host.ts";
import type { Scripts } from "./scripts.ts";
import { WholeFile } from "./whole-file.ts";

export interface ProfileArguments {
  do: "start" | "stop" | "snapshot";
  kind: "cpu" | "heap";
  /** Microseconds between samples, or bytes. */
  interval?: number;
  /** Nothing stops it: not a breakpoint, not `debugger`. */
  skipPauses?: boolean;
  /** Of a snapshot: where it goes. */
  file?: string;
}

/** By which its time at the end of a worker is known as ours. */
export const EXIT_URL = "sonde-exit:";

/** Waits while V8 answers us: it does so between the steps of the wait. */
const exitHook = (name: string) => `{
  const tell = globalThis.${name};
  const hook = () => {
    tell.off();
    tell.done = new Int32Array(new SharedArrayBuffer(4));
    const pause = new Int32Array(new SharedArrayBuffer(4));
    globalThis.${name} = tell;
    tell("");
    for (let turn = 0; turn < 200 && tell.done[0] === 0; turn++) Atomics.wait(pause, 0, 0, 10);
    delete globalThis.${name};
  };
  tell.off = () => {
    process.removeListener("exit", hook);
    delete globalThis.${name};
  };
  process.on("exit", hook);
}
//# sourceURL=${EXIT_URL}`;

const STOPS = { cpu: "Profiler.stop", heap: "HeapProfiler.stopSampling" } as const;

export class Profiler {
  readonly #target: Target;
  readonly #host: DebuggerHost;
  readonly #scripts: Scripts;
  readonly #asyncDepth: number;
  #runs: "cpu" | "heap" | undefined;
  /** What listens while it runs. */
  #off: (() => void)[] = [];
  /** By which a worker tells that it ends. */
  #binding: string | undefined;

  constructor(target: Target, host: DebuggerHost, scripts: Scripts, asyncDepth: number) {
    this.#target = target;
    this.#host = host;
    this.#scripts = scripts;
    this.#asyncDepth = asyncDepth;
  }

  async handle(args: ProfileArguments): Promise<object> {
    if (args.do === "start") return this.#start(args);
    if (args.do === "snapshot") return this.#snapshot(args);
    return this.#stop(args.kind);
  }

  async #start({ kind, interval, skipPauses }: ProfileArguments): Promise<object> {
    if (this.#runs !== undefined) throw new DapError("it is being profiled already");
    const { cdp } = this.#target;
    this.#runs = kind;
    try {
      // Stacks across awaits cost a program that awaits much more than the profiler does.
      await cdp.send("Debugger.setAsyncCallStackDepth", { maxDepth: 0 });
      if (skipPauses === true) await cdp.send("Debugger.setSkipAllPauses", { skip: true });
      if (kind === "cpu") {
        await cdp.send("Profiler.enable");
        if (interval !== undefined) await cdp.send("Profiler.setSamplingInterval", { interval });
        await cdp.send("Profiler.start");
      } else {
        await cdp.send("HeapProfiler.enable");
        await cdp.send("HeapProfiler.startSampling", {
          ...(interval === undefined ? {} : { samplingInterval: interval }),
        });
      }
    } catch (error) {
      this.#runs = undefined;
      throw error;
    }
    this.#off.push(
      cdp.onRaw("Sonde.atExit", (params) => {
        const { method, result } = params as { method: string; result?: { profile?: unknown } };
        if (method !== STOPS[kind] || this.#runs === undefined || result?.profile === undefined) return;
        this.#over();
        this.#host.emit("sonde/profile", this.#told(kind, result.profile));
      }),
    );
    // Only a process has a bridge; a worker's V8 does not know the request.
    const asked = cdp.sendRaw("Sonde.askAtExit", { method: STOPS[kind] });
    if (this.#target.kind === "process") await asked.catch(() => {});
    else {
      asked.catch(() => {});
      await this.#watchWorker(kind).catch((error: unknown) => this.#host.log(`worker: ${String(error)}`));
    }
    return {};
  }

  /** A worker's V8 goes with it: at its exit it tells us and waits until its profile has been read, for a moment at most. */
  async #watchWorker(kind: "cpu" | "heap"): Promise<void> {
    const { cdp } = this.#target;
    const name = `__sonde${randomBytes(6).toString("hex")}`;
    await cdp.send("Runtime.addBinding", { name });
    this.#binding = name;
    this.#off.push(
      cdp.on("Runtime.bindingCalled", (event) => {
        if (event.name === name && this.#runs === kind) void this.#lastOf(kind, name);
      }),
    );
    await cdp.send("Runtime.evaluate", { expression: exitHook(name), silent: true });
  }

  async #lastOf(kind: "cpu" | "heap", name: string): Promise<void> {
    const { cdp } = this.#target;
    try {
      const { profile } = (await cdp.sendRaw(STOPS[kind])) as { profile: unknown };
      this.#over();
      this.#host.emit("sonde/profile", this.#told(kind, profile));
    } catch (error) {
      this.#host.log(`the profile of a worker is lost: ${String(error)}`);
    } finally {
      cdp.send("Runtime.evaluate", { expression: `${name}.done[0] = 1`, silent: true }).catch(() => {}); // it has gone on
    }
  }

  async #stop(kind: "cpu" | "heap"): Promise<object> {
    if (this.#runs !== kind) throw new DapError("it is not being profiled");
    const { cdp } = this.#target;
    const { profile } = (await cdp.sendRaw(STOPS[kind])) as { profile: unknown };
    this.#over();
    await cdp.sendRaw("Sonde.askAtExit", {}).catch(() => {});
    const binding = this.#binding;
    this.#binding = undefined;
    const left: Promise<unknown>[] = [
      ...(binding === undefined
        ? []
        : [
            cdp.send("Runtime.evaluate", { expression: `${binding}.off()`, silent: true }),
            cdp.send("Runtime.removeBinding", { name: binding }),
          ]),
      cdp.send(kind === "cpu" ? "Profiler.disable" : "HeapProfiler.disable"),
      cdp.send("Debugger.setAsyncCallStackDepth", { maxDepth: this.#asyncDepth }),
    ];
    await Promise.allSettled(left);
    return this.#told(kind, profile);
  }

  /** After a full collection: what is in it is in use. */
  async #snapshot({ file }: ProfileArguments): Promise<object> {
    if (file === undefined) throw new DapError("a snapshot needs a file");
    const { cdp } = this.#target;
    const to = new WholeFile(file);
    const off = cdp.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => to.append(chunk));
    try {
      await cdp.send("HeapProfiler.enable");
      await cdp.send("HeapProfiler.collectGarbage");
      await cdp.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
      if (this.#runs !== "heap") await cdp.send("HeapProfiler.disable");
      return { bytes: to.finish() };
    } finally {
      off();
      to.abandon();
    }
  }

  #over(): void {
    this.#runs = undefined;
    for (const off of this.#off.splice(0)) off();
  }

  #told(kind: "cpu" | "heap", profile: unknown): object {
    const maps: Record<string, { url: string; map: string }> = {};
    for (const { id, url, sourceMapUrl } of this.#scripts.files())
      if (sourceMapUrl !== undefined) maps[id] = { url, map: sourceMapUrl };
    return { kind, profile, maps };
  }
}
