/** What a command answered, or how it failed, as a tool's result. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { CallResult } from "../client/client.ts";
import { asSondeError, errorText } from "../errors.ts";
import { bounded, isData } from "./data.ts";

/** Some clients show a model the structured form besides the text: it may not cost more than the text may. */
const STRUCTURED_BYTES = 16 * 1024;

export function answered({ data, text }: CallResult): CallToolResult {
  return {
    content: [{ type: "text", text: text || "(nothing)\n" }],
    structuredContent: bounded(isData(data) ? data : { value: data }, STRUCTURED_BYTES),
  };
}

export function failed(thrown: unknown): CallToolResult {
  const error = asSondeError(thrown).toJSON();
  return {
    isError: true,
    content: [{ type: "text", text: errorText(error) }],
    structuredContent: bounded({ error }, STRUCTURED_BYTES),
  };
}
