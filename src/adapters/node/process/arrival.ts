/** A V8 that has turned up and that someone may want to debug. */
import { basename } from "node:path";
import type { Target } from "../target.ts";
import type { Bridge } from "./bridge.ts";
import { letRun } from "./run.ts";
import { workerSession } from "./worker-session.ts";

export interface Arrival {
  readonly kind: Target["kind"];
  readonly title: string;
  readonly pid: number;
  readonly nodeVersion?: string;
  /** Its main script. */
  readonly program?: string;
  /** Makes it wait at a socket, for a client in another process to take over. A worker has no socket of its own. */
  handOver?(path: string): Promise<void>;
  open(): Promise<OpenTarget>;
}

export interface OpenTarget {
  target: Target;
  /** Leaves it. One that still waits for a debugger goes on waiting. `isStuck`: it did not answer when asked to go on. */
  close(isStuck?: boolean): void;
  /** A finished process waits until we leave; then it exits with its real code. */
  holdsExit?: boolean;
}

/** `waiting`: it is held before its first line. */
export function processArrival(bridge: Bridge, waiting: boolean): Arrival {
  const { pid, version, script, unchanged = false, cdp, close } = bridge;
  const title = script === "" ? `node ${pid}` : basename(script);
  return {
    kind: "process",
    title,
    pid,
    nodeVersion: version,
    ...(script === "" ? {} : { program: script }),
    handOver: (path) => bridge.handOver(path),
    async open() {
      const readAtPause = (kits: string[]) => bridge.tell("Sonde.readAtPause", { kits });
      const about = { kind: "process", title, pid, waiting, unchanged, nodeVersion: version } as const;
      return { target: { ...about, cdp, readAtPause }, close };
    },
  };
}

/** Parameters of NodeWorker.attachedToWorker. */
export interface WorkerAttached {
  sessionId: string;
  workerInfo: { workerId: string; type: string; title: string; url: string };
  waitingForDebugger: boolean;
}

export function workerArrival(
  parent: Target,
  attached: WorkerAttached,
  log: (message: string) => void,
): Arrival {
  const { sessionId, workerInfo, waitingForDebugger } = attached;
  const title = workerTitle(workerInfo);
  const version = parent.nodeVersion === undefined ? {} : { nodeVersion: parent.nodeVersion };
  const cdp = workerSession(parent.cdp, sessionId, log);
  return {
    kind: "worker",
    title,
    pid: parent.pid,
    ...version,
    async open() {
      return {
        target: {
          ...{ kind: "worker", title, pid: parent.pid, waiting: waitingForDebugger, ...version, cdp },
          ...(parent.unchanged === undefined ? {} : { unchanged: parent.unchanged }),
        },
        close: (isStuck) => {
          // Not as a rule: in Node 26 a worker that has only just been told to run would then wait for ever.
          if (isStuck) parent.cdp.sendRaw("NodeWorker.detach", { sessionId }).catch(() => {});
          cdp.end("the debugger disconnected");
        },
      };
    },
  };
}

/** "[worker 2] resizer", where newer Nodes put "WorkerThread" for a worker without a name. */
function workerTitle({ title, workerId }: WorkerAttached["workerInfo"]): string {
  const [, number, name] = /^\[worker (\d+)\] ?(.*)$/.exec(title) ?? [];
  const named = name && name !== "WorkerThread" ? ` (${name})` : "";
  return `worker ${number ?? workerId}${named}`;
}

/** Lets one run that nobody debugs. It may be gone already, which is as good. */
export async function release(arrival: Arrival): Promise<void> {
  const opened = await arrival.open().catch(() => undefined);
  if (opened === undefined) return;
  await letRun(opened.target);
  opened.close();
}
