/** The AI SDK's own form of a request and of an answer. Pure. Its versions differ a little; what is not known is passed over. */
import type { Injection, Message, ModelAnswer, Part, RequestView } from "../../core/model.ts";
import type { Usage } from "../../events.ts";
import { cutsOf } from "../../wire/request.ts";

export type Fields = Readonly<Record<string, unknown>>;

export function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The conversation goes by the name that other requests give it. */
export function viewOfParams(params: Fields, model: string, stream: boolean): RequestView {
  const { prompt, tools, abortSignal: _, headers: __, ...rest } = params;
  const messages = list(prompt);
  const body = JSON.stringify({ model, ...rest, tools, messages }, withoutBytes);
  const leading = messages.findIndex((one) => fields(one).role !== "system");
  const system = messages.slice(0, leading === -1 ? messages.length : leading);
  return {
    wire: "library",
    model,
    stream,
    system: system.map((one) => text(fields(one).content)).join("\n\n"),
    messages: messages.map((one) => messageOf(fields(one))),
    tools: list(tools).map((one) => {
      const { name, id, description } = fields(one);
      return { name: text(name) || text(id), description: text(description) };
    }),
    params: Object.fromEntries(
      Object.entries(rest).filter((entry): entry is [string, string | number | boolean] =>
        ["string", "number", "boolean"].includes(typeof entry[1]),
      ),
    ),
    body,
    cuts: cutsOf(body),
  };
}

/** Pictures and files: JSON would make an object with a key for each byte of them. */
function withoutBytes(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? `[${value.length} bytes]` : value;
}

function messageOf({ role, content }: Fields): Message {
  if (typeof content === "string") return { role: text(role), parts: [{ kind: "text", text: content }] };
  return { role: text(role), parts: list(content).map((one) => partOf(fields(one))) };
}

/** Of a prompt or of an answer. */
export function partOf(part: Fields): Part {
  switch (part.type) {
    case "text":
      return { kind: "text", text: text(part.text) };
    case "reasoning":
      return { kind: "thinking", text: text(part.text) };
    case "tool-call":
      return {
        kind: "tool_call",
        id: text(part.toolCallId),
        name: text(part.toolName),
        input: inputOf(part.input),
      };
    case "tool-result": {
      const { type, value } = fields(part.output);
      const said = typeof value === "string" ? value : (JSON.stringify(value ?? part.result) ?? "");
      return {
        kind: "tool_result",
        id: text(part.toolCallId),
        text: said,
        isError: text(type).startsWith("error"),
      };
    }
    default:
      return { kind: "other", type: text(part.type) || "unknown", bytes: 0 };
  }
}

/** In an answer it is text. */
export function inputOf(input: unknown): unknown {
  if (typeof input !== "string") return input ?? {};
  try {
    return JSON.parse(input);
  } catch {
    return input; // the model wrote no JSON: the SDK will say so
  }
}

export function promptMessage({ role, content }: Injection): Fields {
  return { role, content: role === "system" ? content : [{ type: "text", text: content }] };
}

/** Version 3 has an object with the reason in it. */
function reasonOf(finish: unknown): string {
  return text(finish) || text(fields(finish).unified) || text(fields(finish).raw);
}

export function usageOf(value: unknown): Usage | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const usage = fields(value);
  const count = (given: unknown): number =>
    typeof given === "number" ? given : Number(fields(given).total ?? 0) || 0;
  const reasoning = usage.reasoningTokens ?? fields(usage.outputTokens).reasoning;
  return {
    inputTokens: count(usage.inputTokens),
    outputTokens: count(usage.outputTokens),
    cacheReadTokens: count(usage.cachedInputTokens ?? fields(usage.inputTokens).cacheRead),
    cacheCreationTokens: count(fields(usage.inputTokens).cacheWrite),
    ...(typeof reasoning === "number" ? { reasoningTokens: reasoning } : {}),
  };
}

export function answerOf(
  parts: readonly Part[],
  result: { finishReason?: unknown; usage?: unknown; response?: unknown },
): ModelAnswer {
  const usage = usageOf(result.usage);
  const { id, modelId } = fields(result.response);
  return {
    parts,
    stopReason: reasonOf(result.finishReason),
    ...(usage ? { usage } : {}),
    ...(typeof id === "string" ? { id } : {}),
    ...(typeof modelId === "string" ? { model: modelId } : {}),
  };
}

export const NO_USAGE = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
