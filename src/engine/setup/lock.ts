/** One installation of an adapter at a time, whichever daemon does it. A file that names its holder. */
import { linkSync, renameSync, rmSync, watch, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { SondeError } from "../../errors.ts";
import { identityOf, isSameProcess } from "../../util/process-facts.ts";
import { readSmallFile } from "../../util/small-file.ts";
import { wait } from "../../util/wait.ts";

/** A holder that died cannot say so: it is checked this often. */
const LOOK_MS = 1_000;
const LONGEST_MS = 15 * 60_000;
/** How often the file may exist when it is to be made and be gone when it is to be read: more than this is no race. */
const MOST_VANISHED = 100;

let serial = 0;

/** Resolves with the way to give it back. `waiting` is told, once, whom it waits for. */
export async function lockSetup(
  path: string,
  signal: AbortSignal,
  waiting: (pid: number) => void,
  longestMs = LONGEST_MS,
): Promise<() => void> {
  const mine = `${path}.${process.pid}.${++serial}`;
  const holder = `${process.pid} ${identityOf(process.pid) ?? "-"} ${serial}\n`;
  const until = performance.now() + longestMs;
  writeFileSync(mine, holder);
  try {
    let told = false;
    for (let vanished = 0; !take(mine, path); ) {
      const other = read(path);
      if (other === undefined) {
        if (++vanished > MOST_VANISHED) throw unusable(path, "it exists but cannot be opened");
        continue;
      }
      const { pid, identity } = parse(other);
      if (!isSameProcess(pid, identity)) {
        removeStale(path, other);
        continue;
      }
      if (!told) waiting(pid);
      told = true;
      const left = until - performance.now();
      if (left <= 0) throw tooLong(path, pid, longestMs);
      const changed = await wait(whenChanged(path), { timeoutMs: Math.min(LOOK_MS, left), signal });
      if (!changed.done && changed.why === "aborted")
        throw new SondeError("CANCELLED", `cancelled while waiting for process ${pid} to finish installing`);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  return () => {
    if (read(path) === holder) rmSync(path, { force: true });
  };
}

function parse(text: string): { pid: number; identity: string | undefined } {
  const [pid, identity = ""] = text.split(" ");
  return { pid: Number(pid), identity: identity.includes(":") ? identity : undefined };
}

function tooLong(path: string, pid: number, longestMs: number): SondeError {
  const minutes = Math.round(longestMs / 60_000);
  return new SondeError("TIMEOUT", `process ${pid} has held ${path} for more than ${minutes} minutes`, {
    hint: "if it is no longer installing anything, end it or remove the file",
  });
}

function unusable(path: string, why: string): SondeError {
  return new SondeError("SETUP_FAILED", `the lock ${path} cannot be used: ${why}`, {
    hint: "remove it if no other setup is running",
  });
}

/** The name appears with its content or not at all. */
function take(mine: string, path: string): boolean {
  try {
    linkSync(mine, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Undefined when it was just given back. */
function read(path: string): string | undefined {
  try {
    return readSmallFile(path, 1_000);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unusable(path, (error as Error).message);
  }
}

/** Aside first: if it was another's by then, it is put back. */
function removeStale(path: string, content: string): void {
  const aside = `${path}.stale.${process.pid}.${++serial}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return; // somebody else did
    throw unusable(path, (error as Error).message);
  }
  if (read(aside) !== content) take(aside, path);
  rmSync(aside, { force: true });
}

function whenChanged(path: string): Promise<void> {
  return new Promise((done) => {
    try {
      const watcher = watch(dirname(path), { persistent: false }, (_, name) => {
        if (name !== basename(path)) return;
        watcher.close();
        done();
      });
      watcher.once("error", () => watcher.close());
      setTimeout(() => watcher.close(), LOOK_MS).unref();
    } catch {
      // no watching here: the deadline looks
    }
  });
}
