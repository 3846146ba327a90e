/** Numbers given out for frames and values. Never used twice, so that an old one is known to be old. */
import { DapError } from "./host.ts";

export class Handles<T> {
  readonly #what: string;
  readonly #live = new Map<number, T>();
  #next = 1;

  constructor(what: string) {
    this.#what = what;
  }

  add(value: T): number {
    const id = this.#next++;
    this.#live.set(id, value);
    return id;
  }

  get(id: number): T {
    const found = this.#live.get(id);
    if (found !== undefined) return found;
    const known = id > 0 && id < this.#next;
    throw new DapError(
      known ? `stale ${this.#what} ${id}: the program has moved since` : `no ${this.#what} ${id}`,
    );
  }

  clear(): void {
    this.#live.clear();
  }
}
