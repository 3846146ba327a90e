/** Words shared by every answer. Pure. */
import { isAbsolute, relative } from "node:path";
import type { Told } from "../../advice/advice.ts";
import { errorText, type SondeError } from "../../errors.ts";
import type { OutputLine } from "../../session/output/tail.ts";
import type { Limits } from "../../session/stack/snapshot.ts";
import { oneLine, visible } from "../../util/text.ts";

export interface TextOptions {
  /** Paths below it are shown relative to it. */
  cwd: string;
  limits: Limits;
  /** With the calls in it in the caller's words. */
  say(told: Told): string;
  /** What to type to see what was left out, where no session remains to ask. */
  more?: Told;
}

/** No answer is longer, whatever was asked. */
export const ANSWER_CEILING = 64 * 1024;

/** With what the program or its files may have put into it made visible. */
export function safeErrorText(error: SondeError): string {
  return errorText(error.toJSON());
}

export function shortPath(path: string, cwd: string): string {
  if (!isAbsolute(path)) return oneLine(path);
  const below = relative(cwd, path);
  return oneLine(below !== "" && !below.startsWith("..") && !isAbsolute(below) ? below : path);
}

const STREAM_LABELS: Partial<Record<OutputLine["stream"], string>> = { stderr: "err", log: "log" };

/** The program's words, each line behind a bar, so that nothing it prints can pass for ours. What is not its stdout says so. */
export function fenced({ stream, text, from }: OutputLine): string {
  const who = [from, STREAM_LABELS[stream]].filter(Boolean).join(" ");
  return `  ${who === "" ? "" : `${oneLine(who)} `}| ${visible(text).replaceAll("\n", "\\n")}`;
}

export function lines(...parts: (string | undefined | false | readonly string[])[]): string {
  const all = parts.flatMap((part) => (part === undefined || part === false ? [] : part));
  return all.length === 0 ? "" : `${all.join("\n")}\n`;
}

export function noteLines(notes: readonly Told[], { say }: TextOptions): string[] {
  return notes.map((note) => `note: ${oneLine(say(note))}`);
}

export function haltedText(pid: number): string {
  return `process ${pid} is halted by a signal (SIGSTOP or similar); \`kill -CONT ${pid}\` resumes it`;
}
