/** Keeping only the most of something that a file may hold without end. */

/** A map that forgets what was put in first. */
export class RecentMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#most) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest);
        break;
      }
    }
  }

  take(key: K): V | undefined {
    const value = this.#entries.get(key);
    this.#entries.delete(key);
    return value;
  }

  get size(): number {
    return this.#entries.size;
  }

  entries(): IterableIterator<[K, V]> {
    return this.#entries.entries();
  }

  values(): IterableIterator<V> {
    return this.#entries.values();
  }
}

/** The `most` greatest of all that were added, greatest first. */
export class Greatest<T> {
  readonly #kept: { weight: number; value: T }[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  add(weight: number, value: T): void {
    if (this.#kept.length === this.#most && weight <= (this.#kept.at(-1)?.weight ?? 0)) return;
    const at = this.#kept.findIndex((one) => one.weight < weight);
    this.#kept.splice(at === -1 ? this.#kept.length : at, 0, { weight, value });
    if (this.#kept.length > this.#most) this.#kept.pop();
  }

  list(): T[] {
    return this.#kept.map(({ value }) => value);
  }
}
