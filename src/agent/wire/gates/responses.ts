/**
 * OpenAI Responses: a tool call is an output item that its client runs. The last event repeats all items, so what was changed is changed there too; events that
 * take the place of others shift the sequence numbers of all that follow.
 */
import type { SseEvent, ToolPart } from "../answers/reader.ts";
import { editedText } from "../edited-input.ts";
import { type Fields, fields, list, number, parse, text } from "../fields.ts";
import { changeAt, replaceAt } from "../json-slices.ts";
import { CLIENT_CALLS } from "../requests/responses.ts";
import { sseBytes } from "../sse.ts";
import { cancelText, type GateStep, type RawEvent, type Ruling } from "./gate.ts";
import { messageItem, withInput } from "./items.ts";
import { type HeldCall, OneCallGate } from "./one-call.ts";

export class ResponsesGate extends OneCallGate<HeldCall> {
  /** How an item of the output is changed, by its index. */
  readonly #changed = new Map<number, (json: string) => string>();
  #shift = 0;

  get busy(): boolean {
    return this.held !== undefined || this.#changed.size > 0 || this.#shift !== 0;
  }

  take(event: RawEvent): GateStep[] {
    if (this.held) return this.#takeHeld(this.held, event);
    const said = event.event;
    if (said?.data.includes('"response.output_item.added"')) {
      const body = fields(parse(said.data));
      if (CLIENT_CALLS.has(text(fields(body.item).type))) {
        this.held = { index: number(body.output_index), events: [event], aside: [] };
        return [];
      }
    }
    return [{ pass: this.#passed(event) }];
  }

  #takeHeld(held: HeldCall, event: RawEvent): GateStep[] {
    if (event.event === undefined) return [{ pass: event.raw }];
    const body = fields(parse(event.event.data));
    if (body.output_index !== held.index) {
      if (body.type === "error") return [{ pass: event.raw }];
      held.aside.push(event);
      return [];
    }
    held.events.push(event);
    const [tool] = event.tools;
    if (body.type !== "response.output_item.done" || !tool) return [];
    held.tool = tool;
    return [{ ask: [tool] }];
  }

  protected released({ index, events }: HeldCall, tool: ToolPart, ruling: Ruling): Buffer[] {
    if (ruling.do === "cancel") return this.#asMessage(index, events, cancelText(tool, ruling.reason));
    if (!ruling.edited) return events.map((event) => this.#passed(event));
    const change = (json: string) => withInput(json, ruling);
    this.#changed.set(index, change);
    const input = editedText(ruling, writtenInput(events));
    let deltas = 0;
    return events.flatMap((event) => {
      if (!event.event) return [event.raw];
      const { event: name, data } = event.event;
      const type = text(fields(parse(data)).type);
      if (type.endsWith(".delta")) {
        if (deltas++ > 0) return [];
        return [this.#numbered(name, replaceAt(data, ["delta"], JSON.stringify(input)))];
      }
      if (type.endsWith("_input.done"))
        return [this.#numbered(name, replaceAt(data, ["input"], JSON.stringify(input)))];
      if (type.endsWith("_arguments.done"))
        return [this.#numbered(name, replaceAt(data, ["arguments"], JSON.stringify(input)))];
      if (type === "response.output_item.done")
        return [this.#numbered(name, changeAt(data, ["item"], change))];
      return [this.#passed(event)];
    });
  }

  /** The item becomes a message of the assistant, with all the events that a message has. */
  #asMessage(index: number, events: readonly RawEvent[], said: string): Buffer[] {
    const first = number(fields(parse(events[0]?.event?.data ?? "")).sequence_number);
    const id = `msg_cancelled_${index}`;
    const item = messageItem(id, said);
    this.#changed.set(index, () => JSON.stringify(item));
    const where = { item_id: id, output_index: index, content_index: 0 };
    const part = { type: "output_text", annotations: [], text: "" };
    const bodies: Fields[] = [
      {
        type: "response.output_item.added",
        output_index: index,
        item: { ...item, status: "in_progress", content: [] },
      },
      { type: "response.content_part.added", ...where, part },
      { type: "response.output_text.delta", ...where, delta: said, logprobs: [] },
      { type: "response.output_text.done", ...where, text: said, logprobs: [] },
      { type: "response.content_part.done", ...where, part: { ...part, text: said } },
      { type: "response.output_item.done", output_index: index, item },
    ];
    const before = this.#shift;
    this.#shift += bodies.length - events.length;
    return bodies.map((body, at) => {
      const numbered = { ...body, sequence_number: first + before + at };
      return sseBytes(text(body.type), JSON.stringify(numbered));
    });
  }

  #passed(event: RawEvent): Buffer {
    if (!event.event || (this.#changed.size === 0 && this.#shift === 0)) return event.raw;
    const { event: name, data } = event.event;
    const body = fields(parse(data));
    const items = this.#changed.size > 0 ? list(fields(body.response).output) : [];
    if (items.length === 0) return this.#shift === 0 ? event.raw : this.#numbered(name, data);
    let edited = data;
    for (const [index, change] of this.#changed)
      if (index < items.length) edited = changeAt(edited, ["response", "output", index], change);
    return this.#numbered(name, edited);
  }

  #numbered(name: SseEvent["event"], data: string): Buffer {
    if (this.#shift === 0) return sseBytes(name, data);
    const sequence = fields(parse(data)).sequence_number;
    if (typeof sequence !== "number") return sseBytes(name, data);
    return sseBytes(name, replaceAt(data, ["sequence_number"], String(sequence + this.#shift)));
  }
}

/** The input of a call as the model wrote it: the item that ends it has it whole. */
function writtenInput(events: readonly RawEvent[]): string {
  const item = fields(fields(parse(events.at(-1)?.event?.data ?? "")).item);
  return text(item.arguments) || text(item.input);
}
