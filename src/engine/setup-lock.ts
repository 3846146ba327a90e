/** One installation of an adapter at a time, whichever daemon does it. A file that names its holder. */
import { linkSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { SondeError } from "../errors.ts";
import { wait } from "../util/wait.ts";

/** A holder that died says nothing; it is looked at this often. */
const LOOK_MS = 1_000;

let serial = 0;

/** Resolves with the way to give it back. `waiting` is told, once, whom it waits for. */
export async function lockSetup(
  path: string,
  signal: AbortSignal,
  waiting: (pid: number) => void,
): Promise<() => void> {
  const mine = `${path}.${process.pid}.${++serial}`;
  const holder = `${process.pid} ${serial}\n`;
  writeFileSync(mine, holder);
  try {
    let told = false;
    while (!take(mine, path)) {
      const other = read(path);
      const pid = Number(other?.split(" ")[0]);
      if (other === undefined) continue;
      if (!alive(pid)) {
        removeStale(path, other);
        continue;
      }
      if (!told) waiting(pid);
      told = true;
      const changed = await wait(whenChanged(path), { timeoutMs: LOOK_MS, signal });
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

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // just given back
  }
}

/** Aside first: if it was another's by then, it is put back. */
function removeStale(path: string, content: string): void {
  const aside = `${path}.stale.${process.pid}.${++serial}`;
  try {
    renameSync(path, aside);
  } catch {
    return; // somebody else did
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

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
