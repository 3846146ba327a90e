/**
 * Debugger and program on one processor: where waking another is dear that is twice as fast, on a busy machine it is slower. So it is
 * tried for a while, and kept if it pays. The program counted its processors before, and goes on as if it had them all.
 */
import { askProgram, toolOnPath } from "../../../adapters/kit/find.ts";
import type { Session } from "../../../session/session.ts";

/** Hits by which two ways are compared. */
const TRIAL = 60;

export class Pinning {
  readonly #session: Session;
  #hits = 0;
  #since = 0;
  #free = Number.POSITIVE_INFINITY;
  #cpus: string | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  /** To be called at each hit. */
  async hit(): Promise<void> {
    this.#hits++;
    const took = performance.now() - this.#since;
    if (this.#hits === TRIAL) this.#since = performance.now();
    else if (this.#hits === 2 * TRIAL) {
      this.#free = took;
      await this.#pin();
      this.#since = performance.now();
    } else if (this.#hits === 3 * TRIAL && took > this.#free) await this.#unpin();
  }

  async #pin(): Promise<void> {
    const allowed = (await this.#taskset("-c", "-p", String(process.pid)))?.stdout;
    this.#cpus = /: ([\d,-]+)\s*$/.exec(allowed ?? "")?.[1];
    const last = /\d+$/.exec(this.#cpus ?? "")?.[0]; // the first is everybody's
    if (last !== undefined) await this.#hold(last);
  }

  async #unpin(): Promise<void> {
    if (this.#cpus !== undefined) await this.#hold(this.#cpus);
  }

  async #hold(cpus: string): Promise<void> {
    const { launch, main } = this.#session;
    const pids = new Set(launch.processes.list().map(({ pid }) => pid));
    if (main?.pid !== undefined) pids.add(main.pid);
    await Promise.all([...pids].map((pid) => this.#taskset("-a", "-c", "-p", cpus, String(pid))));
  }

  /** Nothing where there is no such thing, or it is refused: it goes on as it was. */
  async #taskset(...args: string[]) {
    const path = process.platform === "linux" ? toolOnPath("taskset", this.#session.launch.where) : undefined;
    return path === undefined ? undefined : askProgram(path, args, {});
  }
}
