/** Folders whose files come and go without the daemon: runs of agents, traces, profiles, logs. */
import { type FSWatcher, mkdirSync, watch } from "node:fs";

export class Folders {
  readonly #watchers = new Map<string, FSWatcher>();

  /** Calls back when something in it changes. A second time: nothing happens. `makes`: it is one of ours, and may not be there yet. */
  add(path: string, changed: (name: string) => void, { makes = false } = {}): void {
    if (this.#watchers.has(path)) return;
    try {
      if (makes) mkdirSync(path, { recursive: true, mode: 0o700 });
      const watcher = watch(path, (_, name) => changed(name ?? ""));
      watcher.on("error", () => this.remove(path)); // it is gone
      this.#watchers.set(path, watcher);
    } catch {
      // It cannot be watched (no such folder, too many watches): then it is looked at when the page asks.
    }
  }

  remove(path: string): void {
    this.#watchers.get(path)?.close();
    this.#watchers.delete(path);
  }

  keepOnly(paths: ReadonlySet<string>, of: (path: string) => boolean): void {
    for (const path of [...this.#watchers.keys()]) if (of(path) && !paths.has(path)) this.remove(path);
  }
}
