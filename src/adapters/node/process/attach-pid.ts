/**
 * Finds the way into a running process: an inspector that it has open, or a bridge that we start in it. SIGUSR1 opens a Node
 * inspector and *ends* almost everything else, so a process is only signalled when it is Node and has a handler for it.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { deferred, wait } from "../../../util/wait.ts";
import { declaredSockets, inspectorPort, inspectorSockets } from "../boot/inspector-sockets.cjs";
import { findBootFile, findOpener } from "./boot-file.ts";
import type { Bridge } from "./bridge.ts";
import { BridgeServer } from "./bridge-server.ts";
import { askInspector } from "./inspector-list.ts";
import { othersBeside } from "./others.ts";
import { listeners, ownerOf, type ProcessFacts, readFacts, socketInodes } from "./proc.ts";

/** For the port, for the answer, and for the thread to call. */
const OPEN_MS = 15_000;
const ASK_MS = 1000;
const PORT_MS = 2000;
const DEFAULT_PORT = 9229;

/** The user's own: it stays open when we leave. */
export interface FoundInspector {
  webSocketUrl: string;
  /** The pid the program will give for itself. */
  ownPid: number;
}

export interface Finding {
  log(message: string): void;
  /** Other people of this machine are trusted with a port that is open for a moment. */
  openPort: boolean;
}

export async function findInspectorOf(
  pid: number,
  finding: Finding,
): Promise<FoundInspector | { bridge: Bridge }> {
  checkSignallable(pid);
  return process.platform === "linux" ? findOnLinux(pid, finding) : findElsewhere(pid);
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

async function findOnLinux(
  pid: number,
  { log, openPort }: Finding,
): Promise<FoundInspector | { bridge: Bridge }> {
  const facts = readable(pid);
  if (facts.state === "Z") throw new Error(`process ${pid} (${facts.executable}) has already ended`);
  const open = await openInspector(pid);
  if (open !== undefined) return { webSocketUrl: open, ownPid: facts.ownPid };
  checkTakesSignal(pid, facts);
  if (!openPort) checkAlone(pid, facts);
  await portIsFree(pid);
  return { bridge: await startBridge(pid, facts, log) };
}

/** The port is open for a moment only, and nobody but the opener depends on us while it is. */
async function startBridge(
  pid: number,
  { ownPid, uid }: ProcessFacts,
  log: (message: string) => void,
): Promise<Bridge> {
  const called = deferred<Bridge>();
  const bridges = await BridgeServer.open(called.resolve, log);
  try {
    if (uid !== process.geteuid?.()) bridges.giveTo(uid);
    const refused = openerSays([pid, ownPid, findBootFile(), bridges.path].map(String));
    const answer = await wait(Promise.race([called.promise, refused]), { timeoutMs: OPEN_MS });
    if (answer.done && typeof answer.value !== "string") return answer.value;
    const why = answer.done ? answer.value : "the debugger's thread in it did not connect in time";
    throw new Error(`process ${pid} was asked to open its inspector (SIGUSR1): ${why}`);
  } finally {
    bridges.close();
  }
}

/** Its reason why not; without one it never resolves. */
async function openerSays(args: string[]): Promise<string> {
  const opener = spawn(process.execPath, [findOpener(), ...args], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  opener.unref();
  const [said]: unknown[] = await Promise.race([
    once(opener.stdout, "data"),
    once(opener, "close").then(() => ["{}"]),
  ]);
  const { ok, error } = JSON.parse(String(said)) as { ok?: boolean; error?: string };
  if (ok === true) return new Promise(() => {});
  return error ?? "it has ended";
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
  const known = ours.length === 0 ? inodes : (inspectorSockets(pid) ?? declaredSockets(pid, ours));
  for (const { host, port, inode } of ours) {
    // The program's own servers must not hear from us.
    if (!known.has(inode)) continue;
    const listed = await askInspector(host, port, ASK_MS);
    if (listed !== undefined) return listed.webSocketUrl;
  }
  return undefined;
}

function checkTakesSignal(pid: number, facts: ProcessFacts): void {
  if (!/^(node|nodejs|iojs|electron)(-?[\d.]+)?$/i.test(facts.executable)) {
    throw new Error(`process ${pid} runs ${facts.executable}, not Node; choose another adapter for it`);
  }
  if (!facts.catchesUsr1) {
    throw new Error(
      `process ${pid} cannot open an inspector on SIGUSR1 (it has only just started, or runs with --disable-sigusr1); ` +
        "start it with `node --inspect` instead",
    );
  }
  if (facts.state === "T")
    throw new Error(
      `process ${pid} is stopped (SIGSTOP) and cannot respond; resume it first: kill -CONT ${pid}`,
    );
}

/** Node's inspector asks nobody who they are, and the port is open for some tens of milliseconds: enough for who waits for it. */
function checkAlone(pid: number, { uid }: ProcessFacts): void {
  const others = othersBeside(pid, [uid, process.geteuid?.() ?? uid]);
  if (others.length === 0) return;
  const who = others.length > 3 ? `${others.length} other users` : `uid ${others.join(" and uid ")}`;
  throw new Error(
    `process ${pid} would open its inspector's port for a moment, through which ${who} on this machine could run code as its user; ` +
      "start the program under the debugger instead, or, if you trust them, put open_port = true under [adapters.node] in the configuration",
  );
}

/** Another of ours has it for a moment only, and nothing tells when that is over. */
async function portIsFree(pid: number): Promise<void> {
  const deadline = performance.now() + PORT_MS;
  const wanted = inspectorPort(pid);
  for (;;) {
    const owner = portOwner(pid, wanted);
    if (owner === undefined) return;
    if (performance.now() > deadline)
      throw new Error(
        owner === pid
          ? `process ${pid} itself listens on port ${wanted}, on which it would open its inspector; if that is its inspector, attach to the port`
          : `process ${pid} would open its inspector on port ${wanted}, which ${owner === 0 ? "another process" : `process ${owner}`} already uses; end that debugging session first`,
      );
    await sleep(50);
  }
}

/** 0 if it cannot be seen. */
function portOwner(pid: number, wanted: number): number | undefined {
  const taken = listeners(pid).find(({ port }) => port === wanted);
  return taken === undefined ? undefined : (ownerOf(taken.inode) ?? 0);
}

/** No way to see who listens where: try the port that SIGUSR1 opens, and let the caller check whose it is. */
async function findElsewhere(pid: number): Promise<FoundInspector> {
  const before = await askInspector("127.0.0.1", DEFAULT_PORT, ASK_MS);
  if (before !== undefined) return { webSocketUrl: before.webSocketUrl, ownPid: pid };
  throw new Error(
    `cannot tell on ${process.platform} whether process ${pid} is Node; ` +
      `open its inspector with \`kill -USR1 ${pid}\` and attach to port ${DEFAULT_PORT}`,
  );
}
