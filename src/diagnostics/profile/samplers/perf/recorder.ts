/** `perf record` on a process and what it starts, until it is told to stop. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { SondeError } from "../../../../errors.ts";
import type { Launch } from "../../../../session/launch.ts";
import { wait } from "../../../../util/wait.ts";
import { FIELDS, type PerfSample, ScriptReader } from "./script.ts";

export const HERTZ = 499;
/** Of each stack, where it is unwound by the program's unwind tables. */
export const STACK_BYTES = 16_384;
const MOST_DATA = "1G";
/** It opens its events in far less, if it can at all. */
const READY_MS = 5000;
const END_MS = 10_000;
const MOST_SAID = 64 * 1024;
const READ_MS = 120_000;
const PARANOID = "/proc/sys/kernel/perf_event_paranoid";

export class PerfRecorder {
  readonly data: string;
  readonly #perf: string;
  readonly #child: ChildProcess;
  /** It was stopped, or what it recorded has ended. */
  readonly exited: Promise<undefined>;
  #said = "";

  /** `graph`: how stacks are found, in perf's words. */
  constructor(perf: string, pid: number, graph: string, folder: string, { processes, where }: Launch) {
    this.#perf = perf;
    this.data = join(folder, "perf.data");
    const words = [
      ...["record", "-q", "-B", "-N", "-o", this.data, "-e", "cycles", "-F", String(HERTZ)],
      ...["--call-graph", graph, "--max-size", MOST_DATA, "--control", "fd:3,4", "-p", String(pid)],
    ];
    this.#child = spawn(perf, words, {
      cwd: "/",
      env: where.env,
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
      detached: true,
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      if (this.#said.length < MOST_SAID) this.#said += text;
    });
    this.#child.stdio[3]?.on("error", () => {}); // it has gone: its exit tells
    this.exited = once(this.#child, "exit").then(
      () => undefined,
      (error: unknown) => {
        this.#said += String(error);
        return undefined;
      },
    );
    const own = this.#child.pid;
    if (own === undefined) return;
    processes.own(own, "perf", "adapter");
    void this.exited.then(() => processes.release(own));
  }

  /** It answers only when it records. */
  async ready(signal: AbortSignal): Promise<void> {
    const answer = this.#child.stdio[4];
    const acknowledged = answer
      ? once(answer, "data").then(
          () => true,
          () => this.exited.then(() => false), // it has gone: its exit tells
        )
      : Promise.resolve(false);
    this.#control("ping");
    const first = Promise.race([acknowledged, this.exited.then(() => false)]);
    const waited = await wait(first, { timeoutMs: READY_MS, signal });
    if (waited.done && waited.value) return;
    if (waited.done) throw refused(this.#said);
    if (waited.why === "aborted")
      throw new SondeError("CANCELLED", "cancelled before perf had begun to record");
    throw new SondeError(
      "TIMEOUT",
      `perf (${this.#perf}) did not begin to record within ${READY_MS / 1000} s`,
      { hint: "run `perf record -- true` yourself to see what goes wrong" },
    );
  }

  /** Whatever it is doing; nothing if it has ended. */
  kill(): void {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill("SIGKILL");
    for (const stream of this.#child.stdio) stream?.destroy();
  }

  async stop(): Promise<void> {
    this.#control("stop");
    if (!(await wait(this.exited, { timeoutMs: END_MS })).done) this.#child.kill("SIGINT");
    if (!(await wait(this.exited, { timeoutMs: END_MS })).done) this.#child.kill("SIGKILL");
  }

  /** What it has recorded; false if that took too long to be read to its end. */
  async samples(take: (sample: PerfSample) => void, signal: AbortSignal): Promise<boolean> {
    const words = ["script", "-i", this.data, "--no-inline", "-F", FIELDS];
    const child = spawn(this.#perf, words, {
      ...{ cwd: "/", stdio: ["ignore", "pipe", "ignore"], timeout: READ_MS, signal },
      env: { ...process.env, LC_ALL: "C" },
    });
    const reader = new ScriptReader(take);
    child.stdout?.setEncoding("utf8").on("data", (text: string) => reader.push(text));
    const isWhole = await new Promise<boolean>((done) => {
      child.on("error", () => done(false));
      child.on("close", (code) => done(code === 0));
    });
    reader.end();
    return isWhole;
  }

  #control(word: string): void {
    const control = this.#child.stdio[3] as Writable;
    if (!control.destroyed) control.write(`${word}\n`);
  }
}

function refused(said: string): SondeError {
  const level = setting();
  if (/permission|not permitted|access to performance/i.test(said))
    return new SondeError(
      "PERMISSION",
      `the kernel does not let you record this process: kernel.perf_event_paranoid is ${level ?? "unknown"}`,
      {
        hint: "your own processes need 2 or less (`sudo sysctl kernel.perf_event_paranoid=2`), others' the CAP_PERFMON capability; a container's seccomp profile may refuse it too",
      },
    );
  const words = said
    .trim()
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && line !== "Error:");
  return new SondeError(
    "UNSUPPORTED",
    `perf could not record this process: ${words[0] ?? "it gave no reason"}`,
  );
}

function setting(): string | undefined {
  try {
    return readFileSync(PARANOID, "utf8").trim();
  } catch {
    return undefined; // a kernel without perf
  }
}
