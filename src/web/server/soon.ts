/** Does something shortly after it was first wanted, once for all who want it meanwhile; and again if it is wanted while it is done. */
export class Soon {
  readonly #work: () => Promise<void>;
  readonly #ms: number;
  #timer: NodeJS.Timeout | undefined;
  #running = false;
  #again = false;

  constructor(ms: number, work: () => Promise<void>) {
    this.#ms = ms;
    this.#work = work;
  }

  want(): void {
    if (this.#running) this.#again = true;
    else this.#timer ??= setTimeout(() => void this.#run(), this.#ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    this.#running = true;
    await this.#work();
    this.#running = false;
    if (!this.#again) return;
    this.#again = false;
    this.want();
  }
}
