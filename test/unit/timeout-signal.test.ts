import { expect, test } from "vitest";
import { collectGarbage } from "../../src/util/collect-garbage.ts";
import { timeoutSignal } from "../../src/util/timeout-signal.ts";

test("a time limit that is part of another signal outlives a collection of garbage", async () => {
  const fired = new Promise<unknown>((done) => {
    const all = AbortSignal.any([new AbortController().signal, timeoutSignal(200)]);
    all.addEventListener("abort", () => done(all.reason), { once: true });
  });
  collectGarbage();
  const alive = setTimeout(() => {}, 60_000); // the signal's own timer keeps nothing alive
  expect(await fired).toMatchObject({ name: "TimeoutError" });
  clearTimeout(alive);
});
