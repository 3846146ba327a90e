/** Who waits for a session to be given back, and gives up, leaves nothing behind. */
import { expect, test } from "vitest";
import { AllHands } from "../../src/engine/sessions/hands.ts";
import { collectGarbage } from "../../src/util/collect-garbage.ts";
import { Rig } from "./rig.ts";

test("an agent that asks again and again is forgotten each time", async () => {
  const { session } = new Rig({});
  const hands = new AllHands(() => {}).of(session.launch, "page");
  const asked: WeakRef<AbortSignal>[] = [];
  for (let n = 0; n < 20; n++) {
    const { signal } = new AbortController();
    asked.push(new WeakRef(signal));
    expect(await hands.whenGiven({ timeoutMs: 0, signal })).toBe(false);
  }
  const waiting = hands.whenGiven({});
  await new Promise((done) => setImmediate(done));
  collectGarbage();
  // The last of them may still be on the stack.
  expect(asked.filter((one) => one.deref() !== undefined).length).toBeLessThan(3);
  expect(hands.give()).toContain("a person had scripted");
  expect(await waiting).toBe(true);
});
