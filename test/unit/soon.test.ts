/** Work that is wanted again after it failed. */
import { expect, onTestFinished, test } from "vitest";
import { deferred } from "../../src/util/wait.ts";
import { Soon } from "../../src/web/server/soon.ts";

test("work that failed is done when it is wanted again, also if that was meanwhile", async () => {
  // The server writes them into its log; here they would fail the run.
  const listeners = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  const failures: unknown[] = [];
  process.on("unhandledRejection", (reason) => failures.push(reason));
  onTestFinished(() => {
    process.removeAllListeners("unhandledRejection");
    for (const one of listeners) process.on("unhandledRejection", one);
  });
  const calls = Array.from({ length: 3 }, () => deferred<void>());
  let count = 0;
  const soon: Soon = new Soon(0, async () => {
    count += 1;
    calls[count - 1]?.resolve();
    if (count === 1) soon.want();
    if (count < 3) throw new Error(`failure ${count}`);
  });
  soon.want();
  await calls[1]?.promise;
  await new Promise((done) => setImmediate(done));
  soon.want();
  await calls[2]?.promise;
  expect(failures.map(String)).toEqual(["Error: failure 1", "Error: failure 2"]);
});
