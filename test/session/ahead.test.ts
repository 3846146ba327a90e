/** Values are asked for together with the stack where that has worked out before, and never shown when it has not. */
import { expect, test } from "vitest";
import { awaitStop, step } from "../../src/session/running/running.ts";
import type { Script } from "../scripted-adapter/script.ts";
import { Rig } from "./rig.ts";
import { sent } from "./sent.ts";

const frame = (id: number, path: string) => ({
  respond: { stackFrames: [{ id, name: "f", line: 5, column: 1, source: { path } }], totalFrames: 1 },
});
const variables = (value: string) => ({
  respond: { variables: [{ name: "x", value, variablesReference: 0 }] },
});

async function next(rig: Rig): Promise<void> {
  const before = await step(rig.session, { kind: "next" });
  await awaitStop(rig.session, { timeoutMs: 10_000 }, before);
}

/** The third stop and those after it are read ahead: two that agree go before. */
async function steady(script: Script): Promise<Rig> {
  const rig = new Rig(script);
  await rig.stopped();
  await next(rig);
  await rig.look();
  await next(rig);
  return rig;
}

test("an adapter that gives the same numbers at every stop is asked in one breath", async () => {
  // The stack is answered only after the variables were asked for.
  const rig = await steady({ on: { "stackTrace#3": [{ waitFor: "variables" }, { default: true }] } });
  expect((await rig.look()).values).toMatchObject([{ name: "line", value: "5", change: "changed" }]);
});

test("when the stack names another frame, nothing that was read ahead is shown", async () => {
  const rig = await steady({
    on: {
      "stackTrace#3": [frame(7, "/elsewhere.txt")],
      "variables#3": [variables("of the wrong frame")],
      "variables#4": [variables("of the right frame")],
    },
  });
  expect((await rig.look()).values).toMatchObject([{ name: "x", value: "of the right frame" }]);
});

test("after a stop that did not agree nothing is read ahead, until two agree again", async () => {
  const other = [frame(7, "/elsewhere.txt")];
  const rig = await steady({ on: { "stackTrace#3": other, "stackTrace#4": other } });
  await rig.look();
  await next(rig);
  await rig.look();
  const frames = sent(rig, "scopes").map((one) => (one as { frameId: number }).frameId);
  expect(frames.filter((id) => id === 7)).toEqual([7]);
});

test("a refusal of what was asked too early costs nothing", async () => {
  const rig = await steady({
    on: { "scopes#3": [{ fail: "no such frame" }], "variables#3": [{ fail: "no such reference" }] },
  });
  expect((await rig.look()).values).toMatchObject([{ name: "line", value: "5" }]);
});

test("a scope that says it is empty is not asked for its variables", async () => {
  const rig = new Rig({
    on: {
      scopes: [
        {
          respond: {
            scopes: [
              { name: "Locals", variablesReference: 1, expensive: false },
              { name: "Globals", variablesReference: 2, expensive: false, namedVariables: 0 },
            ],
          },
        },
      ],
    },
  });
  await rig.stopped();
  expect(sent(rig, "variables")).toEqual([{ variablesReference: 1 }]);
});
