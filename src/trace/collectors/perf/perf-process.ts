/** One perf at work: its probes are set, it records, and they are taken away again. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants, cpus } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { SondeError } from "../../../errors.ts";
import { hasEnded } from "../../../util/process-facts.ts";
import type { Run } from "../../collector.ts";
import type { Plan } from "../../plan.ts";
import type { Informant } from "./language.ts";
import { eventName, type Machine, probeGroup, RECORD, readHits, readIds } from "./machine.ts";
import type { Probe } from "./probes.ts";
import { Recorder } from "./recorder.ts";

export interface Probing {
  machine: Machine;
  probes: Probe[];
  childrenToo: string | undefined;
}

/** Of all processors' buffers, in megabytes: what comes while we are busy waits there. */
const BUFFERS = 256;

/** Each one's share, which must be a power of two. */
function buffer(): string {
  return `${2 ** Math.max(0, Math.floor(Math.log2(BUFFERS / cpus().length)))}M`;
}

/** How long a hit may wait there. */
const FLUSH_MS = 200;
/** Bytes of the stack that are copied: a few frames are mostly within the first. */
const STACK = { few: 4096, many: 8192 };
const FEW_FRAMES = 4;

export class PerfProcess {
  readonly #plan: Plan;
  readonly #run: Run;
  readonly #made: Probing;
  readonly #pid: number;
  readonly #child: ChildProcess;
  /** What it says of many probes before it is ready: more than a pipe holds. */
  readonly #early: Buffer[] = [];
  readonly #take = (chunk: Buffer) => void this.#early.push(chunk);
  readonly #ids: string;
  readonly #group = probeGroup();
  readonly #exited: Promise<unknown>;
  #said = "";
  #isAsked = false;

  constructor(plan: Plan, run: Run, made: Probing, pid: number) {
    this.#plan = plan;
    this.#run = run;
    this.#made = made;
    this.#pid = pid;
    this.#ids = join(run.folder, "probes");
    this.#child = this.#start();
    this.#child.stdout?.on("data", this.#take);
    this.#exited = once(this.#child, "exit").catch((error: unknown) => {
      this.#said += String(error);
    });
  }

  #start(): ChildProcess {
    const { machine, probes } = this.#made;
    const group = this.#group;
    const size = this.#plan.frames <= FEW_FRAMES ? STACK.few : STACK.many;
    const words = [
      ...[machine.perf, "record", "-q", "-N", "-B", "-o", "-", "-m", buffer()],
      ...["--control", "fd:3,4", "-p", String(this.#pid)],
      ...(this.#plan.frames > 0 ? ["--call-graph", `dwarf,${size}`] : []),
      // The first follows the program: what is lost of that is no hit.
      ...["-e", "dummy", ...probes.flatMap(({ event }) => ["-e", `${group}:${eventName(group, event)}`])],
    ];
    const [command, args] = machine.command(RECORD, group, this.#ids, ...words);
    const defined = probes
      .map(({ event, definition }) => `p:${group}/${eventName(group, event)} ${definition}`)
      .join("\n");
    const child = spawn(command, args, {
      cwd: "/",
      env: { ...this.#run.launch.where.env, SONDE_PROBES: defined },
      stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"],
      detached: true,
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#said += text;
    });
    child.stdio[3]?.on("error", () => {}); // perf has gone: its exit tells
    const { processes } = this.#run.launch;
    const { pid } = child;
    if (pid !== undefined) {
      processes.own(pid, "perf", "adapter");
      child.once("exit", () => processes.release(pid));
    }
    return child;
  }

  /** The probes are in place and count: perf answers only after it has turned them on. */
  async ready(): Promise<void> {
    this.#control("ping");
    const answer = this.#child.stdio[4];
    const acknowledged = answer ? once(answer, "data").then(() => true) : Promise.resolve(false);
    if (await Promise.race([acknowledged, this.#exited.then(() => false)])) return;
    if (hasEnded(this.#pid))
      throw new SondeError("REQUEST_FAILED", `process ${this.#pid} ended before perf could record it`);
    if (this.#signal !== undefined) throw new SondeError("ADAPTER_FAILED", this.#ending);
    const why = this.#said.trim().split("\n")[0] || this.#ending;
    throw new SondeError("UNSUPPORTED", `perf could not record this program: ${why}`);
  }

  stop(): void {
    this.#isAsked = true;
    this.#control("stop");
  }

  /** To its end. If that came before it was asked for: why. What ran after it is not recorded. */
  async through(informant: Informant): Promise<string | undefined> {
    const { probes, childrenToo } = this.#made;
    const byEvent = new Map(probes.map((one) => [eventName(this.#group, one.event), one]));
    const byId = new Map(
      [...readIds(this.#ids)].flatMap(([name, id]) => {
        const probe = byEvent.get(name);
        return probe ? [[id, probe] as const] : [];
      }),
    );
    const recorder = new Recorder({
      ...{ plan: this.#plan, sink: this.#run.sink, pid: this.#pid },
      ...{ informant, probes: byId, childrenToo },
    });
    // perf looks into its buffers when one is half full, or when it is spoken to.
    const spoken = setInterval(() => this.#control("ping"), FLUSH_MS);
    try {
      const { stdout } = this.#child;
      stdout?.off("data", this.#take).pause();
      for (const chunk of this.#early.splice(0)) await recorder.push(chunk);
      for await (const chunk of stdout ?? []) await recorder.push(chunk as Buffer);
    } finally {
      clearInterval(spoken);
    }
    const isEarly = !this.#isAsked;
    await this.#exited;
    if (isEarly && this.#child.exitCode !== 0) {
      // What the kernel counted on is not what came too fast.
      await recorder.end(new Map());
      return this.#ending;
    }
    const hits = [...readHits(this.#ids)].flatMap(([name, count]) => {
      const probe = byEvent.get(name);
      return probe ? [[probe, count] as const] : [];
    });
    await recorder.end(new Map(hits));
    return undefined;
  }

  get #ending(): string {
    const signal = this.#signal;
    return signal === undefined
      ? `perf ended with code ${this.#child.exitCode}`
      : `perf was killed by ${signal}`;
  }

  /** The shell around perf tells of it by a number. */
  get #signal(): string | undefined {
    const { exitCode, signalCode } = this.#child;
    return (
      signalCode ?? Object.entries(constants.signals).find(([, number]) => 128 + number === exitCode)?.[0]
    );
  }

  #control(word: string): void {
    const control = this.#child.stdio[3] as Writable;
    if (!control.destroyed) control.write(`${word}\n`);
  }
}
