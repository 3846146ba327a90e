/** The private folder in which each Node process of a debugged command says where its inspector listens. */

import { type FSWatcher, readdirSync, readFileSync, rmSync, watch } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../util/left-folders.ts";

/** Only when the system has no file watcher left to give. */
const FALLBACK_POLL_MS = 25;

/** What boot.cjs writes. */
export interface Report {
  pid: number;
  url: string;
  version: string;
  /** Absolute path of the main script; empty for `node -e`. */
  script: string;
  execArgv: string[];
  cwd: string;
}

export class ReportFolder {
  readonly path: string;
  readonly #onReport: (report: Report) => void;
  readonly #log: (message: string) => void;
  #watcher: FSWatcher | undefined;
  #poll: NodeJS.Timeout | undefined;
  #closed = false;

  /** Watches from the start, so that no report can come too early. */
  constructor(onReport: (report: Report) => void, log: (message: string) => void) {
    this.#onReport = onReport;
    this.#log = log;
    // The name holds our pid: a process that starts after we were killed must not wait for us (see boot.cjs).
    this.path = temporaryFolder("node");
    try {
      this.#watcher = watch(this.path, { persistent: false }, () => this.#read());
      this.#watcher.on("error", (error) => this.#fallBack(error));
    } catch (error) {
      this.#fallBack(error);
    }
    this.#read();
  }

  /** From now on a Node process of the command runs undebugged. */
  close(): void {
    this.#closed = true;
    this.#watcher?.close();
    clearInterval(this.#poll);
    try {
      rmSync(this.path, { recursive: true, force: true });
    } catch (error) {
      this.#log(`${this.path} stays behind: ${String(error)}`);
    }
  }

  #read(): void {
    if (this.#closed) return;
    for (const name of this.#list()) {
      if (!name.endsWith(".json")) continue;
      const file = join(this.path, name);
      try {
        const report = JSON.parse(readFileSync(file, "utf8")) as Report;
        rmSync(file, { force: true });
        this.#onReport(report);
      } catch (error) {
        this.#log(`unreadable report ${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }

  #list(): string[] {
    try {
      return readdirSync(this.path);
    } catch (error) {
      this.#log(`the folder of reports is gone, further processes run undebugged: ${String(error)}`);
      return [];
    }
  }

  #fallBack(error: unknown): void {
    this.#log(`no file watcher, looking every ${FALLBACK_POLL_MS} ms instead: ${String(error)}`);
    this.#poll ??= setInterval(() => this.#read(), FALLBACK_POLL_MS).unref();
  }
}
