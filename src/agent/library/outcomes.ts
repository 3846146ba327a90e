/** What tools return and calls throw, as the record takes it. */
import type { ModelError } from "../core/model.ts";

/** A text as it is; texts of blocks joined; else JSON. */
export function asText(content: unknown): string {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  if (Array.isArray(content) && content.every(isTextBlock)) return content.map(({ text }) => text).join("\n");
  try {
    return JSON.stringify(content) ?? String(content);
  } catch {
    return String(content); // it refers to itself, or holds a number that JSON cannot
  }
}

function isTextBlock(value: unknown): value is { text: string } {
  return (
    typeof value === "object" && value !== null && typeof (value as { text?: unknown }).text === "string"
  );
}

/** SDKs put the status, the type and the body of an answer on what they throw. */
export function errorFacts(thrown: unknown): ModelError {
  if (typeof thrown !== "object" || thrown === null) return { type: "error", message: String(thrown) };
  const { status, statusCode, type, name, message, responseBody } = thrown as Record<string, unknown>;
  const code = [status, statusCode].find((one) => typeof one === "number");
  return {
    ...(code === undefined ? {} : { status: code as number }),
    type: typeof type === "string" ? type : typeof name === "string" ? name : "error",
    message: typeof message === "string" ? message : asText(thrown),
    ...(typeof responseBody === "string" ? { body: responseBody } : {}),
  };
}
