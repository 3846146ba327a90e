/** A program that waits until it is being recorded, and is then run as it was asked for. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { SondeError } from "../../../../errors.ts";
import type { Launch } from "../../../../session/launch.ts";
import type { Ending } from "../../../../session/state.ts";
import { wait } from "../../../../util/wait.ts";

export interface Runnable {
  program: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

/** What a shell puts into its environment by itself. */
const SHELLS_OWN = ["PWD", "OLDPWD", "SHLVL", "_"];
const WAITS = 'read -r _ <&3; exec 3<&-; exec "$@"';
/** What it started may hold its streams open for ever. */
const STREAMS_MS = 500;

export class HeldProgram {
  readonly pid: number;
  readonly ended: Promise<Ending>;
  readonly #child: ChildProcess;
  #isHeld = true;

  private constructor(child: ChildProcess, pid: number, launch: Launch) {
    this.#child = child;
    this.pid = pid;
    launch.processes.own(pid, "the program");
    for (const name of ["stdout", "stderr"] as const) {
      const decoder = new StringDecoder("utf8");
      child[name]?.on("data", (chunk: Buffer) => launch.output.append(name, decoder.write(chunk)));
    }
    child.stdin?.on("error", () => {}); // it reads no more
    child.stdio[3]?.on("error", () => {}); // it has gone: its end tells
    this.ended = new Promise((done) => {
      child.once("exit", (code, signal) => {
        launch.processes.release(pid);
        const end: Ending =
          code === null ? { how: "exited", signal: signal ?? "SIGKILL" } : { how: "exited", exitCode: code };
        void wait(once(child, "close"), { timeoutMs: STREAMS_MS }).then(() => done(end));
      });
    });
  }

  static async start(launch: Launch, { program, args, cwd, env }: Runnable): Promise<HeldProgram> {
    const own = SHELLS_OWN.flatMap((name) => (env[name] === undefined ? ["-u", name] : []));
    const kept = SHELLS_OWN.flatMap((name) => (env[name] === undefined ? [] : [`${name}=${env[name]}`]));
    const child = spawn("/bin/sh", ["-c", WAITS, "sh", "env", ...own, ...kept, program, ...args], {
      cwd,
      env: launch.processes.marked(env),
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      detached: true,
    });
    try {
      await once(child, "spawn");
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new SondeError("LAUNCH_FAILED", `${program} could not be started: ${why}`, { cause });
    }
    return new HeldProgram(child, child.pid ?? 0, launch);
  }

  /** It is not to run any more: a shell whose stream is only closed would go on. Nothing once it runs: the launch ends it. */
  abandon(): void {
    if (!this.#isHeld) return;
    this.#child.kill("SIGKILL");
  }

  go(stdin: Buffer | undefined): void {
    this.#isHeld = false;
    (this.#child.stdio[3] as Writable).end("\n");
    this.#child.stdin?.end(stdin);
  }
}
