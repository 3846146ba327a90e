/** One program under gdb, with our script in it, from its start to its end. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ProgramStreams, underGdb } from "../../../adapters/gdb/program-streams.ts";
import { killedBy } from "../../../adapters/native/signals.ts";
import { SondeError } from "../../../errors.ts";
import { wait } from "../../../util/wait.ts";
import type { Run } from "../../collector.ts";
import { Channel } from "../../debugger-scripts/channel.ts";
import { mayPin } from "../../debugger-scripts/pinning.ts";
import { charsToTell, Records, type Told } from "../../debugger-scripts/records.ts";
import type { Plan } from "../../plan.ts";
import type { RunEnd } from "../../record.ts";
import { environmentFor, OPTIONS } from "./find.ts";
import type { GuidedPlan } from "./guided.ts";
import { scriptCommand } from "./script.ts";

/** What a program that we end gets to end by itself. */
const GRACE_MS = 300;
const MOST_SAID = 2000;

interface Ended {
  code?: number;
  signal?: number;
  why?: string;
}

interface What {
  gdb: string;
  program: string;
  guided: GuidedPlan;
}

/** What this script tells beside its records. */
type ToldHere = { pid: number } | { ended: Ended } | { failed: string } | { bound: true };

export class GdbRun {
  readonly #plan: Plan;
  readonly #run: Run;
  readonly #what: What;
  readonly #records: Records;
  #channel: Channel | undefined;
  #streams: ProgramStreams | undefined;
  #pid: number | undefined;
  #ended: Ended | undefined;
  #failed: string | undefined;
  /** The end of what gdb itself says. */
  #said = "";

  constructor(plan: Plan, run: Run, what: What) {
    this.#plan = plan;
    this.#run = run;
    this.#what = what;
    this.#records = new Records(plan, run.sink, () => this.#channel?.letGo());
  }

  async toItsEnd(): Promise<RunEnd> {
    const { launch, signal, folder } = this.#run;
    const { opening } = launch;
    if (opening.request !== "launch") throw new Error("gdb can only launch programs");
    const env = launch.processes.marked(opening.plan.env);
    const channel = await Channel.open(folder, (message) => this.#told(message as Told | ToldHere));
    this.#channel = channel;
    const streams = await ProgramStreams.open({ args: this.#args(), env });
    this.#streams = streams;
    try {
      streams.read((category, text) => launch.append(category, text));
      const child = await this.#start(env, streams.wrapper);
      const over = once(child, "exit");
      const waited = await wait(over, { signal });
      if (!waited.done) await this.#stop(child, over);
      await channel.drained();
      await streams.drained();
      if (!waited.done) return { how: "stopped" };
      return this.#end();
    } finally {
      await channel.drained();
      streams.close();
    }
  }

  #args(): string[] {
    const { opening } = this.#run.launch;
    if (opening.request !== "launch") return [];
    const { program, command, args } = opening.plan;
    return program === undefined ? (command ?? []).slice(1) : args;
  }

  async #start(env: Record<string, string>, wrapper: string): Promise<ChildProcess> {
    const { launch, folder } = this.#run;
    const file = join(folder, "plan.json");
    writeFileSync(
      file,
      JSON.stringify({
        channel: this.#channel?.path,
        wrapper,
        frames: this.#plan.frames,
        chars: charsToTell(this.#plan),
        pin: mayPin(this.#what.program),
        ...this.#what.guided,
      }),
    );
    const { env: own, commands } = environmentFor(env);
    const words = [...OPTIONS, ...commands, ...scriptCommand("run", file), this.#what.program];
    const child = spawn(this.#what.gdb, words, {
      cwd: launch.cwd,
      env: underGdb(own),
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#said = (this.#said + text).slice(-MOST_SAID);
      });
    await once(child, "spawn");
    const { pid = 0 } = child;
    launch.processes.own(pid, "gdb", "adapter");
    child.once("exit", () => launch.processes.release(pid));
    return child;
  }

  #told(one: Told | ToldHere): void {
    if ("pid" in one) this.#started(one.pid);
    else if ("ended" in one) this.#over(one.ended);
    else if ("failed" in one) this.#failed = one.failed;
    else if ("bound" in one) this.#bound();
    else this.#records.told(one);
  }

  #bound(): void {
    for (const [point, binding] of this.#what.guided.bindings.entries())
      if (binding) this.#run.sink.bind(point, binding);
    for (const note of this.#what.guided.notes) this.#run.sink.note(note);
  }

  /** It has its streams: its input can be given to it, and ended. */
  #started(pid: number): void {
    this.#pid = pid;
    this.#run.launch.processes.own(pid, "the program", "program");
    const { stdin } = this.#streams ?? {};
    this.#streams?.started();
    const { stdin: bytes } = this.#run;
    const written = bytes === undefined ? Promise.resolve() : stdin?.write(bytes);
    // It may end without having read.
    void written?.then(() => stdin?.end()).catch(() => {});
  }

  #over(ended: Ended): void {
    this.#ended = ended;
    if (this.#pid !== undefined) this.#run.launch.processes.release(this.#pid);
  }

  /** The program first: gdb ends when it has told of that. */
  async #stop(child: ChildProcess, over: Promise<unknown>): Promise<void> {
    for (const name of ["SIGTERM", "SIGKILL"] as const) {
      if (this.#pid === undefined || this.#ended !== undefined) break;
      // The first is delivered when the program goes on, with the hit read; this one at once.
      if (name === "SIGKILL") this.#channel?.cut();
      signal(this.#pid, name);
      if ((await wait(over, { timeoutMs: GRACE_MS })).done) return;
    }
    child.kill("SIGKILL");
    await over;
  }

  #end(): RunEnd {
    if (this.#ended === undefined) {
      const problem = this.#failed ?? `gdb ended early: ${this.#said.trim()}`;
      if (this.#pid === undefined) throw new SondeError("LAUNCH_FAILED", problem);
      this.#run.sink.note(`gdb gave up: ${problem}`);
      return { how: "stopped", why: problem };
    }
    const { code, signal, why } = this.#ended;
    if (signal !== undefined)
      return { how: "exited", ...killedBy(signal), ...(why === undefined ? {} : { why }) };
    return { how: "exited", ...(code === undefined ? {} : { exitCode: code }) };
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has just ended.
  }
}
