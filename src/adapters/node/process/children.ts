/** Offers each later process and each worker to the client as a session of its own; what it does not take runs undebugged. */
import { type Arrival, release } from "./arrival.ts";
import { admit, take } from "./waiting-room.ts";

/** Where a child can be handed over: what the client takes lives in another process, which comes to a socket. */
export interface HandOver {
  newPath(): string;
}

export interface ChildrenHost {
  /** A reverse request to the client; rejects when the client refuses. */
  request(command: string, args: object): Promise<unknown>;
  log(message: string): void;
}

interface Takes {
  processes: boolean;
  workers: boolean;
  sharesProcess: boolean;
}

export class Children {
  readonly #host: ChildrenHost;
  readonly #offered = new Set<string>();
  /** What the client can take: workers only if it reaches this very process, where their sessions live. */
  #takes: Takes = { processes: false, workers: false, sharesProcess: true };

  constructor(host: ChildrenHost) {
    this.#host = host;
  }

  accept(takes: Takes): void {
    this.#takes = takes;
  }

  async offer(arrival: Arrival, sockets?: HandOver): Promise<void> {
    const taken = arrival.kind === "worker" ? this.#takes.workers : this.#takes.processes;
    if (!taken) {
      this.#host.log(
        `${arrival.title} (pid ${arrival.pid}) runs without a debugger: the client does not support child sessions`,
      );
      return release(arrival);
    }
    const token = admit(arrival, () => {
      this.#host.log(
        `${arrival.title} (pid ${arrival.pid}) runs without a debugger: nothing attached to it in time`,
      );
      void release(arrival);
    });
    this.#offered.add(token);
    try {
      const socket = this.#takes.sharesProcess ? undefined : sockets?.newPath();
      if (socket !== undefined) await arrival.handOver?.(socket);
      await this.#host.request("startDebugging", {
        request: "attach",
        configuration: {
          type: "node",
          name: arrival.title,
          sondeTarget: token,
          pid: arrival.pid,
          ...(socket === undefined ? {} : { sondeSocket: socket }),
        },
      });
    } catch (error) {
      this.#host.log(
        `the client refused ${arrival.title}: ${error instanceof Error ? error.message : error}`,
      );
      await this.#letGo(token);
    }
  }

  /** Everything that was offered and not taken runs now. */
  async releaseAll(): Promise<void> {
    await Promise.all([...this.#offered].map((token) => this.#letGo(token)));
  }

  async #letGo(token: string): Promise<void> {
    this.#offered.delete(token);
    const arrival = take(token);
    if (arrival !== undefined) await release(arrival);
  }
}
