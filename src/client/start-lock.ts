/**
 * The lock under which a daemon is started: a file that names its holder. The holder is first the client that starts the
 * daemon, then the daemon itself (`hand`), which removes it once its socket is in place; so killing that client halfway
 * leaves a lock that is still held by someone alive.
 */
import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive as signalReaches, statOf } from "../util/process-facts.ts";

export interface Holder {
  pid: number;
  /** When the process began, in the kernel's ticks; with `boot` it tells a reused pid. Empty without /proc. */
  start: string;
  boot: string;
  nonce: string;
}

export const LOCK_NAME = "start.lock";

export type Acquired = { ok: true; lock: StartLock } | { ok: false; holder: Holder };

/** Takes the lock, or says who has it. A dead holder's lock is taken over. */
export function acquire(folder: string, name = LOCK_NAME): Acquired {
  const lock = new StartLock(folder, name, identify(process.pid));
  for (;;) {
    if (lock.create()) return { ok: true, lock };
    const holder = readHolder(folder, name);
    if (!holder) continue; // released between the two calls
    if (isAlive(holder)) return { ok: false, holder };
    const removed = removeDead(folder, name, holder);
    if (removed) return { ok: false, holder: removed };
  }
}

export class StartLock {
  readonly #folder: string;
  readonly #name: string;
  readonly #path: string;
  #holder: Holder;

  constructor(folder: string, name: string, holder: Holder) {
    this.#folder = folder;
    this.#name = name;
    this.#path = join(folder, name);
    this.#holder = holder;
  }

  /** Linked into place, so that nobody ever reads a lock that is not written yet. */
  create(): boolean {
    const draft = this.#draft(this.#holder);
    try {
      linkSync(draft, this.#path);
      return true;
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw thrown;
    } finally {
      unlinkSync(draft);
    }
  }

  /** Makes another process the holder: it removes the lock itself when it is ready. */
  hand(pid: number): void {
    this.#holder = { ...identify(pid), nonce: this.#holder.nonce };
    renameSync(this.#draft(this.#holder), this.#path);
  }

  /** By the holder, which is alive, so nobody else takes it over meanwhile. */
  release(): void {
    if (parseHolder(readText(this.#path) ?? "").nonce === this.#holder.nonce) removeFile(this.#path);
  }

  /** After the process it was handed to has died. */
  removeAfterDeath(): void {
    removeDead(this.#folder, this.#name, this.#holder);
  }

  #draft(holder: Holder): string {
    const draft = `${this.#path}.${holder.nonce}.new`;
    writeFileSync(draft, JSON.stringify(holder), { mode: 0o600, flag: "wx" });
    return draft;
  }
}

/** For the process the lock was handed to. */
export function releaseHanded(folder: string, name = LOCK_NAME): void {
  if (readHolder(folder, name)?.pid === process.pid) removeFile(join(folder, name));
}

/**
 * Removing "the dead lock I saw" must not remove the fresh one that a quicker racer put there. So the right to remove
 * exactly that lock is itself a lock, named after its nonce: whoever holds it looks again, and only then removes.
 * A racer that dies while holding it leaves another dead lock, handled the same way.
 */
function removeDead(folder: string, name: string, dead: Holder): Holder | undefined {
  const right = acquire(folder, `${LOCK_NAME}.${dead.nonce}`);
  if (!right.ok) return right.holder;
  try {
    if (readHolder(folder, name)?.nonce === dead.nonce) removeFile(join(folder, name));
  } finally {
    right.lock.release();
  }
  return undefined;
}

export function readHolder(folder: string, name = LOCK_NAME): Holder | undefined {
  const text = readText(join(folder, name));
  return text === undefined ? undefined : parseHolder(text);
}

/** Text that is no lock of ours reads as one held by nobody, so it can be taken over. */
function parseHolder(text: string): Holder {
  try {
    const { pid, start, boot, nonce } = JSON.parse(text) as Partial<Holder>;
    if (typeof pid === "number" && typeof nonce === "string" && /^[0-9a-f]{16}$/.test(nonce)) {
      return { pid, start: String(start ?? ""), boot: String(boot ?? ""), nonce };
    }
  } catch {
    // not JSON: a foreign file
  }
  return { pid: 0, start: "", boot: "", nonce: "unreadable" };
}

export function isAlive(holder: Holder): boolean {
  if (holder.pid <= 0) return false;
  if (holder.start === "") return signalReaches(holder.pid);
  const now = identify(holder.pid);
  return now.start === holder.start && now.boot === holder.boot;
}

function identify(pid: number): Holder {
  return {
    pid,
    start: startTime(pid),
    boot: (readText("/proc/sys/kernel/random/boot_id") ?? "").trim(),
    nonce: randomBytes(8).toString("hex"),
  };
}

/** A zombie has ended already: its lock is dead even though nobody has collected it yet. */
function startTime(pid: number): string {
  const stat = statOf(pid);
  return stat === undefined || stat.state === "Z" ? "" : stat.born;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ESRCH") return undefined;
    throw thrown;
  }
}

function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "ENOENT") throw thrown;
  }
}
