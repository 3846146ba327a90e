/** Ends a session that has had no command for a long time, and remembers to say so. */
import type { Launch } from "../../session/launch.ts";
import { sessionOf } from "../../session/session.ts";
import type { LaunchTable } from "./table.ts";

export class SessionIdle {
  #table: LaunchTable;
  #afterMs: number;
  #timers = new Map<Launch, NodeJS.Timeout>();

  constructor(table: LaunchTable, afterMs: number) {
    this.#table = table;
    this.#afterMs = afterMs;
  }

  touched(launch: Launch): void {
    clearTimeout(this.#timers.get(launch));
    const timer = setTimeout(() => this.#expire(launch), this.#afterMs);
    timer.unref();
    this.#timers.set(launch, timer);
  }

  forget(launch: Launch): void {
    clearTimeout(this.#timers.get(launch));
    this.#timers.delete(launch);
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #expire(launch: Launch): void {
    // Someone is still waiting for it: a command that takes long is no idleness.
    if (sessionOf(launch)?.stops.awaited || launch.output.followed) {
      this.touched(launch);
      return;
    }
    this.forget(launch);
    const minutes = Math.round(this.#afterMs / 60_000);
    const what =
      launch.opening.request === "attach" ? "the process was left running" : "the program was terminated";
    void launch.end();
    this.#table.remove(
      launch,
      `session ${launch.name} was ended after ${minutes} minutes without a command; ${what}`,
    );
  }
}
