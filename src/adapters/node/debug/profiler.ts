/**
 * Profiles of one V8, for `sonde/profile`: started and stopped by request, and told as an event `sonde/profile` if the program ends before it
 * is stopped (the bridge asks V8 at that moment). What the event or the answer holds is V8's own profile, and where the maps of its scripts are.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import type { Target } from "../target.ts";
import type { DebuggerHost } from "./host.ts";
import { DapError } from "./host.ts";
import type { Scripts } from "./scripts.ts";

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

const STOPS = { cpu: "Profiler.stop", heap: "HeapProfiler.stopSampling" } as const;

export class Profiler {
  readonly #target: Target;
  readonly #host: DebuggerHost;
  readonly #scripts: Scripts;
  readonly #asyncDepth: number;
  #runs: "cpu" | "heap" | undefined;

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
    cdp.onRaw("Sonde.atExit", (params) => {
      const { method, result } = params as { method: string; result?: { profile?: unknown } };
      if (method !== STOPS[kind] || this.#runs === undefined || result?.profile === undefined) return;
      this.#runs = undefined;
      this.#host.emit("sonde/profile", this.#told(kind, result.profile));
    });
    // Only a process has a bridge; a worker's V8 does not know the request.
    await cdp.sendRaw("Sonde.askAtExit", { method: STOPS[kind] }).catch(() => {});
    return {};
  }

  async #stop(kind: "cpu" | "heap"): Promise<object> {
    if (this.#runs !== kind) throw new DapError("it is not being profiled");
    const { cdp } = this.#target;
    const { profile } = (await cdp.sendRaw(STOPS[kind])) as { profile: unknown };
    this.#runs = undefined;
    await cdp.sendRaw("Sonde.askAtExit", {}).catch(() => {});
    const left = [
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
    const to = openSync(file, "wx", 0o600);
    let bytes = 0;
    const off = cdp.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => {
      bytes += writeSync(to, chunk);
    });
    try {
      await cdp.send("HeapProfiler.enable");
      await cdp.send("HeapProfiler.collectGarbage");
      await cdp.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
      if (this.#runs !== "heap") await cdp.send("HeapProfiler.disable");
    } finally {
      off();
      closeSync(to);
    }
    return { bytes };
  }

  #told(kind: "cpu" | "heap", profile: unknown): object {
    const maps: Record<string, { url: string; map: string }> = {};
    for (const { id, url, sourceMapUrl } of this.#scripts.files())
      if (sourceMapUrl !== undefined) maps[id] = { url, map: sourceMapUrl };
    return { kind, profile, maps };
  }
}
