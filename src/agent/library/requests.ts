/** A request as an agent holds it: an object of its own, with a list of messages that it will send again, and longer, next time. */
import type { RequestChanges, RequestView } from "../core/model.ts";
import { messageText } from "../wire/edit-request.ts";
import { place } from "../wire/placement.ts";
import { readRequest } from "../wire/request.ts";
import { conversationKey, type HttpWire } from "../wire/routes.ts";

type Body = Readonly<Record<string, unknown>>;

export function viewOf(wire: HttpWire, request: object): RequestView {
  return readRequest(wire, JSON.stringify(request));
}

/** Which API takes a request of this shape. */
export function wireOfShape(request: object): HttpWire {
  const body = request as Body;
  if (body.input !== undefined && body.messages === undefined) return "openai-responses";
  const messages = list(body.messages).map(record);
  const tools = list(body.tools).map(record);
  const isChat =
    body.system === undefined &&
    (tools.some((tool) => tool.function !== undefined) ||
      messages.some(
        ({ role, tool_calls }) => role === "tool" || role === "developer" || tool_calls !== undefined,
      ) ||
      (messages[0]?.role === "system" && body.max_tokens === undefined));
  return isChat ? "openai-chat" : "anthropic";
}

/** With a list of messages of its own, so that changes to it do not reach the agent's. */
export function copyOf(wire: HttpWire, request: object): object {
  const key = conversationKey(wire);
  const own = (request as Body)[key];
  return Array.isArray(own) ? { ...request, [key]: [...own] } : request;
}

/**
 * The request with the changes, which also go into the agent's own list of messages: what the model has seen must be there the next
 * time, too. The very same object if there are none.
 */
export function changed<R extends object>(
  wire: HttpWire,
  request: R,
  { inject, set, body }: RequestChanges,
): R {
  if (inject.length === 0 && body === undefined && Object.keys(set).length === 0) return request;
  const key = conversationKey(wire);
  const own = (request as Body)[key];
  // Whoever wrote the whole request has the last word on its values.
  const edited = (body === undefined ? { ...request, ...set } : JSON.parse(body)) as Record<string, unknown>;
  const messages = Array.isArray(edited[key]) ? (edited[key] as unknown[]) : asMessages(edited[key]);
  const kept = Array.isArray(own) ? own : [...messages];
  if (kept !== messages) kept.splice(0, kept.length, ...messages);
  // Who edited what was shown may have left in what was injected.
  const whose = body === undefined ? "own" : "edited";
  const insert =
    inject.length === 0 ? [] : place(wire, JSON.stringify({ [key]: kept }), [], inject, whose).insert;
  const added = insert.map(({ injection }) => JSON.parse(messageText(wire, injection)) as unknown);
  kept.splice(endOf(wire, kept), 0, ...added);
  edited[key] = kept;
  return edited as R;
}

/** Responses take a plain text. */
function asMessages(value: unknown): unknown[] {
  return typeof value === "string" ? [{ role: "user", content: value }] : [];
}

/** The end, or before words that are put into the model's mouth. */
function endOf(wire: HttpWire, messages: readonly unknown[]): number {
  const isPrefill = wire === "anthropic" && record(messages.at(-1)).role === "assistant";
  return messages.length - (isPrefill ? 1 : 0);
}

function record(value: unknown): Body {
  return typeof value === "object" && value !== null ? (value as Body) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
