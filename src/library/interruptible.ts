/** A signal for the calls of now, that can be given up together; and the refusal of those that come too late. */
import { SondeError } from "../errors.ts";

export class Interruptible {
  #now = new AbortController();
  #closed = false;

  /** Of the caller, or ours. Throws for a call that must not begin. */
  signalFor(command: string, caller: AbortSignal | undefined): AbortSignal {
    if (this.#closed) throw cancelled(command, "this sonde has been closed");
    if (caller?.aborted) throw cancelled(command);
    return caller ? AbortSignal.any([caller, this.#now.signal]) : this.#now.signal;
  }

  interrupt(): void {
    this.#now.abort();
    this.#now = new AbortController();
  }

  close(): void {
    this.#closed = true;
    this.interrupt();
  }
}

export function cancelled(command: string, why?: string): SondeError {
  return new SondeError("CANCELLED", `${command} was cancelled${why === undefined ? "" : `: ${why}`}`);
}
