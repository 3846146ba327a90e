/**
 * The one owner of every process a session started. Whoever spawns one says so here; ending the session ends exactly these.
 * A process we only attached to never gets on the list.
 */
import type { Guard } from "./guard.ts";

export interface OwnedProcess {
  pid: number;
  what: string;
}

export class Processes {
  #guard: Guard;
  #owned = new Map<number, OwnedProcess>();
  #empty: (() => void)[] = [];

  constructor(guard: Guard) {
    this.#guard = guard;
  }

  own(pid: number, what: string): void {
    this.#owned.set(pid, { pid, what });
    this.#guard.watch(pid);
  }

  /** It has exited, or it is no longer ours. */
  release(pid: number): void {
    if (!this.#owned.delete(pid)) return;
    this.#guard.forget(pid);
    if (this.#owned.size > 0) return;
    for (const wake of this.#empty.splice(0)) wake();
  }

  list(): OwnedProcess[] {
    return [...this.#owned.values()];
  }

  /** Asks each to end, waits for them to be released, then kills what is left. */
  async endAll(graceMs: number): Promise<void> {
    if (this.#owned.size === 0) return;
    for (const pid of this.#owned.keys()) signal(pid, "SIGTERM");
    await this.#whenEmpty(graceMs);
    if (this.#owned.size === 0) return;
    for (const pid of this.#owned.keys()) signal(pid, "SIGKILL");
    await this.#whenEmpty(graceMs);
    for (const pid of [...this.#owned.keys()]) this.release(pid);
  }

  #whenEmpty(graceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#empty.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

/** To the group it leads, if it leads one, and to itself. */
function signal(pid: number, name: NodeJS.Signals): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, name);
    } catch {
      // ESRCH: already gone, or not a group leader. Either way there is nothing to end under that number.
    }
  }
}
