/**
 * Two transports joined back to back, for an adapter that lives in our own process. Messages are handed over
 * asynchronously and in order, as on a pipe, and as the same objects: neither side may change one it has sent.
 */
import type { CloseReason, Message, Transport } from "./transport.ts";

/** Hands one end to the adapter and returns the other. */
export function inProcess(serve: (transport: Transport) => void): Transport {
  const [ours, theirs] = transportPair();
  serve(theirs);
  return ours;
}

export function transportPair(): [Transport, Transport] {
  const left = new End();
  const right = new End();
  left.join(right);
  right.join(left);
  return [left, right];
}

const NOW = Promise.resolve();

/** As queueMicrotask, which makes a resource for async hooks each time and takes ten times as long. Nothing that is delivered throws. */
function soon(delivery: () => void): void {
  void NOW.then(delivery);
}

class End implements Transport {
  #other: End | undefined;
  #open = true;
  #onMessage: ((message: Message) => void) | undefined;
  #onClose: ((reason: CloseReason) => void) | undefined;
  /** What came before `start`. */
  #early: (() => void)[] = [];

  join(other: End): void {
    this.#other = other;
  }

  start(onMessage: (message: Message) => void, onClose: (reason: CloseReason) => void): void {
    this.#onMessage = onMessage;
    this.#onClose = onClose;
    for (const delivery of this.#early.splice(0)) soon(delivery);
  }

  send(message: Message): void {
    if (this.#open) this.#other?.deliver(() => this.#other?.take(message));
  }

  close(): void {
    this.end({ why: "sonde closed the connection" }, { why: "the other side closed the connection" });
  }

  end(ours: CloseReason, theirs: CloseReason): void {
    if (!this.#open) return;
    this.#open = false;
    this.deliver(() => this.#onClose?.(ours));
    this.#other?.deliver(() => this.#other?.end(theirs, ours));
  }

  deliver(delivery: () => void): void {
    if (this.#onMessage === undefined) this.#early.push(delivery);
    else soon(delivery);
  }

  take(message: Message): void {
    if (!this.#open) return;
    try {
      this.#onMessage?.(message);
    } catch (error) {
      // Ours to report: thrown from here it would end the daemon.
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const reason = { why: "the built-in debug adapter failed", stderr: text };
      this.end(reason, reason);
    }
  }
}
