/** Gives memory back once there is nothing to do, if the work before took some. */
/** Commands mostly come one after another. */
const AFTER_MS = 500;
/** Less is not worth the tenth of a second that it can take. */
const WORTH_BYTES = 4 << 20;

export class Tidy {
  #timer: NodeJS.Timeout | undefined;
  /** From the start: the first command may take most. */
  #least = taken();

  soon(): void {
    this.cancel();
    this.#timer = setTimeout(() => void this.#tidy(), AFTER_MS).unref();
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }

  async #tidy(): Promise<void> {
    this.#least = Math.min(this.#least, taken());
    if (taken() - this.#least < WORTH_BYTES) return;
    const { collectGarbage } = await import("../util/collect-garbage.ts");
    collectGarbage();
    this.#least = taken();
  }
}

/** From the system, used or not. */
function taken(): number {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external;
}
