/**
 * Finds the inspector of a running process, opening it if need be. SIGUSR1 opens a Node inspector and *ends* almost
 * everything else, so a process is only signalled when it is Node and has a handler for it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { askInspector } from "./inspector-list.ts";
import { listeners, ownerOf, type ProcessFacts, readFacts, socketInodes } from "./proc.ts";

const OPEN_MS = 5000;
const ASK_MS = 1000;
const DEFAULT_PORT = 9229;

export interface FoundInspector {
  webSocketUrl: string;
  /** The pid the program will give for itself. */
  ownPid: number;
  /** We opened it, and it was closed before. */
  opened: boolean;
}

export async function findInspectorOf(pid: number): Promise<FoundInspector> {
  checkSignallable(pid);
  return process.platform === "linux" ? findOnLinux(pid) : findElsewhere(pid);
}

function checkSignallable(pid: number): void {
  try {
    process.kill(pid, 0);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ESRCH") throw new Error(`there is no process ${pid}`);
    throw new Error(`no permission to debug process ${pid}: it belongs to another user`);
  }
}

async function findOnLinux(pid: number): Promise<FoundInspector> {
  const facts = readable(pid);
  if (facts.state === "Z") throw new Error(`process ${pid} (${facts.executable}) has already ended`);
  const open = await openInspector(pid);
  if (open !== undefined) return { webSocketUrl: open, ownPid: facts.ownPid, opened: false };
  checkTakesSignal(pid, facts);

  process.kill(pid, "SIGUSR1");
  // Nothing announces the new port, so look for it, ever less often.
  const deadline = performance.now() + OPEN_MS;
  for (let pause = 5; performance.now() < deadline; pause = Math.min(pause * 2, 200)) {
    await sleep(pause);
    const webSocketUrl = await openInspector(pid).catch(() => undefined);
    if (webSocketUrl !== undefined) return { webSocketUrl, ownPid: facts.ownPid, opened: true };
  }
  const hint =
    facts.state === "T" ? "it is stopped (SIGSTOP); resume it first" : "it may be blocked in native code";
  throw new Error(`process ${pid} was asked to open its inspector (SIGUSR1) and did not in 5 s: ${hint}`);
}

function readable(pid: number): ProcessFacts {
  try {
    return readFacts(pid);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") throw new Error(`there is no process ${pid}`);
    throw new Error(
      `no permission to look at process ${pid} (${code}): it belongs to another user or is protected`,
    );
  }
}

/** The address of the inspector that listens in this process. */
async function openInspector(pid: number): Promise<string | undefined> {
  const inodes = socketInodes(pid);
  const ours = listeners(pid).filter(({ inode }) => inodes.has(inode));
  // The usual port first: the others may be the program's own servers, which need not hear from us.
  ours.sort((left, right) => Math.abs(left.port - DEFAULT_PORT) - Math.abs(right.port - DEFAULT_PORT));
  for (const { host, port } of ours) {
    const listed = await askInspector(host, port, ASK_MS);
    if (listed !== undefined) return listed.webSocketUrl;
  }
  return undefined;
}

function checkTakesSignal(pid: number, facts: ProcessFacts): void {
  if (!/^(node|nodejs|iojs|electron)(-?[\d.]+)?$/i.test(facts.executable)) {
    throw new Error(`process ${pid} is not Node but ${facts.executable}; choose another adapter for it`);
  }
  if (!facts.catchesUsr1) {
    throw new Error(
      `process ${pid} does not open an inspector on SIGUSR1 (it has just started, or runs with --disable-sigusr1); ` +
        "start it with `node --inspect` instead",
    );
  }
  const choosesPort = facts.commandLine.some((word) => /^--(inspect|debug)-port/.test(word));
  const taken = listeners(pid).find(({ port }) => port === DEFAULT_PORT);
  if (taken !== undefined && !choosesPort) {
    const owner = ownerOf(taken.inode);
    const whom = owner === undefined ? "another process" : `process ${owner}`;
    throw new Error(
      `process ${pid} would open its inspector on port ${DEFAULT_PORT}, which ${whom} already uses; end the debugging there first`,
    );
  }
}

/** No way to see who listens where: try the port that SIGUSR1 opens, and let the caller check whose it is. */
async function findElsewhere(pid: number): Promise<FoundInspector> {
  const before = await askInspector("127.0.0.1", DEFAULT_PORT, ASK_MS);
  if (before !== undefined) return { webSocketUrl: before.webSocketUrl, ownPid: pid, opened: false };
  throw new Error(
    `cannot tell on ${process.platform} whether process ${pid} is Node; ` +
      `open its inspector with \`kill -USR1 ${pid}\` and attach to port ${DEFAULT_PORT}`,
  );
}
