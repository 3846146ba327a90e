/** A list of callbacks. `add` returns the function that takes it off again. */
export class Listeners<T> {
  #all = new Set<(value: T) => void>();

  add(listener: (value: T) => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  emit(value: T): void {
    for (const listener of [...this.#all]) listener(value);
  }
}
