/** What one sample stands for, in a file that tells only sums: about as much as its smallest ones. Pure. */
export function weightOfOne(weights: readonly number[]): number {
  const sorted = weights.filter((one) => one > 0).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 10)] ?? 1;
}
