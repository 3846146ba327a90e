/** Tool calls in an answer that comes whole: which there are, and the answer with what was decided about them. */
import type { ToolPart } from "./answers/reader.ts";
import { type EditedInput, editedInput } from "./edited-input.ts";
import { exactOf, type Fields, fields, list, parse, text } from "./fields.ts";
import { cancelText, type Ruling } from "./gates/gate.ts";
import { asText, messageItem, withInput } from "./gates/items.ts";
import {
  changeAt,
  elementsOf,
  entriesOf,
  lastEntry,
  replaceAll,
  replaceAt,
  setEntry,
  valueAt,
} from "./json-slices.ts";
import * as anthropic from "./requests/anthropic.ts";
import * as chat from "./requests/chat.ts";
import * as responses from "./requests/responses.ts";
import type { HttpWire } from "./routes.ts";

/** The calls that the client will run, in their order. */
export function toolsIn(wire: HttpWire, body: string): ToolPart[] {
  const answer = fields(parse(body));
  switch (wire) {
    case "anthropic":
      return list(answer.content).flatMap((block, index) => {
        const part = anthropic.part(fields(block));
        if (part.kind !== "tool_call") return [];
        const span = valueAt(body, ["content", index, "input"]);
        return [{ ...part, ...exactOf(span ? body.slice(span.start, span.end) : "") }];
      });
    case "openai-chat":
      return list(answer.choices).flatMap((choice) =>
        list(fields(fields(choice).message).tool_calls).map((call) => chat.toolCall(fields(call))),
      );
    case "openai-responses":
      return clientCalls(answer).map(({ item }) => responses.toolCall(item));
  }
}

/** Rulings are in the order of `toolsIn`. Without a change it is the very same text. */
export function editAnswer(wire: HttpWire, body: string, rulings: readonly Ruling[]): string {
  if (!rulings.some((ruling) => ruling.do === "cancel" || ruling.edited)) return body;
  const tools = toolsIn(wire, body);
  switch (wire) {
    case "anthropic":
      return editMessage(body, tools, rulings);
    case "openai-chat":
      return editChat(body, tools, rulings);
    case "openai-responses":
      return editResponse(body, tools, rulings);
  }
}

function editMessage(body: string, tools: readonly ToolPart[], rulings: readonly Ruling[]): string {
  let edited = body;
  let at = 0;
  let left = 0;
  for (const [index, block] of list(fields(parse(body)).content).entries()) {
    if (fields(block).type !== "tool_use") continue;
    const tool = tools[at];
    const ruling = rulings[at++];
    if (ruling?.do === "cancel" && tool) {
      const said = { type: "text", text: cancelText(tool, ruling.reason) };
      edited = replaceAt(edited, ["content", index], JSON.stringify(said));
      continue;
    }
    left++;
    if (ruling?.do === "run" && ruling.edited)
      edited = changeAt(edited, ["content", index, "input"], (json) => editedInput(ruling, json));
  }
  if (left > 0 || fields(parse(body)).stop_reason !== "tool_use") return edited;
  return replaceAt(edited, ["stop_reason"], '"end_turn"');
}

function editChat(body: string, tools: readonly ToolPart[], rulings: readonly Ruling[]): string {
  let at = 0;
  const choices = elementsOf(body, valueAt(body, ["choices"])?.start ?? 0) ?? [];
  const replacements = choices.map((span) => {
    const choice = body.slice(span.start, span.end);
    const count = list(fields(fields(parse(choice)).message).tool_calls).length;
    const mine = { tools: tools.slice(at, at + count), rulings: rulings.slice(at, at + count) };
    at += count;
    return { span, by: editChoice(choice, mine.tools, mine.rulings) };
  });
  return replaceAll(body, replacements);
}

function editChoice(choice: string, tools: readonly ToolPart[], rulings: readonly Ruling[]): string {
  if (!rulings.some((ruling) => ruling.do === "cancel" || ruling.edited)) return choice;
  const path = ["message", "tool_calls"];
  const calls = elementsOf(choice, valueAt(choice, path)?.start ?? 0) ?? [];
  const kept: string[] = [];
  const said: string[] = [];
  for (const [index, { start, end }] of calls.entries()) {
    const call = choice.slice(start, end);
    const ruling = rulings[index];
    const tool = tools[index];
    if (ruling?.do === "cancel" && tool) said.push(cancelText(tool, ruling.reason));
    else kept.push(ruling?.do === "run" && ruling.edited ? withArguments(call, ruling) : call);
  }
  let edited = kept.length > 0 ? replaceAt(choice, path, `[${kept.join(",")}]`) : withoutCalls(choice);
  if (kept.length === 0) edited = replaceAt(edited, ["finish_reason"], '"stop"');
  return said.length === 0
    ? edited
    : changeAt(edited, ["message"], (message) => withSaid(message, said.join("\n")));
}

function withArguments(call: string, input: EditedInput): string {
  const change = (json: string) => asText(input, json);
  return changeAt(changeAt(call, ["function", "arguments"], change), ["custom", "input"], change);
}

/** A list of calls must not be empty: its key goes. */
function withoutCalls(choice: string): string {
  return changeAt(choice, ["message"], (message) => {
    const entries = entriesOf(message) ?? [];
    const gone = lastEntry(entries, "tool_calls");
    const at = gone ? entries.indexOf(gone) : -1;
    if (!gone) return message;
    const next = entries[at + 1];
    const start = next ? gone.whole.start : (entries[at - 1]?.whole.end ?? gone.whole.start);
    return replaceAll(message, [{ span: { start, end: next?.whole.start ?? gone.whole.end }, by: "" }]);
  });
}

function withSaid(message: string, said: string): string {
  const before = text(fields(parse(message)).content);
  const content = JSON.stringify(before === "" ? said : `${before}\n${said}`);
  const replacement = setEntry(message, "content", content);
  return replacement ? replaceAll(message, [replacement]) : message;
}

function clientCalls(answer: Fields): { index: number; item: Fields }[] {
  return list(answer.output).flatMap((entry, index) => {
    const item = fields(entry);
    return responses.CLIENT_CALLS.has(text(item.type)) ? [{ index, item }] : [];
  });
}

function editResponse(body: string, tools: readonly ToolPart[], rulings: readonly Ruling[]): string {
  let edited = body;
  for (const [at, { index }] of clientCalls(fields(parse(body))).entries()) {
    const ruling = rulings[at];
    const tool = tools[at];
    if (ruling?.do === "cancel" && tool) {
      const item = messageItem(`msg_cancelled_${index}`, cancelText(tool, ruling.reason));
      edited = replaceAt(edited, ["output", index], JSON.stringify(item));
    } else if (ruling?.do === "run" && ruling.edited)
      edited = changeAt(edited, ["output", index], (item) => withInput(item, ruling));
  }
  return edited;
}
