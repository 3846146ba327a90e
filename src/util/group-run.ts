/** A command in a process group of its own, so that what it starts ends with it: at its deadline, or when the caller cancels. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { wait } from "./wait.ts";

/** After its exit, for output that is still on its way. What else holds its streams open is none of the command's any more. */
const DRAIN_MS = 1_000;

export interface GroupRun {
  cwd?: string | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Between asking it to end and killing it; 0 kills at once. */
  graceMs: number;
  /** What asks it to end at its deadline. */
  asks?: { with: NodeJS.Signals; graceMs: number } | undefined;
  /** Is told of the process while it runs, so that it ends also if we die. */
  owner?: { watch(pid: number): void; forget(pid: number): void };
  heard(text: string, stream: "stdout" | "stderr"): void;
}

export type GroupEnd =
  | { how: "exited"; code: number | null; signal: NodeJS.Signals | null }
  | { how: "failed"; error: NodeJS.ErrnoException }
  | { how: "timeout" | "aborted" };

/** Resolves, whatever the command does, soon after its deadline at the latest. */
export async function runGroup(file: string, args: readonly string[], run: GroupRun): Promise<GroupEnd> {
  const { cwd, env, timeoutMs, signal, graceMs, owner } = run;
  if (signal?.aborted) return { how: "aborted" };
  let child: ChildProcess;
  try {
    child = spawn(file, args, {
      ...(cwd === undefined ? {} : { cwd }),
      ...(env === undefined ? {} : { env }),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    // At once, not when its start is announced: by then it may have started others, and we may be gone.
    if (child.pid !== undefined) owner?.watch(child.pid);
    await once(child, "spawn");
  } catch (error) {
    return { how: "failed", error: error as NodeJS.ErrnoException };
  }
  child.on("error", () => {});
  const { pid } = child;
  if (pid === undefined) return { how: "failed", error: new Error("it has no process") };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.setEncoding("utf8").on("data", (text: string) => run.heard(text, name));
  const finished = ended(child);
  try {
    const waited = await wait(finished, { timeoutMs, signal });
    if (!waited.done) {
      const { with: asking, graceMs: most } = (waited.why === "timeout" ? run.asks : undefined) ?? {
        with: "SIGTERM" as const,
        graceMs,
      };
      await end(pid, finished, asking, most);
      return { how: waited.why };
    }
    // Only what it left behind is met here; the group of one that is gone altogether is nobody's.
    if (waited.value === "held") kill(pid, "SIGKILL");
    return { how: "exited", code: child.exitCode, signal: child.signalCode };
  } finally {
    child.stdout?.destroy();
    child.stderr?.destroy();
    owner?.forget(pid);
  }
}

/** `held`: it has exited, and something it started still has its streams. */
function ended(child: ChildProcess): Promise<"closed" | "held"> {
  return new Promise((done) => {
    let timer: NodeJS.Timeout | undefined;
    child.once("exit", () => {
      timer = setTimeout(() => done("held"), DRAIN_MS);
    });
    child.once("close", () => {
      clearTimeout(timer);
      done("closed");
    });
  });
}

async function end(
  pid: number,
  finished: Promise<unknown>,
  asking: NodeJS.Signals,
  graceMs: number,
): Promise<void> {
  if (graceMs > 0) {
    kill(pid, asking);
    await wait(finished, { timeoutMs: graceMs });
  }
  // Also when it has gone: something of its group may have stayed.
  kill(pid, "SIGKILL");
  await wait(finished, { timeoutMs: DRAIN_MS });
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: the group is gone
  }
}
