/** How often each point was reached, by which its hits are numbered: those that were lost count too. */

interface Loss {
  /** The last number that was given before it was reported. */
  after: number;
  /** All that had been reported by then, with it. */
  lost: number;
}

/** More than these are not told apart: there, as many are lost as will ever be taken back. */
const MANY_LOSSES = 10_000;

export class HitNumbers {
  readonly counts: number[];
  readonly #losses: Loss[][];
  /** By point: what was reported as lost and was no hit. */
  readonly #excess: number[];

  constructor(points: number) {
    this.counts = new Array<number>(points).fill(0);
    this.#excess = new Array<number>(points).fill(0);
    this.#losses = this.counts.map(() => []);
  }

  next(point: number): number {
    const hit = (this.counts[point] ?? 0) + 1;
    this.counts[point] = hit;
    return hit;
  }

  lost(count: number, point: number): void {
    const after = this.counts[point] ?? 0;
    this.counts[point] = after + count;
    const losses = this.#losses[point];
    if (losses && losses.length < MANY_LOSSES)
      losses.push({ after, lost: (losses.at(-1)?.lost ?? 0) + count });
  }

  /** Which of them they were is not known: so all numbers since the first loss are lowered, and none is too high. */
  takeBack(count: number, point: number): void {
    this.counts[point] = (this.counts[point] ?? 0) - count;
    this.#excess[point] = (this.#excess[point] ?? 0) + count;
  }

  /** What is left of a number that was given. No two hits get the same. */
  settled(point: number, hit: number): number {
    const excess = this.#excess[point] ?? 0;
    if (excess === 0) return hit;
    return hit - Math.min(excess, this.#lostBefore(point, hit));
  }

  #lostBefore(point: number, hit: number): number {
    const losses = this.#losses[point] ?? [];
    let [low, high] = [0, losses.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((losses[middle]?.after ?? 0) < hit) low = middle + 1;
      else high = middle;
    }
    return losses[low - 1]?.lost ?? 0;
  }
}
