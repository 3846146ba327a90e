/** What was said, in the form in which OpenTelemetry wants it: messages of parts, as JSON text. */
import type { Part, Wire } from "../core/model.ts";
import { isRecord, type ReadBody, wholeText } from "../explain/fields.ts";
import { readRequest } from "../wire/request.ts";
import type { AttributeValue } from "./span.ts";

type Attributes = Record<string, AttributeValue | undefined>;
type Content = (readBody: ReadBody) => Promise<Attributes>;

/** Collectors refuse spans of many megabytes. */
const MOST_CHARACTERS = 256 * 1024;
const WIRES: readonly string[] = ["anthropic", "openai-chat", "openai-responses", "library"];

export const contentOf = {
  text: (name: string, stored: unknown): Content =>
    safely(async (readBody) => ({ [name]: cut(await wholeText(stored, readBody)) })),

  request: (wire: string, stored: unknown): Content =>
    safely(async (readBody) => {
      const body = await wholeText(stored, readBody);
      const { system, messages, tools, params } = readRequest(
        WIRES.includes(wire) ? (wire as Wire) : "library",
        body,
      );
      const most = params.max_tokens ?? params.max_output_tokens ?? params.max_completion_tokens;
      return {
        "gen_ai.request.max_tokens": typeof most === "number" ? most : undefined,
        "gen_ai.request.temperature": typeof params.temperature === "number" ? params.temperature : undefined,
        "gen_ai.system_instructions":
          system === "" ? undefined : cut(JSON.stringify([{ type: "text", content: system }])),
        "gen_ai.input.messages": cutMessages(
          messages.map(({ role, parts }) => ({ role, parts: parts.map(partOf) })),
        ),
        "gen_ai.tool.definitions":
          tools.length === 0
            ? undefined
            : cut(JSON.stringify(tools.map((tool) => ({ type: "function", ...tool })))),
      };
    }),

  response: (stored: unknown, stop: string): Content =>
    safely(async (readBody) => {
      const parts: unknown = JSON.parse((await wholeText(stored, readBody)) || "[]");
      const said = Array.isArray(parts) ? parts.filter(isPart).map(partOf) : [];
      return {
        "gen_ai.output.messages": cut(
          JSON.stringify([{ role: "assistant", parts: said, finish_reason: stop }]),
        ),
      };
    }),
};

/** What can no longer be read is left out, and said to be. */
function safely(content: Content): Content {
  return async (readBody) => {
    try {
      return await content(readBody);
    } catch (error) {
      return { "sonde.content.missing": error instanceof Error ? error.message : String(error) };
    }
  };
}

function isPart(value: unknown): value is Part {
  return isRecord(value) && typeof value.kind === "string";
}

function partOf(part: Part): Record<string, unknown> {
  switch (part.kind) {
    case "text":
      return { type: "text", content: part.text };
    case "thinking":
      return { type: "reasoning", content: part.text };
    case "tool_call":
      return { type: "tool_call", id: part.id, name: part.name, arguments: part.input };
    case "tool_result":
      return { type: "tool_call_response", id: part.id, response: part.text };
    default:
      return { ...part };
  }
}

/** The last ones are what the call was about: the first are left out, and counted. */
function cutMessages(messages: readonly unknown[]): string {
  const kept: string[] = [];
  let room = MOST_CHARACTERS;
  for (const message of messages.toReversed()) {
    const text = JSON.stringify(message);
    room -= text.length;
    if (room < 0) break;
    kept.unshift(text);
  }
  const left = messages.length - kept.length;
  const note =
    left === 0
      ? []
      : [
          JSON.stringify({
            role: "system",
            parts: [{ type: "text", content: `[${left} earlier messages left out]` }],
          }),
        ];
  return `[${[...note, ...kept].join(",")}]`;
}

function cut(text: string): string {
  return text.length <= MOST_CHARACTERS
    ? text
    : `${text.slice(0, MOST_CHARACTERS)}… (${text.length} characters)`;
}
