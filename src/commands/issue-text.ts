/** What is wrong with an argument, in words: zod's own are of types and not of what was written. */
import type * as z from "zod";
import { plural } from "../util/text.ts";

export function issueText(issue: z.core.$ZodIssue, value: unknown): string {
  const given = typeof value === "number" || typeof value === "string" ? `\`${value}\`` : "it";
  switch (issue.code) {
    case "too_small":
      return tooSmall(issue, given);
    case "too_big":
      return issue.origin === "number" || issue.origin === "int"
        ? `${given} is too large: ${issue.maximum} is the most`
        : issue.message;
    case "invalid_value":
      return value === undefined
        ? `needs one of ${issue.values.map(String).join(", ")}`
        : `${given} is none of ${issue.values.map(String).join(", ")}`;
    case "invalid_type":
      if (issue.expected === "int") return `${given} is not a whole number`;
      if (issue.expected === "number" && typeof value === "number") return `${given} is not a number`;
      return `must be ${KINDS[issue.expected] ?? `a ${issue.expected}`}`;
    default:
      return issue.message;
  }
}

const KINDS: Record<string, string> = {
  array: "a list",
  object: "an object",
  record: "an object",
  boolean: "true or false",
};

function tooSmall({ origin, minimum, inclusive, message }: z.core.$ZodIssueTooSmall, given: string): string {
  if (origin === "array") return `needs ${plural(Number(minimum), "entry", "entries")} at least`;
  if (origin !== "number" && origin !== "int") return message;
  const least = inclusive === false ? `it must be more than ${minimum}` : `${minimum} is the least`;
  return `${given} is too small: ${least}`;
}
