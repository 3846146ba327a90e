/** Ends a session that has had no command for a long time, and remembers to say so. */
import type { Session } from "../../session/session.ts";
import type { SessionTable } from "./table.ts";

export class SessionIdle {
  #table: SessionTable;
  #afterMs: number;
  #timers = new Map<Session, NodeJS.Timeout>();

  constructor(table: SessionTable, afterMs: number) {
    this.#table = table;
    this.#afterMs = afterMs;
  }

  touched(session: Session): void {
    clearTimeout(this.#timers.get(session));
    const timer = setTimeout(() => this.#expire(session), this.#afterMs);
    timer.unref();
    this.#timers.set(session, timer);
  }

  forget(session: Session): void {
    clearTimeout(this.#timers.get(session));
    this.#timers.delete(session);
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #expire(session: Session): void {
    // Someone is still waiting for it: a command that takes long is no idleness.
    if (session.stops.awaited || session.output.followed) {
      this.touched(session);
      return;
    }
    this.forget(session);
    const minutes = Math.round(this.#afterMs / 60_000);
    const what =
      session.opening.request === "attach" ? "the process was left running" : "the program was terminated";
    void session.end();
    this.#table.remove(
      session,
      `session ${session.name} was ended after ${minutes} minutes without a command; ${what}`,
    );
  }
}
