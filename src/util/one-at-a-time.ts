/** Work that must not overlap: each piece begins when the one before has ended, however that ended. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  do<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work, work);
    this.#last = next;
    return next;
  }
}
