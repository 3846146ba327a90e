/** Starting the program with the recorder in its way, and following it to its end. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter } from "node:path";
import { SondeError } from "../../../errors.ts";
import type { Run } from "../../collector.ts";
import type { RunEnd } from "../../record.ts";
import type { Program } from "./program.ts";

/** How long a program gets to end by itself when it is told to. */
const GRACE_MS = 500;
/** A process that the program left behind may hold its streams open. */
const STREAMS_MS = 250;

/** `onStart` is called before anything of the program is heard. */
export async function runProgram(
  program: Program,
  hook: string,
  { launch, stdin, signal }: Run,
  onStart: (pid: number) => void,
): Promise<RunEnd> {
  if (signal.aborted) return { how: "stopped" };
  const path = [hook, program.env.PYTHONPATH].filter(Boolean).join(delimiter);
  const child = spawn(program.python.path, program.args, {
    cwd: program.cwd,
    env: launch.processes.marked({ ...program.env, PYTHONPATH: path }),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  for (const category of ["stdout", "stderr"] as const) {
    child[category].setEncoding("utf8");
    child[category].on("data", (text: string) => launch.output.append(category, text));
    child[category].on("error", () => {});
  }
  child.stdin.on("error", () => {}); // the program may end without having read
  const ended = endOf(child);
  await once(child, "spawn").catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SondeError("LAUNCH_FAILED", `could not start ${program.python.path}: ${why}`, { cause });
  });
  const { pid = 0 } = child;
  onStart(pid);
  launch.processes.own(pid, "the program");
  child.stdin.end(stdin);
  const stop = () => stopped(pid, ended);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const end = await ended;
  launch.processes.release(pid);
  signal.removeEventListener("abort", stop);
  return signal.aborted ? { how: "stopped" } : end;
}

/** Its streams have been read by then. */
function endOf(child: ChildProcess): Promise<RunEnd> {
  return new Promise((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null) =>
      resolve({
        how: "exited",
        ...(code === null ? {} : { exitCode: code }),
        ...(signal === null ? {} : { signal }),
      });
    child.once("close", end);
    child.once("exit", (code, signal) => setTimeout(end, STREAMS_MS, code, signal).unref());
  });
}

/** The whole group: what the program started ends with it. */
function stopped(pid: number, ended: Promise<unknown>): void {
  tell(pid, "SIGTERM");
  const timer = setTimeout(tell, GRACE_MS, pid, "SIGKILL");
  void ended.then(() => clearTimeout(timer));
}

function tell(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // ESRCH: it has ended meanwhile.
  }
}
