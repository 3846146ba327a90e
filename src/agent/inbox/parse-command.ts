/** A line that asks for something: `{"type":"pause","id":"t1","data":{}}`. */
import { cut, oneLine } from "../../util/text.ts";
import type { AgentCommand } from "../core/commands.ts";

/** A request to a model may be a part of a command. */
export const LONGEST_COMMAND = 4 << 20;

export type ParsedCommand = { ok: true; command: AgentCommand } | { ok: false; id: string; problem: string };

const SHOWN = 120;
const LONGEST_WORD = 200;

/** `unnamed`: the id of one that has none. */
export function parseCommand(line: string, unnamed: string): ParsedCommand {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return bad("", `invalid command: not JSON: ${cut(oneLine(line), SHOWN)}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return bad("", `invalid command: not a JSON object: ${cut(oneLine(line), SHOWN)}`);
  const { type, id, data, timestamp } = value as Record<string, unknown>;
  const name = typeof id === "string" || typeof id === "number" ? cut(String(id), LONGEST_WORD) : "";
  if (typeof type !== "string" || type === "" || type.length > LONGEST_WORD)
    return bad(name, `invalid command: it needs a "type": ${cut(oneLine(line), SHOWN)}`);
  if (data !== undefined && (typeof data !== "object" || data === null || Array.isArray(data)))
    return bad(name, `invalid command ${type}: "data" is not an object`);
  return {
    ok: true,
    command: {
      type,
      id: name === "" ? unnamed : name,
      data: (data ?? {}) as Record<string, unknown>,
      ...(typeof timestamp === "string" && { timestamp }),
    },
  };
}

function bad(id: string, problem: string): ParsedCommand {
  return { ok: false, id, problem };
}
