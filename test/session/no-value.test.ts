/** Why an expression has no value, for a reader who has its text already; and how far a value is opened. */
import { expect, test } from "vitest";
import { DapRequestError } from "../../src/dap/request-error.ts";
import { SondeError } from "../../src/errors.ts";
import { evaluate, expand, whyNoValue } from "../../src/session/values/evaluate.ts";
import { Rig } from "./rig.ts";

test("the debugger's own reason, without the expression, and what to do", () => {
  const cause = new DapRequestError("evaluate", "no such name", {});
  const failed = (code: "EVAL_FAILED" | "TIMEOUT", hint?: string) =>
    String(whyNoValue(new SondeError(code, "x.y: too bad", { cause, hint })));
  expect(failed("EVAL_FAILED")).toBe("no such name");
  expect(failed("EVAL_FAILED", "try again")).toBe("no such name; try again");
  expect(failed("TIMEOUT")).toBe("x.y: too bad");
  expect(whyNoValue(new SondeError("EVAL_FAILED", "x.y: too bad"))).toBe("x.y: too bad");
  expect([whyNoValue(new Error("plain")), whyNoValue("text")]).toEqual(["plain", "text"]);
});

/** A value of four parts, each of which has four again, without end. */
const parts = Array.from({ length: 4 }, (_, at) => ({
  name: `part${at}`,
  value: "{…}",
  variablesReference: 20 + at,
}));

test("a value is opened as deep as is asked for, with fewer parts at each level", async () => {
  const deep = new Rig({
    on: {
      evaluate: [{ respond: { result: "{…}", variablesReference: 20 } }],
      variables: [{ respond: { variables: parts } }],
    },
  });
  await deep.stopped();
  const line = await evaluate(deep.session, "x", { context: "watch", chars: 100 });
  const opened = await expand(deep.session, line, 2, { limit: 3, chars: 100 });
  expect(opened).toMatchObject({ children: [{}, {}, {}], moreChildren: 1 });
  const [first] = opened.children ?? [];
  expect(first).toMatchObject({ children: [{}, {}], moreChildren: 2 });
  expect(first?.children?.[0]).not.toHaveProperty("children");
  expect(await expand(deep.session, line, 0, { limit: 3, chars: 100 })).toEqual(line);
});
