/** The program as the user runs it: held until the probes are in place, then let go. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { SondeError } from "../../../errors.ts";
import { wait } from "../../../util/wait.ts";
import type { Run } from "../../collector.ts";
import type { RunEnd } from "../../record.ts";
import type { Runnable } from "./language.ts";

/** What a shell puts into its environment by itself. */
const SHELLS_OWN = ["PWD", "OLDPWD", "SHLVL", "_"];
const WAITS = 'read -r _ <&3; exec 3<&-; exec "$@"';
/** Between asking it to end and killing it. */
const GRACE_MS = 200;

export class Program {
  readonly pid: number;
  readonly ended: Promise<RunEnd>;
  readonly #child: ChildProcess;
  readonly #stdin: Buffer | undefined;

  private constructor(child: ChildProcess, pid: number, { launch, stdin }: Run) {
    this.#child = child;
    this.pid = pid;
    this.#stdin = stdin;
    launch.processes.own(pid, "the program");
    for (const name of ["stdout", "stderr"] as const) {
      const decoder = new StringDecoder("utf8");
      child[name]?.on("data", (chunk: Buffer) => launch.output.append(name, decoder.write(chunk)));
    }
    child.stdin?.on("error", () => {}); // it reads no more
    this.ended = new Promise((done) => {
      child.once("exit", (code, signal) => {
        launch.processes.release(pid);
        // What it started may hold its streams open for ever.
        const closed = wait(once(child, "close"), { timeoutMs: 1_000 });
        void closed.then(() =>
          done(
            code === null
              ? { how: "exited", signal: signal ?? "SIGKILL" }
              : { how: "exited", exitCode: code },
          ),
        );
      });
    });
  }

  static async start(run: Run, { program, args, cwd, env }: Runnable): Promise<Program> {
    const own = SHELLS_OWN.flatMap((name) => (env[name] === undefined ? ["-u", name] : []));
    const kept = SHELLS_OWN.flatMap((name) => (env[name] === undefined ? [] : [`${name}=${env[name]}`]));
    const command = [...(await fixedAddresses()), "env", ...own, ...kept, program, ...args];
    const child = spawn("/bin/sh", ["-c", WAITS, "sh", ...command], {
      cwd,
      env: run.launch.processes.marked(env),
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      detached: true,
    });
    try {
      await once(child, "spawn");
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new SondeError("LAUNCH_FAILED", `${program} could not be started: ${why}`, { cause });
    }
    child.stdio[3]?.on("error", () => {}); // it has gone: its end tells
    return new Program(child, child.pid ?? 0, run);
  }

  go(): void {
    (this.#child.stdio[3] as Writable).end("\n");
    this.#child.stdin?.end(this.#stdin);
  }

  async end(): Promise<void> {
    this.#child.kill("SIGTERM");
    if (!(await wait(this.ended, { timeoutMs: GRACE_MS })).done) this.#child.kill("SIGKILL");
  }
}

let fixing: Promise<string[]> | undefined;

/** As the debugger runs it: the same addresses each time, where that is allowed. */
function fixedAddresses(): Promise<string[]> {
  fixing ??= new Promise((done) => {
    const tried = spawn("setarch", ["-R", "true"], { stdio: "ignore" });
    tried.once("error", () => done([]));
    tried.once("exit", (code) => done(code === 0 ? ["setarch", "-R"] : []));
  });
  return fixing;
}
