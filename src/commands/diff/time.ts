/** How long the runs of a comparison may take. */

/** One for all the runs of a call. */
export class Time {
  readonly seconds: number;
  readonly #began = performance.now();

  constructor(seconds: number) {
    this.seconds = seconds;
  }

  get left(): number {
    return Math.max(0, this.seconds - (performance.now() - this.#began) / 1000);
  }
}
