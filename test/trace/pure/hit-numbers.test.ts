import { describe, expect, test } from "vitest";
import { HitNumbers } from "../../../src/trace/hit-numbers.ts";

/** Hits, and between them how many were reported as lost. */
function numbered(happened: ("hit" | number)[], excess: number) {
  const numbers = new HitNumbers(1);
  const given = happened.flatMap((one) => {
    if (one === "hit") return [numbers.next(0)];
    numbers.lost(one, 0);
    return [];
  });
  numbers.takeBack(excess, 0);
  return { given, settled: given.map((one) => numbers.settled(0, one)), counts: numbers.counts };
}

describe("numbers of hits", () => {
  test("count those that were lost", () => {
    const { settled, counts } = numbered(["hit", 3, "hit", "hit", 2], 0);
    expect(settled).toEqual([1, 5, 6]);
    expect(counts).toEqual([8]);
  });

  test("are lowered after a loss, as far as it may have been none; each stays its own", () => {
    const { given, settled, counts } = numbered(["hit", 1, "hit", "hit", 4, "hit"], 3);
    expect(given).toEqual([1, 3, 4, 9]);
    expect(settled).toEqual([1, 2, 3, 6]);
    expect(counts).toEqual([6]);
  });
});
