/** An edited input keeps what was not edited as it was written. */
import { expect, test } from "vitest";
import { editAnswer } from "../../../src/agent/wire/edit-answer.ts";
import { editedInput, editedText } from "../../../src/agent/wire/edited-input.ts";

const WRITTEN = '{"command":"echo a", "id":9007199254740993, "f":1.0, "deep":{"n":[1e2]}, "s":"\\u00e9"}';

test("fields that are the same stay to the letter", () => {
  const input = { ...JSON.parse(WRITTEN), command: "echo b" };
  expect(editedInput({ input }, WRITTEN)).toBe(
    '{"command":"echo b","id":9007199254740993,"f":1.0,"deep":{"n":[1e2]},"s":"\\u00e9"}',
  );
});

test("fields that are new are added, those that are gone are left out", () => {
  expect(editedInput({ input: { id: 9007199254740992, more: [true] } }, WRITTEN)).toBe(
    '{"id":9007199254740993,"more":[true]}',
  );
});

test("inside of what was changed, too", () => {
  const input = JSON.parse(WRITTEN) as { deep: { n: number[]; more?: string } };
  input.deep.more = "x";
  input.deep.n.push(2);
  expect(editedInput({ input }, WRITTEN)).toContain('"id":9007199254740993');
  expect(editedInput({ input }, WRITTEN)).toContain('"deep":{"n":[1e2,2],"more":"x"}');
});

test("what was no object, or is none now, is written anew", () => {
  expect(editedInput({ input: [1] }, WRITTEN)).toBe("[1]");
  expect(editedInput({ input: { a: 1 } }, "text")).toBe('{"a":1}');
  expect(editedText({ input: "text" }, WRITTEN)).toBe("text");
});

test("in a whole answer, on every wire", () => {
  const input = { ...JSON.parse(WRITTEN), command: "echo b" };
  const rulings = [{ do: "run" as const, input, edited: true }];
  const anthropic = `{"content":[{"type":"tool_use","id":"t","name":"bash","input":${WRITTEN}}],"stop_reason":"tool_use"}`;
  const text = JSON.stringify(WRITTEN);
  const chat = `{"choices":[{"message":{"tool_calls":[{"id":"t","type":"function","function":{"name":"bash","arguments":${text}}}]},"finish_reason":"tool_calls"}]}`;
  const responses = `{"output":[{"type":"function_call","call_id":"t","name":"bash","arguments":${text}}]}`;
  for (const [wire, body] of [
    ["anthropic", anthropic],
    ["openai-chat", chat],
    ["openai-responses", responses],
  ] as const) {
    const edited = editAnswer(wire, body, rulings);
    expect(edited, wire).toContain("9007199254740993");
    expect(edited, wire).toContain("echo b");
    expect(edited, wire).not.toContain("echo a");
  }
});
