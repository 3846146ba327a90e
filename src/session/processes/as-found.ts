/** A process that was halted before we came is halted again when we leave, unless it was told to move in between. */
import type { Opening } from "../../adapters/adapter.ts";
import { type Known, knownBy, lives } from "./descendants.ts";
import { isHalted } from "./died.ts";

export class AsFound {
  #halted: Known | undefined;

  note({ request, plan }: Opening): void {
    const pid = request === "attach" ? plan.pid : undefined;
    this.#halted = pid !== undefined && isHalted(pid) ? knownBy(pid) : undefined;
  }

  moved(): void {
    this.#halted = undefined;
  }

  /** The process that is left so. */
  get halted(): number | undefined {
    return this.#halted?.pid;
  }

  restore(): void {
    if (this.#halted === undefined || !lives(this.#halted)) return;
    try {
      process.kill(this.#halted.pid, "SIGSTOP");
    } catch {
      // It has ended just now.
    }
  }
}
