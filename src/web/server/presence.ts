/**
 * Tells the daemon that a person is there, who could be asked to give a session back: for as long as a tab is open that may do so, and this process
 * lives. It is a request that goes on, so it ends with us however we end.
 */
import type { Places } from "../../client/paths.ts";
import { Daemon } from "./daemon.ts";

export class Presence {
  readonly #daemon: Daemon;
  #isThere = false;
  #open: AbortController | undefined;

  constructor(places: Places) {
    this.#daemon = new Daemon(places, false);
  }

  set(isThere: boolean): void {
    this.#isThere = isThere;
    if (isThere) this.renew();
    else this.#open?.abort();
  }

  /** There is a daemon, perhaps another one. */
  renew(): void {
    if (!this.#isThere || (this.#open && !this.#open.signal.aborted)) return;
    const open = new AbortController();
    this.#open = open;
    const asked = { command: "changes", args: { follow: true, kind: ["owner"] }, cwd: "/", readOnly: false };
    void this.#daemon.ask({ ...asked, signal: open.signal }).finally(() => {
      if (this.#open === open) this.#open = undefined;
    });
  }
}
