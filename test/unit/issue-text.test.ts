import { expect, test } from "vitest";
import * as z from "zod";
import { issueText } from "../../src/commands/issue-text.ts";

function said(shape: z.ZodType, value: unknown): string {
  const issue = shape.safeParse(value).error?.issues[0];
  return issue ? issueText(issue, value) : "";
}

test("what is wrong with an argument is told of what was written", () => {
  expect(said(z.number().int().positive(), -1)).toBe("`-1` is too small: it must be more than 0");
  expect(said(z.number().int().nonnegative(), -1)).toBe("`-1` is too small: 0 is the least");
  expect(said(z.number().max(1000), 5000)).toBe("`5000` is too large: 1000 is the most");
  expect(said(z.number().int(), 1.5)).toBe("`1.5` is not a whole number");
  expect(said(z.number(), Number.POSITIVE_INFINITY)).toBe("`Infinity` is not a number");
  expect(said(z.enum(["hex", "char"]), "foo")).toBe("`foo` is none of hex, char");
  expect(said(z.string(), 5)).toBe("must be a string");
  expect(said(z.array(z.string()), "x")).toBe("must be a list");
  expect(said(z.array(z.string()).min(1), [])).toBe("needs 1 entry at least");
});
