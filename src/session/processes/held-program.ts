/** A program that waits until whoever records it is ready, and is then run as it was asked for. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { SondeError } from "../../errors.ts";
import { wait } from "../../util/wait.ts";
import type { Launch } from "../launch.ts";

export interface Held {
  program: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** A command that runs it in a way of its own, with the program as its arguments. */
  through?: readonly string[];
}

interface Exit {
  how: "exited";
  exitCode?: number;
  signal?: string;
}

/** What a shell puts into its environment by itself. */
const SHELLS_OWN = ["PWD", "OLDPWD", "SHLVL", "_"];
const WAITS = 'read -r _ <&3; exec 3<&-; exec "$@"';
/** What it started may hold its streams open for ever. */
const STREAMS_MS = 1000;
/** Between asking it to end and killing it. */
const GRACE_MS = 200;

export class HeldProgram {
  readonly pid: number;
  readonly ended: Promise<Exit>;
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
        const end: Exit =
          code === null ? { how: "exited", signal: signal ?? "SIGKILL" } : { how: "exited", exitCode: code };
        void wait(once(child, "close"), { timeoutMs: STREAMS_MS }).then(() => done(end));
      });
    });
  }

  static async start(launch: Launch, held: Held): Promise<HeldProgram> {
    const { program, args, cwd, env, through = [] } = held;
    const own = SHELLS_OWN.flatMap((name) => (env[name] === undefined ? ["-u", name] : []));
    const kept = SHELLS_OWN.flatMap((name) => (env[name] === undefined ? [] : [`${name}=${env[name]}`]));
    const command = [...through, "env", ...own, ...kept, program, ...args];
    const child = spawn("/bin/sh", ["-c", WAITS, "sh", ...command], {
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

  go(stdin: Buffer | undefined): void {
    this.#isHeld = false;
    (this.#child.stdio[3] as Writable).end("\n");
    this.#child.stdin?.end(stdin);
  }

  /** It is not to run any more: a shell whose stream is only closed would go on. Nothing once it runs: the launch ends it. */
  abandon(): void {
    if (this.#isHeld) this.#child.kill("SIGKILL");
  }

  async end(): Promise<void> {
    this.#child.kill("SIGTERM");
    if (!(await wait(this.ended, { timeoutMs: GRACE_MS })).done) this.#child.kill("SIGKILL");
  }
}
