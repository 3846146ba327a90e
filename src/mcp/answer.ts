/** What a command answered, or how it failed, as a tool's result. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { CallResult } from "../client/client.ts";
import { asSondeError, errorText } from "../errors.ts";
import { type Surface, saidData, saidError, saidText } from "../surface/said.ts";
import { bounded, isData } from "./data.ts";

/** Some clients show a model the structured form besides the text: it may not cost more than the text may. */
const STRUCTURED_BYTES = 16 * 1024;

/** Whose words to use, and which command it was. */
export interface Wording {
  surface: Surface;
  command: string | undefined;
}

export function answered({ data, text }: CallResult, { surface, command }: Wording): CallToolResult {
  const whole = saidData(isData(data) ? data : { value: data }, surface, command);
  return {
    content: [{ type: "text", text: saidText(text, surface, command) || "(nothing)\n" }],
    structuredContent: bounded(isData(whole) ? whole : {}, STRUCTURED_BYTES),
  };
}

export function failed(thrown: unknown, { surface, command }: Wording): CallToolResult {
  const { code, message, hint, details } = asSondeError(thrown).toJSON();
  const error = {
    code,
    ...saidError({ code, message, hint }, surface, command),
    ...(details === undefined ? {} : { details }),
  };
  return {
    isError: true,
    content: [{ type: "text", text: errorText(error) }],
    structuredContent: bounded({ error }, STRUCTURED_BYTES),
  };
}
