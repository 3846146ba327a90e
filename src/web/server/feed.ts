/**
 * What the daemon says of sessions as they change. It is no reason for a daemon to be there: one that has nothing to do goes, or makes room for
 * another, and this waits until a daemon has a session again.
 */
import { type FSWatcher, watch } from "node:fs";
import { readRecord } from "../../client/daemon-record.ts";
import type { Places } from "../../client/paths.ts";
import type { RuntimeDir } from "../../client/runtime-dir.ts";
import { Daemon } from "./daemon.ts";

export interface Change {
  kind: string;
  session: string;
}

export interface FeedListener {
  /** A daemon is there, perhaps another one: all that is known may be different. */
  onDaemon(): void;
  onChange(change: Change): void;
  /** There is none, or one that holds no session. */
  onGone(): void;
}

export class DaemonFeed {
  readonly #daemon: Daemon;
  readonly #dir: RuntimeDir;
  readonly #listener: FeedListener;
  #isOpen = false;
  #watcher: FSWatcher | undefined;

  constructor(places: Places, dir: RuntimeDir, listener: FeedListener) {
    this.#daemon = new Daemon(places, false);
    this.#dir = dir;
    this.#listener = listener;
  }

  start(): void {
    this.connect();
    // The daemon notes how many sessions it has.
    const look = () => {
      if (!this.#isOpen && (readRecord(this.#dir.held)?.sessions ?? 0) > 0) this.connect();
    };
    try {
      this.#watcher = watch(this.#dir.path, look);
      this.#watcher.on("error", () => {}); // the folder is gone, and we with it
    } catch {
      // Out of watches: a daemon that comes later is found when a tab looks at something.
    }
  }

  /** If there is a daemon to ask. */
  connect(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    void this.#follow();
  }

  async #follow(): Promise<void> {
    let first = true;
    let rest = "";
    await this.#daemon.ask({
      command: "changes",
      args: { follow: true },
      cwd: "/",
      readOnly: true,
      onChunk: (chunk) => {
        const lines = `${rest}${chunk}`.split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          if (first) this.#listener.onDaemon();
          else this.#take(line);
          first = false;
        }
      },
    });
    this.#isOpen = false;
    if (!first) this.#listener.onGone();
  }

  #take(line: string): void {
    try {
      this.#listener.onChange(JSON.parse(line) as Change);
    } catch {
      this.#listener.onDaemon(); // we were too slow, and some are left out: all is looked at again
    }
  }
}
