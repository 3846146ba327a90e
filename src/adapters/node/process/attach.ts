/** From attach arguments to a target: a token of ours, an address, a port, or a pid. */
import { basename } from "node:path";
import { wait } from "../../../util/wait.ts";
import type { Target } from "../target.ts";
import type { AttachArguments } from "./arguments.ts";
import { type OpenTarget, processArrival } from "./arrival.ts";
import { type Finding, findInspectorOf } from "./attach-pid.ts";
import { type Bridge, callBridge } from "./bridge.ts";
import { connectInspector, type InspectorConnection } from "./connection.ts";
import { askInspector } from "./inspector-list.ts";
import { listeners, ownerOf } from "./proc.ts";
import { take } from "./waiting-room.ts";

const ANSWER_MS = 5000;

export interface Attached extends OpenTarget {
  /** A child of a session of ours, which was started under the debugger. */
  child: boolean;
  program?: string;
}

export async function attachTarget(args: AttachArguments, log: (message: string) => void): Promise<Attached> {
  if (args.sondeTarget !== undefined) {
    const arrival = take(args.sondeTarget);
    if (arrival !== undefined) {
      const { program } = arrival;
      return { ...(await arrival.open()), child: true, ...(program === undefined ? {} : { program }) };
    }
    if (args.sondeSocket === undefined) throw new Error("this child is no longer waiting for a debugger");
    // A client in another process: the token means nothing here, the socket does.
    return attachedTo(await callBridge(args.sondeSocket, log), { waiting: true, child: true });
  }
  if (args.url !== undefined) return attachToUrl(args.url, log);
  if (args.port !== undefined) {
    const host = args.host ?? "127.0.0.1";
    const listed = await askInspector(host, args.port, ANSWER_MS);
    if (listed === undefined) throw new Error(`no Node inspector responds at ${host}:${args.port}`);
    return attachToUrl(listed.webSocketUrl, log);
  }
  const pid = args.pid ?? args.processId;
  if (pid === undefined) throw new Error("nothing to attach to: give `pid`, `port` or `url`");
  return attachToPid(pid, { log, openPort: args.openPort });
}

async function attachToPid(pid: number, finding: Finding): Promise<Attached> {
  const { log } = finding;
  const found = await findInspectorOf(pid, finding);
  if ("bridge" in found) return attachedTo({ ...found.bridge, pid }, { waiting: false, child: false });
  const attached = await attachToUrl(found.webSocketUrl, log);
  if (attached.target.pid !== found.ownPid) {
    attached.close();
    throw new Error(
      `the inspector found for process ${pid} belongs to process ${attached.target.pid}; end that debugging session first`,
    );
  }
  return { ...attached, target: { ...attached.target, pid } };
}

async function attachedTo(
  bridge: Bridge,
  { waiting, child }: { waiting: boolean; child: boolean },
): Promise<Attached> {
  const arrival = processArrival(bridge, waiting);
  const { program } = arrival;
  return { ...(await arrival.open()), child, ...(program === undefined ? {} : { program }) };
}

async function attachToUrl(url: string, log: (message: string) => void): Promise<Attached> {
  const connection = await connectInspector(url, log);
  try {
    const about = await introduce(connection, url);
    const { pid, script, waiting } = about;
    const target: Target = {
      kind: "process",
      title: script === undefined ? `node ${pid}` : basename(script),
      pid,
      waiting,
      ...(about.version === undefined ? {} : { nodeVersion: about.version }),
      cdp: connection.cdp,
    };
    const program = script === undefined ? {} : { program: script };
    return { target, close: connection.close, holdsExit: true, child: false, ...program };
  } catch (error) {
    connection.close();
    throw error;
  }
}

interface Introduction {
  pid: number;
  version?: string;
  script?: string;
  /** Held before its first line by the user's own --inspect-brk. */
  waiting: boolean;
}

async function introduce({ cdp }: InspectorConnection, url: string): Promise<Introduction> {
  const asked = cdp.send("Runtime.evaluate", {
    expression: `typeof process === "object" ? [process.pid, process.version, process.argv[1] || ""] : []`,
    returnByValue: true,
    silent: true,
  });
  const answer = await wait(asked, { timeoutMs: ANSWER_MS });
  if (!answer.done)
    throw new Error("the program's inspector is not responding: it may be blocked in native code");
  const [pid, version, script] = (answer.value.result.value ?? []) as [number?, string?, string?];
  // Under --inspect-brk Node waits so early that there is no `process` to ask.
  if (pid === undefined) return { pid: whoListens(url) ?? 0, waiting: true };
  return {
    pid,
    waiting: false,
    ...(version === undefined ? {} : { version }),
    ...(script ? { script } : {}),
  };
}

function whoListens(url: string): number | undefined {
  const { hostname, port } = new URL(url);
  if (process.platform !== "linux" || !/^(127\.|\[::1\]$|localhost$)/.test(hostname)) return undefined;
  const listener = listeners(process.pid).find((one) => one.port === Number(port));
  return listener === undefined ? undefined : ownerOf(listener.inode);
}
