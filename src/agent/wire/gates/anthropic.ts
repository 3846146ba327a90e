/** Anthropic Messages: a tool call is a content block of type tool_use. Those that the provider runs itself have other types and pass. */
import type { ToolPart } from "../answers/reader.ts";
import { editedInput } from "../edited-input.ts";
import { type Fields, fields, parse, text } from "../fields.ts";
import { replaceAt } from "../json-slices.ts";
import { sseBytes } from "../sse.ts";
import { cancelText, type GateStep, type RawEvent, type Ruling } from "./gate.ts";
import { type HeldCall, OneCallGate } from "./one-call.ts";

interface Held extends HeldCall {
  start: Fields;
}

export class AnthropicGate extends OneCallGate<Held> {
  #ran = 0;
  #cancelled = 0;
  #settled = false;

  /** After a cancelled call the end of the message must be rewritten. */
  get busy(): boolean {
    return this.held !== undefined || (this.#cancelled > 0 && !this.#settled);
  }

  take(event: RawEvent): GateStep[] {
    if (this.held) return this.#takeHeld(this.held, event);
    const data = event.event?.data ?? "";
    if (data.includes('"content_block_start"')) {
      const start = fields(parse(data));
      if (start.type === "content_block_start" && fields(start.content_block).type === "tool_use") {
        this.held = { index: Number(start.index), start, events: [event], aside: [] };
        return [];
      }
    } else if (data.includes('"message_delta"')) return [{ pass: this.#messageEnd(event) }];
    return [{ pass: event.raw }];
  }

  #takeHeld(held: Held, event: RawEvent): GateStep[] {
    const body = fields(parse(event.event?.data ?? ""));
    // A ping, a comment or something unknown belongs to no block.
    if (body.type === "ping" || body.type === "error" || event.event === undefined)
      return [{ pass: event.raw }];
    if (body.index !== held.index) {
      held.aside.push(event);
      return [];
    }
    held.events.push(event);
    const [tool] = event.tools;
    if (body.type !== "content_block_stop" || !tool) return [];
    held.tool = tool;
    return [{ ask: [tool] }];
  }

  protected released({ index, start, events }: Held, tool: ToolPart, ruling: Ruling): Buffer[] {
    if (ruling.do === "cancel") {
      this.#cancelled++;
      return textBlock(index, cancelText(tool, ruling.reason));
    }
    this.#ran++;
    if (!ruling.edited) return events.map(({ raw }) => raw);
    const first = events[0];
    const last = events.at(-1);
    if (!first?.event || !last) return [];
    const hasInput = Object.keys(fields(fields(start.content_block).input)).length > 0;
    const begin = hasInput
      ? sseBytes(first.event.event, replaceAt(first.event.data, ["content_block", "input"], "{}"))
      : first.raw;
    const delta = { type: "input_json_delta", partial_json: editedInput(ruling, writtenInput(events)) };
    return [begin, blockEvent("content_block_delta", { index, delta }), last.raw];
  }

  /** With no tool left to run, the model has ended its turn. */
  #messageEnd(event: RawEvent): Buffer {
    this.#settled = true;
    const data = event.event?.data ?? "";
    if (this.#cancelled === 0 || this.#ran > 0) return event.raw;
    const { type, delta } = fields(parse(data));
    if (type !== "message_delta" || fields(delta).stop_reason !== "tool_use") return event.raw;
    return sseBytes(event.event?.event, replaceAt(data, ["delta", "stop_reason"], '"end_turn"'));
  }
}

function textBlock(index: number, text: string): Buffer[] {
  return [
    blockEvent("content_block_start", { index, content_block: { type: "text", text: "" } }),
    blockEvent("content_block_delta", { index, delta: { type: "text_delta", text } }),
    blockEvent("content_block_stop", { index }),
  ];
}

function blockEvent(type: string, rest: Fields): Buffer {
  return sseBytes(type, JSON.stringify({ type, ...rest }));
}

/** The input of a call as the model wrote it, from the pieces it came in. */
function writtenInput(events: readonly RawEvent[]): string {
  return events
    .map(({ event }) => text(fields(fields(event && parse(event.data)).delta).partial_json))
    .join("");
}
