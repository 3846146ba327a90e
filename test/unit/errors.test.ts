/** What kind of error one is: handlers of a debugger's refusal must not take our own. */
import { expect, test } from "vitest";
import { DapRequestError } from "../../src/dap/request-error.ts";
import { SondeError } from "../../src/errors.ts";

test("a refusal of the adapter is an error of ours; an error of ours is no refusal of the adapter", () => {
  const ours = new SondeError("BAD_ARGUMENT", "there is no frame 99; the last is 9");
  const refusal = new DapRequestError("evaluate", "no", undefined);
  expect([ours, refusal, new Error("x")].map((one) => one instanceof SondeError)).toEqual([
    true,
    true,
    false,
  ]);
  expect([ours, refusal].map((one) => one instanceof DapRequestError)).toEqual([false, true]);
});
