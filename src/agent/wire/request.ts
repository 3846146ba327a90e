/** A request's body in one form for all wires. */
import type { Message, RequestView, ToolDescription, Wire } from "../core/model.ts";
import { type Fields, fields, parse, text } from "./fields.ts";
import { elementsOf, entriesOf } from "./json-slices.ts";
import * as anthropic from "./requests/anthropic.ts";
import * as chat from "./requests/chat.ts";
import * as responses from "./requests/responses.ts";

/** What differs from wire to wire. Each message of the view stands for one element of the body's list, in its order. */
interface Reading {
  system(body: Fields): string;
  messages(body: Fields): Message[];
  tools(body: Fields): ToolDescription[];
}

const READINGS: Record<Wire, Reading> = {
  anthropic,
  "openai-chat": chat,
  "openai-responses": responses,
  // What a library agent calls a request is its own; where it has this shape it is understood.
  library: anthropic,
};

/** Text that is no JSON object gives a view with nothing in it but the text: the provider will say what is wrong with it. */
export function readRequest(wire: Wire, body: string): RequestView {
  const top = fields(parse(body));
  const reading = READINGS[wire];
  return {
    wire,
    model: text(top.model),
    stream: top.stream === true,
    system: reading.system(top),
    messages: reading.messages(top),
    tools: reading.tools(top),
    params: plainValues(top),
    body,
    cuts: cutsOf(body),
  };
}

/** Named elsewhere in the view, or long. */
const NOT_PARAMS = new Set(["model", "stream", "system", "instructions", "input"]);

function plainValues(top: Fields): RequestView["params"] {
  const params: Record<string, string | number | boolean> = {};
  for (const [key, value] of Object.entries(top)) {
    if (NOT_PARAMS.has(key)) continue;
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      params[key] = value;
  }
  return params;
}

const REPEATED = new Set(["messages", "input", "tools", "system", "instructions"]);

/** Where what a request has in common with the one before it begins and ends: ascending, in characters. */
export function cutsOf(body: string): number[] {
  const cuts: number[] = [];
  for (const { key, value } of entriesOf(body) ?? []) {
    if (!REPEATED.has(key)) continue;
    for (const { start, end } of elementsOf(body, value.start) ?? [value]) {
      if (cuts.at(-1) !== start) cuts.push(start);
      cuts.push(end);
    }
  }
  return cuts;
}
