/** One command by way of commands.jsonl, its answer from events.jsonl: all that some tools have. */
import { closeSync, constants, fstatSync, statSync, writeSync } from "node:fs";
import { SondeError } from "../../errors.ts";
import { naming } from "../../util/file-errors.ts";
import type { AgentCommand, CommandAnswer } from "../core/commands.ts";
import type { AgentEvent } from "../events.ts";
import { Blobs, isStoredBlob } from "../store/blobs.ts";
import { endsLine } from "../store/ends-line.ts";
import { followLines } from "../store/follow.ts";
import { PRIVATE_FILE } from "../store/layout.ts";
import type { SessionRow } from "../store/listing.ts";
import { isLink, openPlain } from "../store/plain-file.ts";
import { isObject } from "../store/record.ts";
import { parseEvent } from "../store/tail.ts";

/** Undefined when the signal came first, or the end of the session. */
export async function askByFile(
  { folder, foreign }: SessionRow,
  command: AgentCommand,
  signal: AbortSignal,
): Promise<CommandAnswer | undefined> {
  if (isLink(folder.dir))
    throw new SondeError("PERMISSION", `${folder.dir} is a link: no command is written through it`, {
      hint: "give the folder that it leads to",
    });
  // Before it is asked: the answer cannot be written before this place.
  const from = statSync(folder.events, { throwIfNoEntry: false })?.size ?? 0;
  naming(folder.commands, () => appendLine(folder.commands, JSON.stringify(command)));
  for await (const lines of followLines(folder.events, { from, signal })) {
    for (const line of lines) {
      if (line.includes('"session_end"') && parseEvent(line)?.type === "session_end") return undefined;
      // Most events are not about it.
      const event = line.includes(command.id) ? parseEvent(line) : undefined;
      const answer = event === undefined ? undefined : answerOf(event, command, foreign);
      if (answer?.ok === true) return { ...answer, data: unfolded(answer.data, new Blobs(folder.blobs)) };
      if (answer !== undefined) return answer;
    }
  }
  return undefined;
}

/** In one write, so that lines of several writers do not mix. The folder may be a stranger's: a link there could lead to any file. */
export function appendLine(path: string, line: string): void {
  const file = openPlain(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, PRIVATE_FILE);
  try {
    // A writer that died in the middle of its line must not take ours along.
    const start = endsLine(file, fstatSync(file).size) ? "" : "\n";
    writeSync(file, `${start}${line}\n`);
  } finally {
    closeSync(file);
  }
}

/**
 * Ours says that it executes a command and then answers it. Other tools answer some commands, and say of each that it was executed when
 * that is done.
 */
export function answerOf(
  { type, data }: AgentEvent,
  command: AgentCommand,
  foreign: boolean,
): CommandAnswer | undefined {
  if (!isObject(data) || data.commandId !== command.id) return undefined;
  const named = { commandId: command.id, type: command.type };
  if (type === "command_executed" && foreign) return { ...named, ok: true, data: {} };
  if (type === "error") return { ...named, ok: false, error: errorIn(data) };
  if (type !== "command_response") return undefined;
  if (data.ok === false || data.success === false)
    return { ...named, ok: false, error: errorIn(data.error ?? data) };
  return { ...named, ok: true, data: isObject(data.data) ? data.data : {} };
}

function errorIn(said: unknown): { code: string; message: string; hint?: string } {
  const { code, message, hint, error } = isObject(said) ? said : {};
  const words = [message, error, said].find((one) => typeof one === "string");
  return {
    code: typeof code === "string" ? code : "REQUEST_FAILED",
    message: typeof words === "string" ? words : "the agent could not do it",
    ...(typeof hint === "string" && { hint }),
  };
}

/** Long texts of an answer are kept beside the events. */
function unfolded(data: Record<string, unknown>, blobs: Blobs): Record<string, unknown> {
  const unfold = (value: unknown): unknown => {
    if (isStoredBlob(value)) return blobs.shown(value);
    if (Array.isArray(value)) return value.map(unfold);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, unfold(field)]));
  };
  const { stored } = data;
  // An answer that is long as a whole is kept as its text.
  if (Object.keys(data).length === 1 && (typeof stored === "string" || isStoredBlob(stored)))
    return wholeAnswer(blobs.text(stored));
  return Object.fromEntries(Object.entries(data).map(([key, field]) => [key, unfold(field)]));
}

function wholeAnswer(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // said below
  }
  if (isObject(value)) return value;
  throw new SondeError(
    "REQUEST_FAILED",
    "the agent answered, but the answer it recorded is not a JSON object",
  );
}
