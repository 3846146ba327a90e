/** A process that was halted before we came is halted again when we leave, unless it was told to move in between. */
import type { Opening } from "../adapters/adapter.ts";
import { hasDied, isHalted } from "./died.ts";

export class AsFound {
  #halted: number | undefined;

  note({ request, plan }: Opening): void {
    this.#halted =
      request === "attach" && plan.pid !== undefined && isHalted(plan.pid) ? plan.pid : undefined;
  }

  moved(): void {
    this.#halted = undefined;
  }

  /** The process that is left so. */
  get halted(): number | undefined {
    return this.#halted;
  }

  restore(): void {
    if (this.#halted === undefined || hasDied(this.#halted)) return;
    try {
      process.kill(this.#halted, "SIGSTOP");
    } catch {
      // It has ended just now.
    }
  }
}
