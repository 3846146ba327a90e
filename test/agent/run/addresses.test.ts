import { expect, test } from "vitest";
import { PROFILES } from "../../../src/agent/run/profiles/index.ts";
import { addressesOf } from "../../../src/agent/run/profiles/profile.ts";

test.each([
  ["claude", ["a"]],
  ["anthropic", ["a"]],
  ["codex", ["o"]],
  ["openai", ["o"]],
  ["unknown", ["a", "o"]],
] as const)("the calls of %s may go to %j", (name, expected) => {
  expect(addressesOf(PROFILES[name], { anthropic: "a", openai: "o" })).toEqual(expected);
});
