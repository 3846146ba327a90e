/**
 * OpenAI Chat: calls come in pieces, those of several at once, until `finish_reason`; so everything from the first piece on is kept back until then,
 * and the calls are decided one after the other.
 */
import type { ToolPart } from "../answers/reader.ts";
import { editedText } from "../edited-input.ts";
import { type Fields, fields, isFields, list, number, parse, text } from "../fields.ts";
import { sseBytes } from "../sse.ts";
import { cancelText, type GateStep, type RawEvent, type Ruling, type ToolGate } from "./gate.ts";

interface Held {
  raw: Buffer;
  event: RawEvent["event"];
  chunk: Fields;
}

/** The calls of one choice that are not cancelled, and what is said about those that are. */
interface Outcome {
  calls: Fields[];
  said: string[];
}

export class ChatGate implements ToolGate {
  #held: Held[] = [];
  #open = new Set<number>();
  /** In the order of the calls: which choice each belongs to. */
  #tools: { choice: number; tool: ToolPart }[] = [];

  get busy(): boolean {
    return this.#held.length > 0;
  }

  take({ raw, event, tools }: RawEvent): GateStep[] {
    const data = event?.data ?? "";
    if (this.#held.length === 0 && !data.includes('"tool_calls"')) return [{ pass: raw }];
    const chunk = fields(parse(data));
    const choices = list(chunk.choices).map(fields);
    const starts = choices.filter((choice) => list(fields(choice.delta).tool_calls).length > 0);
    if (this.#held.length === 0 && starts.length === 0) return [{ pass: raw }];
    if (event === undefined) return [{ pass: raw }]; // a comment
    for (const choice of starts) this.#open.add(number(choice.index));
    this.#held.push({ raw, event, chunk });
    for (const choice of choices) {
      if (typeof choice.finish_reason !== "string") continue;
      const index = number(choice.index);
      if (this.#open.delete(index)) this.#tools.push(...tools.map((tool) => ({ choice: index, tool })));
    }
    if (this.#open.size > 0) return [];
    if (this.#tools.length === 0) return this.end().map((pass) => ({ pass }));
    return [{ ask: this.#tools.map(({ tool }) => tool) }];
  }

  settle(rulings: readonly Ruling[]): GateStep[] {
    const held = this.#held;
    const tools = this.#tools;
    this.#held = [];
    this.#tools = [];
    const changed = rulings.some((ruling) => ruling.do === "cancel" || ruling.edited);
    if (!changed) return held.map(({ raw }) => ({ pass: raw }));
    const calls = gather(held);
    const outcomes = new Map<number, Outcome>();
    for (const [at, { choice, tool }] of tools.entries()) {
      const ruling = rulings[at];
      const call = calls.find((one) => one.choice === choice && one.id === tool.id);
      const outcome = outcomes.get(choice) ?? { calls: [], said: [] };
      outcomes.set(choice, outcome);
      if (ruling?.do === "cancel") outcome.said.push(cancelText(tool, ruling.reason));
      else if (call) outcome.calls.push(written(call, ruling, outcome.calls.length));
    }
    return held.flatMap((one) => rewritten(one, outcomes)).map((pass) => ({ pass }));
  }

  end(): Buffer[] {
    const held = this.#held;
    this.#held = [];
    this.#open.clear();
    this.#tools = [];
    return held.map(({ raw }) => raw);
  }
}

interface Call {
  choice: number;
  index: number;
  id: string;
  custom: boolean;
  name: string;
  input: string;
}

/** The calls in full, with their input as the model wrote it. */
function gather(held: readonly Held[]): Call[] {
  const calls: Call[] = [];
  for (const { chunk } of held) {
    for (const choice of list(chunk.choices).map(fields)) {
      for (const piece of list(fields(choice.delta).tool_calls).map(fields)) {
        const where = { choice: number(choice.index), index: number(piece.index) };
        let call = calls.find((one) => one.choice === where.choice && one.index === where.index);
        if (!call) {
          call = { ...where, id: "", custom: false, name: "", input: "" };
          calls.push(call);
        }
        const inner = fields(piece.function ?? piece.custom);
        call.id ||= text(piece.id);
        call.custom ||= isFields(piece.custom);
        call.name ||= text(inner.name);
        call.input += text(inner.arguments) + text(inner.input);
      }
    }
  }
  return calls;
}

function written(call: Call, ruling: Ruling | undefined, index: number): Fields {
  const input = ruling?.do === "run" && ruling.edited ? editedText(ruling, call.input) : call.input;
  return call.custom
    ? { index, id: call.id, type: "custom", custom: { name: call.name, input } }
    : { index, id: call.id, type: "function", function: { name: call.name, arguments: input } };
}

/** A chunk without its pieces of calls. Before the one that ends a choice stand the choice's calls, each whole. */
function rewritten({ raw, event, chunk }: Held, outcomes: ReadonlyMap<number, Outcome>): Buffer[] {
  const choices = list(chunk.choices).map(fields);
  const touched = choices.some((choice) => outcomes.has(number(choice.index)));
  if (!touched) return [raw];
  const before: Buffer[] = [];
  const left = choices.flatMap((choice) => {
    const outcome = outcomes.get(number(choice.index));
    if (!outcome) return [choice];
    const { tool_calls: pieces, ...delta } = fields(choice.delta);
    const finish = choice.finish_reason;
    if (typeof finish !== "string") {
      const isEmpty = pieces !== undefined && Object.keys(delta).length === 0;
      return isEmpty ? [] : [{ ...choice, delta }];
    }
    const chunkOf = (said: Fields) => {
      const only = [{ ...choice, delta: said, finish_reason: null }];
      return sseBytes(event?.event, JSON.stringify({ ...chunk, choices: only }));
    };
    if (outcome.said.length > 0) before.push(chunkOf({ content: outcome.said.join("\n") }));
    for (const call of outcome.calls) before.push(chunkOf({ tool_calls: [call] }));
    return [{ ...choice, delta, finish_reason: outcome.calls.length === 0 ? "stop" : finish }];
  });
  if (left.length === 0) return before;
  return [...before, sseBytes(event?.event, JSON.stringify({ ...chunk, choices: left }))];
}
