/** What a maintainer should know of a run: that it began and ended, and what went wrong between us and the provider. Nobody's words. */
import type { AgentEvent } from "../events.ts";

export interface Fact {
  level: "info" | "warn";
  message: string;
}

export function factOf({ type, data }: AgentEvent): Fact | undefined {
  switch (type) {
    case "session_start":
      return { level: "info", message: joined("the run began", data.client, data.provider) };
    case "session_end":
      return {
        level: "info",
        message: joined("the run ended", numbered("exit code", data.exit), data.signal),
      };
    case "api_error":
      return {
        level: "warn",
        message: joined("a model call failed", data.req, data.status, data.errorType, own(data)),
      };
    case "error":
      return { level: "warn", message: joined("error", data.context, data.message) };
    default:
      return undefined;
  }
}

/** A provider's message may quote the conversation: only our own is repeated. */
function own({ message, error }: AgentEvent["data"]): unknown {
  const text = message ?? error;
  return typeof text === "string" && text.startsWith("sonde: ") ? text : undefined;
}

function numbered(what: string, value: unknown): string | undefined {
  return typeof value === "number" ? `${what} ${value}` : undefined;
}

function joined(...parts: unknown[]): string {
  return parts.filter((one) => typeof one === "string" || typeof one === "number").join(", ");
}
